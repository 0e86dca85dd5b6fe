"""Commands with an example: in goes a right use, out comes what `Typer.command` takes to show it in help.

Invariant: wrong use of such a command is answered with the right one.
"""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand


class _Command(TyperCommand):
    def get_usage(self, ctx: Any) -> str:
        """What stands above an error: the usage, and the example, which help has at its end."""
        return f"{super().get_usage(ctx)}\n{self.epilog}"


def example(use: str) -> dict[str, Any]:
    """Keywords for `Typer.command`."""
    return {"cls": _Command, "epilog": f"Example: {use}"}
