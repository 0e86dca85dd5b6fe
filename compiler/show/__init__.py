"""Showing what parsers do: traces, diagrams, batches and the watch, all behind the command line."""
