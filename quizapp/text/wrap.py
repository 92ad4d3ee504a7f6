"""Wrapping of mixed Chinese and Latin text, cell-exact.

Between two Han characters a line may break anywhere; a Latin word, a number with its unit or a
piece of code is never split unless it is longer than a line; no line begins with closing
punctuation nor ends with an opening bracket (the rules printers call kinsoku).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quizapp.text.cells import cell_width, graphemes
from quizapp.text.spans import Line, Role, Span, joined

NOT_FIRST = frozenset("。，；：、！？）」』】》〉”’…—·・．％‰℃°,.;:!?)]}»›%")
"""Characters that no line begins with."""
NOT_LAST = frozenset("（「『【《〈“‘([{«‹$¥€#")
"""Characters that no line ends with."""


def wrap(spans: Sequence[Span], width: int, indent: int = 0) -> list[Line]:
    """Break a paragraph into lines of at most ``width`` cells, the later ones indented."""
    width = max(2, width)
    indent = min(indent, width // 2)
    lines: list[Line] = []
    current: list[Span] = []
    room = width
    for unit in _units(spans):
        blanks, body, size = _measured(unit)
        if current and size > room and _text(body):
            lines.append(joined(_trimmed(current)))
            current, room = [Span(" " * indent)] if indent else [], width - indent
            blanks_width = cell_width(_text(blanks))
            blanks, size = (), size - blanks_width
        for piece in _fitting((*blanks, *body), room, size, width - indent):
            if piece is None:
                lines.append(joined(_trimmed(current)))
                current, room = [Span(" " * indent)] if indent else [], width - indent
            else:
                current.append(piece)
                room -= cell_width(piece.text)
    if _text(current).strip() or not lines:
        lines.append(joined(_trimmed(current)))
    return lines


def wrap_text(text: str, width: int, role: Role = Role.TEXT) -> list[Line]:
    """Break a plain text, see :func:`wrap`."""
    return wrap((Span(text, role),), width)


_Unit = tuple[Span, ...]


def _units(spans: Sequence[Span]) -> Iterator[_Unit]:
    """Yield what must stay on one line, each with the blanks before it."""
    clusters = [(cluster, role) for text, role in spans for cluster in graphemes(text)]
    unit: list[Span] = []
    last = ""
    for index, (cluster, role) in enumerate(clusters):
        following = clusters[index + 1][0] if index + 1 < len(clusters) else ""
        if last and _may_break(last, cluster) and not _before_unit(last, cluster, following):
            yield joined(unit)
            unit = []
        unit.append(Span(cluster, role))
        last = cluster
    if unit:
        yield joined(unit)


def _before_unit(before: str, after: str, following: str) -> bool:
    """Tell the blank between a number and its unit: ``2,039 GB/s``, ``3.6 ×``, ``33 %``."""
    return after == " " and before.isdigit() and (following.isalpha() or following in "%×µ°")


def _may_break(before: str, after: str) -> bool:
    """Tell whether a line may end between two characters; blanks belong to what follows."""
    if before == " ":
        return False
    if after == " ":
        return True
    if after[0] in NOT_FIRST or before[-1] in NOT_LAST:
        return False
    if _han(before) or _han(after):
        return True
    return before in "-–—/" and after[0].isalpha()


def _han(cluster: str) -> bool:
    """Tell Han, kana, hangul and full-width forms, their punctuation included."""
    return cluster[0] > "\u2e7f"


def _measured(unit: _Unit) -> tuple[_Unit, _Unit, int]:
    """Return a unit's leading blanks, its body and its cells."""
    text = _text(unit)
    blanks = len(text) - len(text.lstrip(" "))
    head, body = _split(unit, blanks)
    return head, body, cell_width(text)


def _split(unit: _Unit, count: int) -> tuple[_Unit, _Unit]:
    head: list[Span] = []
    body: list[Span] = []
    for text, role in unit:
        head.append(Span(text[:count], role))
        body.append(Span(text[count:], role))
        count = max(0, count - len(text))
    return joined(head), joined(body)


def _fitting(unit: _Unit, room: int, size: int, width: int) -> Iterator[Span | None]:
    """Yield the unit's pieces; ``None`` where a line must end because it is too long for one."""
    if size <= room:
        yield from unit
        return
    for text, role in unit:
        for cluster in graphemes(text):
            cells = cell_width(cluster)
            if cells > room:
                yield None
                room = width
            yield Span(cluster, role)
            room -= cells


def _trimmed(spans: list[Span]) -> list[Span]:
    trimmed = list(spans)
    while trimmed and not trimmed[-1].text.rstrip(" "):
        trimmed.pop()
    if trimmed:
        trimmed[-1] = Span(trimmed[-1].text.rstrip(" "), trimmed[-1].role)
    return trimmed


def _text(spans: Sequence[Span]) -> str:
    return "".join(span.text for span in spans)
