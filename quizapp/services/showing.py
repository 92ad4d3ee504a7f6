"""Cards as documents."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches

from quizapp.cards.library import Library
from quizapp.cards.model import Card, Lang, prompts
from quizapp.cards.page import page
from quizapp.services import deck
from quizapp.services.errors import UserError
from quizapp.services.paths import locate
from quizapp.services.settings import load
from quizapp.text.markdown import render
from quizapp.text.spans import Line, Role, Span, plain


@dataclass(frozen=True, slots=True)
class CardLine:
    """A card in a list."""

    id: str
    title: str
    prompts: int
    languages: tuple[Lang, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A card and its Markdown."""

    card: Card
    markdown: str


def list_cards(lang: Lang | None = None) -> list[CardLine]:
    """Return a line for every card."""
    library, language = _library(lang)
    lines = []
    for id_ in library.ids:
        card = library.card(id_, language)
        if card is not None:
            count = len(list(prompts(card)))
            lines.append(CardLine(id_, card.title, count, library.languages(id_)))
    return lines


def page_of(id_: str, lang: Lang | None = None) -> Page:
    """Return a card as a document; :class:`UserError` if there is no such card."""
    library, language = _library(lang)
    card = library.card(id_, language)
    if card is None:
        near = get_close_matches(id_, library.ids, n=1)
        remedy = f"did you mean {near[0]}?" if near else "`quizapp show` lists the cards"
        raise UserError(f"there is no card {id_}", remedy)
    return Page(card, page(card, language))


def rendered(markdown: str, width: int, colour: bool) -> str:
    """Return a document as lines for a terminal, styled if it takes colours."""
    return "\n".join(styled_line(line, colour) for line in render(markdown, width).lines)


def styled_line(line: Line, colour: bool) -> str:
    """Return a line for a terminal, styled if it takes colours."""
    if not colour:
        return plain(line).rstrip()
    return "".join(_styled(span) for span in line).rstrip()


def _styled(span: Span) -> str:
    code = ANSI.get(span.role)
    return f"\x1b[{code}m{span.text}\x1b[0m" if code and span.text.strip() else span.text


ANSI = {
    Role.HEADING: "1;34",
    Role.SUBHEADING: "1",
    Role.STRONG: "1",
    Role.EMPHASIS: "3",
    Role.CODE: "36",
    Role.LINK: "4",
    Role.MUTED: "2",
    Role.GOOD: "32",
    Role.WARN: "33",
    Role.BAD: "31",
    Role.BAR: "34",
    Role.MARK: "33",
}
"""Terminal styles by role, in the sixteen colours that every theme has."""


def _library(lang: Lang | None) -> tuple[Library, Lang]:
    paths = locate()
    return deck.read_library(deck.roots(paths)), lang or load(paths.config).settings.language
