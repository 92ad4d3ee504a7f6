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

from quizapp.text.cells import safe
from quizapp.text.spans import Line, Role, Span, joined, line_width
from quizapp.text.table import table_lines
from quizapp.text.wrap import wrap

BULLETS = ("•", "◦", "▪")
CODE_INDENT = "  "


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
    """Lay a document out in lines of at most ``width`` cells; lines of code may be longer."""
    writer = _Writer(max(8, width))
    writer.blocks(_parser().parse(markdown))
    lines = writer.lines
    while lines and not lines[-1]:
        lines.pop()
    return Rendered(tuple(lines), tuple(writer.headings))


def inline(markdown: str) -> Line:
    """Return one line of Markdown as spans, unwrapped."""
    tokens = _parser().parseInline(markdown)
    return joined(_spans(tokens[0].children or ())) if tokens else ()


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


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
        return max(8, self._width - line_width(self._rest))

    def _put(self, line: Sequence[Span]) -> None:
        self.lines.append(joined((*self._first, *line)))
        self._first = self._rest

    def _gap(self) -> None:
        if not self._tight and self.lines and self.lines[-1]:
            self.lines.append(joined(_without_trailing(self._rest)) if self._rest else ())

    def _heading(self, level: int, content: Token) -> None:
        self._gap()
        role = Role.HEADING if level <= 2 else Role.SUBHEADING
        spans = tuple(Span(s.text, role) for s in joined(_spans(content.children or ())))
        self.headings.append(Heading(len(self.lines), level, "".join(s.text for s in spans)))
        for line in wrap(spans, self._room):
            self._put(line)
        if level <= 2:
            self._put((Span("─" * min(self._room, max(1, line_width(spans))), Role.MUTED),))
        self._gap()

    def _paragraph(self, content: Token) -> None:
        for row in _rows(content.children or ()):
            for line in wrap(row, self._room):
                self._put(line)
        self._gap()

    def _code(self, content: str) -> None:
        for row in content.removesuffix("\n").split("\n"):
            self._put((Span(CODE_INDENT, Role.CODE), Span(safe(row), Role.CODE)))
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
                rows[-1].append(joined(_spans(token.children or ())))
        for line in table_lines(rows, self._room):
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


def _rows(children: Sequence[Token]) -> Iterator[Line]:
    """Yield the lines that hard breaks make of a paragraph."""
    row: list[Token] = []
    for token in children:
        if token.type == "hardbreak":
            yield joined(_spans(row))
            row = []
        else:
            row.append(token)
    yield joined(_spans(row))


_OPENING = {"strong_open": Role.STRONG, "em_open": Role.EMPHASIS, "link_open": Role.LINK}
_OPENING |= {"s_open": Role.MUTED}


def _spans(children: Sequence[Token]) -> Iterator[Span]:
    roles = [Role.TEXT]
    addresses: list[str] = []
    shown = ""
    for token in children:
        if token.type in _OPENING:
            roles.append(_OPENING[token.type])
            if token.type == "link_open":
                addresses.append(str(token.attrs.get("href", "")))
                shown = ""
        elif token.type.endswith("_close"):
            roles.pop()
            if token.type == "link_close" and (address := addresses.pop()) != shown:
                yield Span(f" <{safe(address)}>", Role.MUTED)
        else:
            text, role = _leaf(token, roles[-1])
            shown += text
            yield Span(text, role)


def _leaf(token: Token, role: Role) -> Span:
    if token.type == "code_inline":
        return Span(safe(token.content), Role.CODE)
    if token.type == "softbreak":
        return Span(" ", role)
    if token.type == "image":
        return Span(f"[{safe(token.content)}]", Role.MUTED)
    return Span(safe(token.content), role)


def _without_trailing(spans: Sequence[Span]) -> Line:
    text = list(spans)
    while text and not text[-1].text.strip():
        text.pop()
    return tuple(text)
