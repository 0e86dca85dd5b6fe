"""The doors: a compiled parser where people already work. Nothing of the runtime imports them, and each imports what it
stands before in one place, with the versions that it was tested with.
"""
