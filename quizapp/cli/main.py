"""The commands, each imported when it is called, and how they end."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from typing import Any, cast

import click

from quizapp.services.errors import UserError
from quizapp.store.values import StoreError

COMMANDS = {
    "review": "quizapp.cli.review:review",
    "mock": "quizapp.cli.mock:mock",
    "show": "quizapp.cli.show:show",
    "check": "quizapp.cli.check:check",
    "new": "quizapp.cli.new:new",
    "import": "quizapp.cli.importing:import_",
    "grade": "quizapp.cli.grade:grade",
    "demo": "quizapp.cli.demo:demo",
    "fuse-advice": "quizapp.cli.fuse_advice:fuse_advice",
    "prove": "quizapp.cli.proofs:prove",
    "proofs": "quizapp.cli.proofs:proofs",
    "stats": "quizapp.cli.stats:stats",
    "undo": "quizapp.cli.undo:undo",
    "doctor": "quizapp.cli.doctor:doctor",
    "info": "quizapp.cli.info:info",
    "completion": "quizapp.cli.completion:completion",
}
"""Name → where it is defined."""

INTERRUPTED = 130
"""Exit code after Ctrl+C, as shells have it."""


class LazyGroup(click.Group):
    """A group that imports a command when it is needed, so that one command stays quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the names in the order of use."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name].partition(":")
        return cast("click.Command", getattr(importlib.import_module(module), attribute))


@click.group(cls=LazyGroup, invoke_without_command=True)
@click.version_option(package_name="quizapp")
@click.pass_context
def quizapp(context: click.Context) -> None:
    """Spaced repetition for GPU-kernel interviews, with answers proved by measurement.

    Without a command, the full-screen daily review.
    """
    _tell_settings()
    if context.invoked_subcommand is None:
        from quizapp.cli.start import start

        context.exit(start())


def _tell_settings() -> None:
    """Say which lines of the settings were not taken, whatever the command."""
    from quizapp.services.paths import locate
    from quizapp.services.settings import load

    for problem in load(locate().config).problems:
        click.echo(f"quizapp: {problem}", err=True)


def run_command(arguments: Sequence[str]) -> int:
    """Run a command; what the user can mend is one line on standard error, never a traceback."""
    try:
        result: Any = quizapp.main(list(arguments), prog_name="quizapp", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.exceptions.Exit as error:
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo(err=True)
        return INTERRUPTED
    except (UserError, StoreError) as error:
        click.echo(f"quizapp: {error}", err=True)
        return 1
    except BrokenPipeError:
        # The reader of a pipe has seen enough (`quizapp stats | head`).
        sys.stdout = None
        return 0
    return result if isinstance(result, int) else 0
