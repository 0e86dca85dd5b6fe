"""Commands with an example: in goes a right use, out comes what `Typer.command` takes to show it in help.

Invariant: wrong use of such a command is answered with the right one, and a command that is none with those that are.
"""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperGroup


class _Command(TyperCommand):
    def get_usage(self, ctx: Any) -> str:
        """What stands above an error: the usage, and the example, which help has at its end."""
        return f"{super().get_usage(ctx)}\n{self.epilog}"


class Commands(TyperGroup):
    """The commands of an app: one that is none is answered with those that begin so, or with all."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the first word names. Raises click's UsageError."""
        try:
            return super().resolve_command(ctx, args)
        except Exception as error:
            message = getattr(error, "message", "")
            if message.endswith("."):
                names = self.list_commands(ctx)
                begun = [name for name in names if args[0] and name.startswith(args[0])]
                shown = f"Did you mean {begun[0]!r}?" if begun else f"There are: {', '.join(names)}."
                vars(error)["message"] = f"{message} {shown}"
            raise


def example(use: str) -> dict[str, Any]:
    """Keywords for `Typer.command`."""
    return {"cls": _Command, "epilog": f"Example: {use}"}
