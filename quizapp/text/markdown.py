"""Markdown as lines of spans at a width: for one widget, for the command line, for files.

Nothing of it is markup to the terminal: brackets, escape sequences and control characters of
the text are shown as they stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from quizapp.text.cells import cell_width, graphemes, safe
from quizapp.text.inline import inline_line, inline_rows
from quizapp.text.spans import Line, Role, Span, joined, line_width
from quizapp.text.table import Align, table_lines
from quizapp.text.wrap import wrap

BULLETS = ("•", "◦", "▪")
CODE_INDENT = "  "
CONTINUED = "↪ "
"""Before the rest of a line of code that is longer than the page."""
DRAWING = range(0x2500, 0x25A0)
"""Box drawing and blocks: a line of a picture is never broken."""
NARROWEST = 12
"""Cells under which nothing is laid out."""
LEAST_ROOM = 16
"""Cells that lists and quotes leave for text, however deep they are."""


@dataclass(frozen=True, slots=True)
class Heading:
    """Where a heading stands."""

    line: int
    """From 0."""
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """A document at a width."""

    lines: tuple[Line, ...]
    headings: tuple[Heading, ...]


@lru_cache(maxsize=64)
def render(markdown: str, width: int) -> Rendered:
    """Lay a document out in lines of at most ``width`` cells; only pictures may be wider.

    A picture is a fenced block with box drawing in it; its lines stay whole.
    """
    writer = _Writer(max(NARROWEST, width))
    writer.blocks(_parser().parse(markdown))
    lines = writer.lines
    while lines and not lines[-1]:
        lines.pop()
    return Rendered(tuple(lines), tuple(writer.headings))


def inline(markdown: str) -> Line:
    """Return one line of Markdown as spans, unwrapped."""
    tokens = _parser().parseInline(markdown)
    return inline_line(tokens[0].children or ()) if tokens else ()


@cache
def _parser() -> MarkdownIt:
    # The parser drops what is nested deeper than its own limit of 20.
    options = {"html": False, "maxNesting": 60}
    return MarkdownIt("commonmark", options).enable(["table", "strikethrough"])


class _Writer:
    """Writes blocks below one another; ``_first`` and ``_rest`` stand before their lines."""

    def __init__(self, width: int) -> None:
        self.lines: list[Line] = []
        self.headings: list[Heading] = []
        self._width = width
        self._first: tuple[Span, ...] = ()
        self._rest: tuple[Span, ...] = ()
        self._tight = False
        self._depth = 0

    def blocks(self, tokens: Sequence[Token]) -> None:
        """Write a sequence of blocks."""
        for block in _blocks(tokens):
            self._block(block)

    def _block(self, block: Sequence[Token]) -> None:
        head = block[0]
        match head.type:
            case "heading_open":
                self._heading(int(head.tag[1:]), block[1])
            case "paragraph_open":
                self._paragraph(block[1])
            case "fence" | "code_block":
                self._code(head.content)
            case "bullet_list_open" | "ordered_list_open":
                self._list(block)
            case "blockquote_open":
                self._quote(block[1:-1])
            case "table_open":
                self._table(block)
            case "hr":
                self._put((Span("─" * self._room, Role.MUTED),))
                self._gap()
            case _:
                self._code(head.content)

    @property
    def _room(self) -> int:
        return self._width - line_width(self._rest)

    def _put(self, line: Sequence[Span]) -> None:
        self.lines.append(joined((*self._first, *line)))
        self._first = self._rest

    def _gap(self) -> None:
        if not self._tight and self.lines and self.lines[-1]:
            self.lines.append(joined(_without_trailing(self._rest)) if self._rest else ())

    def _heading(self, level: int, content: Token) -> None:
        self._gap()
        role = Role.HEADING if level <= 2 else Role.SUBHEADING
        spans = tuple(Span(s.text, role) for s in inline_line(content.children or ()))
        self.headings.append(Heading(len(self.lines), level, "".join(s.text for s in spans)))
        for line in wrap(spans, self._room):
            self._put(line)
        if level <= 2:
            self._put((Span("─" * min(self._room, max(1, line_width(spans))), Role.MUTED),))
        self._gap()

    def _paragraph(self, content: Token) -> None:
        for row in inline_rows(content.children or ()):
            for line in wrap(row, self._room):
                self._put(line)
        self._gap()

    def _code(self, content: str) -> None:
        rows = [safe(row) for row in content.removesuffix("\n").split("\n")]
        picture = any(ord(character) in DRAWING for row in rows for character in row)
        for row in rows:
            for piece in [row] if picture else _chopped(row, self._room - len(CODE_INDENT)):
                self._put((Span(CODE_INDENT, Role.CODE), Span(piece, Role.CODE)))
        self._gap()

    def _list(self, block: Sequence[Token]) -> None:
        ordered = block[0].type == "ordered_list_open"
        number = int(block[0].attrs.get("start", 1)) if ordered else 0
        tight, depth = self._tight, self._depth
        self._depth += 1
        self._tight = any(t.type == "paragraph_open" and t.hidden for t in block) or tight
        for item in _blocks(block[1:-1]):
            mark = f"{number}. " if ordered else f"{BULLETS[min(depth, len(BULLETS) - 1)]} "
            self._indented(Span(mark, Role.MUTED), Span(" " * len(mark)), item[1:-1])
            number += 1
        self._tight, self._depth = tight, depth
        self._gap()

    def _quote(self, inner: Sequence[Token]) -> None:
        self._indented(Span("│ ", Role.MUTED), Span("│ ", Role.MUTED), inner)
        self._gap()

    def _indented(self, first: Span, rest: Span, inner: Sequence[Token]) -> None:
        before = self._first, self._rest
        if self._room - line_width((rest,)) >= min(LEAST_ROOM, self._width // 2):
            self._first, self._rest = (*self._first, first), (*self._rest, rest)
        if inner:
            self.blocks(inner)
        else:
            self._put(())
        if self.lines and self.lines[-1] == joined(_without_trailing(self._rest)):
            self.lines.pop()
        self._first, self._rest = before[1], before[1]

    def _table(self, block: Sequence[Token]) -> None:
        rows: list[list[Line]] = []
        for token in block:
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(inline_line(token.children or ()))
        aligns = [_align(token) for token in block if token.type == "th_open"]
        for line in table_lines(rows, self._room, aligns):
            self._put(line)
        self._gap()


def _blocks(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Yield each block with the tokens it encloses."""
    start = depth = 0
    for index, token in enumerate(tokens):
        depth += token.nesting
        if depth == 0:
            yield tokens[start : index + 1]
            start = index + 1


def _align(head: Token) -> Align:
    style = str(head.attrs.get("style", ""))
    return next((align for align in Align if style.endswith(align)), Align.LEFT)


def _chopped(row: str, width: int) -> Iterator[str]:
    """Yield a line of code in pieces that fit, every one but the first marked as continued."""
    piece, used = "", 0
    for cluster in graphemes(row):
        used += cell_width(cluster)
        if used > width:
            yield piece
            piece, used = CONTINUED, len(CONTINUED) + cell_width(cluster)
        piece += cluster
    yield piece


def _without_trailing(spans: Sequence[Span]) -> Line:
    text = list(spans)
    while text and not text[-1].text.strip():
        text.pop()
    return tuple(text)
