"""The full-screen program: themes, language, errors and the way out; the screens do the rest."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Literal

from rich.cells import cell_len
from rich.style import Style
from textual.app import App
from textual.binding import BindingType
from textual.screen import Screen
from textual.worker import WorkerFailed

from quizapp.cards.kinds import Lang
from quizapp.guard import ALIVE_VARIABLE, STUCK
from quizapp.services.settings import THEMES
from quizapp.services.workspace import Workspace
from quizapp.text.spans import Role
from quizapp.tui.actions import Place
from quizapp.tui.bindings import bindings
from quizapp.tui.theme import styles, theme
from quizapp.tui.words import Words, words

if TYPE_CHECKING:
    from quizapp.interview.options import Options
    from quizapp.runner.base import Runner

Opening = Literal["today", "review", "interview"]

CELLS_A_SECOND = 20
"""How fast a message is read, with an eye still on the work."""
LAST_SECONDS = 4.0
"""How long the program may take to end."""
FAILED = 70
"""Exit code after an error of the program's own (EX_SOFTWARE)."""


class QuizApp(App[None]):
    """The program; hand it a workspace and a runner to test it.

    ``opening`` says what is seen first; ``interview`` are the choices of the one to begin, or
    the id of the one to go on with.
    """

    CSS_PATH = "quizapp.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(Place.EVERYWHERE)
    COMMAND_PALETTE_BINDING = "ctrl+p"
    TITLE = "quizapp"

    def __init__(
        self,
        workspace: Workspace | None = None,
        runner: Runner | None = None,
        opening: Opening = "today",
        interview: Options | str = "",
    ) -> None:
        super().__init__()
        self.workspace = workspace or Workspace()
        self._runner = runner
        self._opening: Opening = opening
        self._interview = interview
        self.role_styles: dict[Role, Style] = {}
        self._leaving = False
        self._guard = -1
        """File descriptor that ends with the guard of the terminal."""
        self.failure = ""
        """What went wrong, one line, if the program ends for it."""
        self._use_theme(self.workspace.settings.theme)

    @property
    def words(self) -> Words:
        """The texts of the present language."""
        return words(self.workspace.language)

    @property
    def runner(self) -> Runner:
        """What runs demos here."""
        if self._runner is None:
            from quizapp.runner.local import LocalRunner

            self._runner = LocalRunner(self.workspace.settings.demo_python)
        return self._runner

    def get_default_screen(self) -> Screen[None]:
        """Open with today's figures."""
        from quizapp.tui.screens.today import TodayScreen

        return TodayScreen()

    def action_command_palette(self) -> None:
        """Show the command palette, which says in the present language what it is for."""
        from textual.command import CommandPalette

        if not CommandPalette.is_open(self):  # type: ignore[arg-type]
            placeholder = self.words.palette_hint
            self.push_screen(CommandPalette(placeholder=placeholder, id="--command-palette"))

    def get_system_commands(self, screen: Screen[object]) -> Iterator[object]:  # type: ignore[override]
        """Offer every action of the registry, and the cards, in the command palette."""
        from quizapp.tui.palette import commands

        yield from commands(self, screen)

    def on_mount(self) -> None:
        """Leave cleanly when the system asks, or when the guard of the terminal is gone."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP):
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(number, self.leave, 128 + number)
        guard = os.environ.pop(ALIVE_VARIABLE, "")
        if guard:
            self._guard = int(guard)
            loop.add_reader(self._guard, self.leave, 0)
        if self._opening == "review":
            self.call_after_refresh(self.open_review)
        elif self._opening == "interview":
            self.call_after_refresh(self.open_interview, self._interview)

    def spare_the_collector(self) -> None:
        """Let the garbage collector pass over what was loaded once and stays for good.

        Modules, cards and wordings are half a million objects.  Looking through them all takes
        a tenth of a second, in the middle of a key.
        """
        gc.freeze()

    def leave(self, code: int = 0) -> None:
        """End the program, keeping what is typed; asked again while it ends, it just goes on."""
        if self._leaving:
            return
        self._leaving = True
        if self._guard >= 0:
            # Its end stays readable for ever, and would ask again for ever.
            asyncio.get_running_loop().remove_reader(self._guard)
        # Where the terminal is gone, the last of the drawing may never end.
        last = threading.Timer(LAST_SECONDS, os._exit, (STUCK,))
        last.daemon = True
        last.start()
        self.run_worker(self._leave(code), exclusive=True, group="leaving")

    async def _leave(self, code: int) -> None:
        for screen in self.screen_stack:
            keep = getattr(screen, "keep", None)
            if keep is not None:
                with contextlib.suppress(Exception):
                    await keep()
        self.exit(return_code=code)

    async def on_unmount(self) -> None:
        """Close what is open."""
        if self._runner is not None:
            await self._runner.close()
        await asyncio.to_thread(self.workspace.close)

    async def action_quit(self) -> None:
        """Leave the program."""
        self.leave()

    def action_interrupt(self) -> None:
        """Copy what is selected, or leave the program: Ctrl+C is never without effect."""
        chosen = getattr(self.focused, "selected_text", "") or self.screen.get_selected_text()
        if chosen:
            self.copy_to_clipboard(chosen)
            self.run_worker(self._copy(chosen), group="copying")
        else:
            self.leave()

    async def _copy(self, text: str) -> None:
        from quizapp.tui.clipboard import Kept, keep

        said = {
            Kept.CLIPBOARD: self.words.copied,
            Kept.TMUX: self.words.copied_in_tmux,
            Kept.UNKNOWN: self.words.copied_perhaps,
        }
        self.tell(said[await asyncio.to_thread(keep, text, os.environ)])

    def action_help(self) -> None:
        """Show every key."""
        from quizapp.tui.screens.help import HelpScreen

        self.push_screen(HelpScreen())

    def action_language(self) -> None:
        """Switch between English and Chinese, in the settings too."""
        other = Lang.EN if self.workspace.language is Lang.ZH else Lang.ZH
        self._change(language=other)
        for screen in self.screen_stack:
            retell = getattr(screen, "retell", None)
            if retell is not None:
                retell()

    def action_theme(self) -> None:
        """Switch to the next theme, in the settings too."""
        now = THEMES.index(self.workspace.settings.theme)
        name = THEMES[(now + 1) % len(THEMES)]
        self._change(theme=name)
        self._use_theme(name)
        for screen in self.screen_stack:
            screen.refresh(layout=True)
        self.tell(self.words.theme_is.format(name=name))

    def open_review(self, card: str = "") -> None:
        """Go to the review, of the day or of a card."""
        from quizapp.tui.screens.review import ReviewScreen

        self.push_screen(ReviewScreen(card))

    def open_interviews(self) -> None:
        """Choose an interview, new or old."""
        from quizapp.tui.screens.mock import MockScreen

        self.push_screen(MockScreen())

    def open_interview(self, which: Options | str) -> None:
        """Begin an interview, or go on with one by its id; an empty id is the newest."""
        from quizapp.tui.screens.interview import InterviewScreen

        resume = which if isinstance(which, str) else ""
        self.push_screen(InterviewScreen(None if isinstance(which, str) else which, resume))

    def open_card(self, card: str) -> None:
        """Show a card."""
        from quizapp.tui.screens.card import CardScreen

        self.push_screen(CardScreen(card))

    def open_demo(self, card: str, prove_all: bool = False) -> None:
        """Show the claims of a card and what proves them, or prove them at once."""
        from quizapp.tui.screens.demo import DemoScreen

        self.push_screen(DemoScreen(card, prove_all))

    def tell(
        self,
        message: str,
        severity: Literal["information", "warning", "error"] = "information",
    ) -> None:
        """Show a short message for as long as it takes to read; its text is never markup."""
        seconds = max(3.0, cell_len(message) / CELLS_A_SECOND)
        self.notify(message, severity=severity, markup=False, timeout=seconds)

    def _change(self, **values: object) -> None:
        """Change settings; where the file cannot be written, until the program ends."""
        try:
            self.workspace.change(**values)
        except (OSError, ValueError) as error:
            self.workspace.use(**values)
            reason = getattr(error, "strerror", None) or error
            text = self.words.not_kept.format(path=self.workspace.paths.config, reason=reason)
            self.tell(text, "warning")

    def _use_theme(self, name: str) -> None:
        chosen = theme(name)
        if chosen.name not in self.available_themes:
            self.register_theme(chosen)
        self.theme = chosen.name
        self.role_styles = styles(name)

    def _handle_exception(self, error: Exception) -> None:
        """End after an error nobody expected: the traceback goes to the log, not the terminal."""
        from quizapp.services.log import log_error

        cause = error.error if isinstance(error, WorkerFailed) else error
        log_error(self.workspace.paths.log, cause)
        self.failure = " ".join(f"{type(cause).__name__}: {cause}".split())
        if self._exception is None:
            # Textual's own way to tell its test driver.
            self._exception = error
            self._exception_event.set()
        self._return_code = FAILED
        self._close_messages_no_wait()
