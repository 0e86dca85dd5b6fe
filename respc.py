"""The console script: in go the words of the command line, out comes an exit code.

Invariant: it imports without the compiler's extra, and names the extra when something of it is missing.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

EXTRA = {"black", "jinja2", "lark", "rich", "typer"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command, `sys.argv` by default: 0 fine, 1 would change or did not parse, 2 wrong use."""
    try:
        from compiler.__main__ import main as run

        return run(arguments)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in EXTRA:
            raise
        print(f"respc: {missing} is not installed; the compiler needs: pip install 'respc[compile]'", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
