"""Parsers written by `respc generate`, one module a grammar: committed, formatted, never edited by hand."""
