"""Sphinx's settings. In goes build/pages, which docs/making.py fills; out comes build/docs."""

from __future__ import annotations

import sys
from pathlib import Path

from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).parents[1]))

project = "respc"
extensions = ["myst_parser"]
root_doc = "index"
myst_heading_anchors = 3
smartquotes = False  # a quote in code stays one
html_theme = "furo"
html_title = "respc"
html_static_path = ["static"]
html_css_files = ["wide.css"]
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    from docs.highlight import GrammarLexer

    app.add_lexer("grammar", GrammarLexer)
    app.add_lexer("reads", GrammarLexer)
