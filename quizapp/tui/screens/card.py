"""A whole card: its page with contents, and what was proved of it."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.events import Click
from textual.markup import escape
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from quizapp.cards.links import linked_cards
from quizapp.cards.model import Card
from quizapp.cards.page import page
from quizapp.proof.ledger import Currency, claim_key
from quizapp.text.cells import cell_width, clip, safe
from quizapp.text.markdown import render
from quizapp.text.spans import Line, Role, Span
from quizapp.text.wrap import wrap
from quizapp.tui.actions import Place
from quizapp.tui.bindings import bindings
from quizapp.tui.proof_lines import VERDICT_ROLES
from quizapp.tui.screens.base import QuizScreen
from quizapp.tui.widgets.document import Document
from quizapp.tui.widgets.keybar import KeyBar
from quizapp.tui.widgets.topbar import TopBar

if TYPE_CHECKING:
    from quizapp.services.ledger import LedgerRow

_ADDRESS = re.compile(r"<card:([\w-]+)[^>]*>")
"""As a link's address is shown behind its text."""
CONTENTS_FROM = 112
"""Columns from which the contents stand beside the page."""


class CardScreen(QuizScreen):
    """One card, to read."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(Place.CARD)

    def __init__(self, card: str) -> None:
        super().__init__()
        self._card_id = card
        self._rows: tuple[LedgerRow, ...] = ()

    @property
    def place(self) -> Place:
        """A card."""
        return Place.CARD

    @property
    def card(self) -> Card | None:
        """The card in the present language."""
        return self.workspace.library.card(self._card_id, self.workspace.language)

    def compose(self) -> ComposeResult:
        """Lay out the contents beside the page."""
        yield TopBar()
        with Horizontal(id="body"):
            yield OptionList(id="contents", markup=False)
            yield Document(id="page")
        yield KeyBar()

    def on_mount(self) -> None:
        """Show the card, then what the history says of its claims."""
        self.retell()
        self.query_one("#page", Document).focus()
        self._load()

    def on_resize(self) -> None:
        """Show the contents where there is room for them."""
        self._tell_contents()

    def on_screen_resume(self) -> None:
        """Look again for proofs: a demo may have been run."""
        self._load()

    @work(exclusive=True, group="load")
    async def _load(self) -> None:
        from quizapp.services.ledger import ledger
        from quizapp.store.values import StoreError

        try:
            self._rows = await ledger(self.workspace, self._card_id)
        except StoreError as error:
            self.quiz.tell(str(error), "error")
        self.retell()

    def retell(self) -> None:
        """Show the card in the present language, where one was reading."""
        card = self.card
        self.offer_keys()
        if card is None:
            self.query_one(TopBar).say(self.words.no_card.format(card=self._card_id))
            return
        tags = " ".join(f"#{tag}" for tag in card.tags)
        self.query_one(TopBar).say(card.id, tags)
        document = self.query_one("#page", Document)
        document.show_layout(lambda width: self._lines(card, width), home=False)
        self._tell_contents()

    def _lines(self, card: Card, width: int) -> Sequence[Line]:
        return [*render(page(card), width).lines, (), *self._proofs(card, width)]

    def _proofs(self, card: Card, width: int) -> Iterator[Line]:
        words = self.words
        yield (Span(words.proofs, Role.HEADING),)
        yield (Span("─" * 8, Role.MUTED),)
        if not any(claim.demo for claim in card.claims):
            yield (Span(words.no_demo, Role.MUTED),)
            return
        if not any(row.proof and row.proof.source != "record" for row in self._rows):
            yield from wrap((Span(words.no_proofs, Role.MUTED),), width)
        says = {claim_key(card, claim): claim.says for claim in card.claims}
        for row in self._rows:
            if row.proof is None:
                continue
            verdict = row.proof.verdict
            head = (
                Span(words.verdicts[verdict.value], VERDICT_ROLES[verdict]),
                Span("  " + safe(says.get(row.claim, row.claim))),
            )
            yield from wrap(head, width, indent=2)
            yield from wrap((Span(f"  {self._where(row)}", Role.MUTED),), width, indent=4)

    def _where(self, row: LedgerRow) -> str:
        proof = row.proof
        assert proof is not None
        source = self.words.recorded if proof.source == "record" else proof.source
        stale = "" if row.currency is Currency.CURRENT else f" · {self.words.stale}"
        return safe(f"{proof.device} · {proof.at:%Y-%m-%d} · {source} · {proof.text}{stale}")

    def _tell_contents(self) -> None:
        contents = self.query_one("#contents", OptionList)
        contents.display = self.size.width >= CONTENTS_FROM
        document = self.query_one("#page", Document)
        lines = document.headings()
        contents.clear_options()
        contents.add_options(
            Option(Content(clip(_text(document.lines[line]), 24)), id=str(line)) for line in lines
        )

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Go to a section."""
        if event.option.id is not None:
            document = self.query_one("#page", Document)
            document.go_to(int(event.option.id))
            document.focus()

    def action_next_section(self) -> None:
        """Go to the next section."""
        self.query_one("#page", Document).next_heading(1)

    def action_previous_section(self) -> None:
        """Go to the section before."""
        self.query_one("#page", Document).next_heading(-1)

    def action_review_card(self) -> None:
        """Review this card's prompts now."""
        self.quiz.open_review(self._card_id)

    async def action_linked(self) -> None:
        """Open a card that this one links to; where there are several, choose."""
        card = self.card
        found = linked_cards(card) if card else ()
        if len(found) < 2:
            self._open(*found)
            return
        titles = ((id_, self.workspace.library.card(id_, self.workspace.language)) for id_ in found)
        commands = [
            # The palette reads markup, and a title is somebody's text.
            (escape(safe(other.title)), partial(self._open, id_), id_)
            for id_, other in titles
            if other is not None
        ]
        await self.app.search_commands(commands, self.words.which_card)

    def _open(self, card: str = "") -> None:
        if card and self.workspace.library.card(card, self.workspace.language) is not None:
            self.quiz.open_card(card)
        else:
            self.quiz.tell(self.words.no_links)

    def on_click(self, event: Click) -> None:
        """Follow the link under the mouse, or the first after it in its line."""
        document = self.query_one("#page", Document)
        offset = event.get_content_offset(document) if event.widget is document else None
        if offset is None:
            return
        row = offset.y + document.scroll_offset.y
        text = _text(document.lines[row]) if row < len(document.lines) else ""
        for link in _ADDRESS.finditer(text):
            if cell_width(text[: link.end()]) >= offset.x:
                self._open(link[1])
                return

    def action_demo(self) -> None:
        """Prove the card's claims."""
        self.quiz.open_demo(self._card_id)

    def action_prove_all(self) -> None:
        """Prove all the card's claims, one demo after the other."""
        self.quiz.open_demo(self._card_id, prove_all=True)

    def action_search(self) -> None:
        """Search the cards."""
        from quizapp.tui.screens.search import SearchScreen

        self.app.push_screen(SearchScreen())

    @work(exclusive=True, group="edit")
    async def action_edit(self) -> None:
        """Open the card's file in the user's editor, and read the cards again."""
        from quizapp.services.authoring import file_to_edit
        from quizapp.services.errors import UserError

        path = self.workspace.library.path(self._card_id, self.workspace.language)
        editor = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "")
        if path is None or not editor or shutil.which(editor[0]) is None:
            self.quiz.tell(self.words.edit_how.format(path=path))
            return
        try:
            file = file_to_edit(self.workspace.paths, Path(path))
        except UserError as error:
            self.quiz.tell(str(error), "error")
            return
        with self.app.suspend():
            subprocess.run([*editor, str(file)], check=False)
        await asyncio.to_thread(self.workspace.reload)
        self._tell_problems(str(file))
        self.retell()

    def _tell_problems(self, path: str) -> None:
        """Say the first thing that is wrong with a file, or that it was read."""
        found = [item for item in self.workspace.library.problems if item.path == path]
        if found:
            more = self.words.more_problems.format(count=len(found) - 1) if found[1:] else ""
            self.quiz.tell(f"{found[0]} {more}".strip(), "warning")
        else:
            self.quiz.tell(self.words.read_again.format(path=path))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A card without measurable claims has nothing to prove."""
        if action in ("demo", "prove_all"):
            card = self.card if self.workspace.is_open else None
            return card is not None and any(claim.demo for claim in card.claims)
        if action == "suspend":
            return False
        return super().check_action(action, parameters)


def _text(line: Line) -> str:
    return "".join(span.text for span in line)
