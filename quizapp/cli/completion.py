"""`quizapp completion`: what a shell needs to complete the commands."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script of a shell.

    \b
    bash: eval "$(quizapp completion bash)"        in ~/.bashrc
    zsh:  eval "$(quizapp completion zsh)"         in ~/.zshrc
    fish: quizapp completion fish | source         in ~/.config/fish/config.fish
    """
    from quizapp.cli.main import quizapp

    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(quizapp, {}, "quizapp", "_QUIZAPP_COMPLETE").source())
