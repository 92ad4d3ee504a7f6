"""Wrapping of mixed Chinese and Latin text, cell-exact.

Between two Han characters a line may break anywhere; a Latin word, a number with its unit or a
piece of code is never split unless it is longer than a line; no line begins with closing
punctuation nor ends with an opening bracket (the rules printers call kinsoku).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from quizapp.text.cells import cell_width, graphemes
from quizapp.text.spans import Line, Role, Span, cut, joined

NOT_FIRST = frozenset("。，；：、！？）」』】》〉”’…—·・．％‰℃°,.;:!?)]}»›%")
"""Characters that no line begins with."""
NOT_LAST = frozenset("（「『【《〈“‘([{«‹$¥€#")
"""Characters that no line ends with."""
OPENING_WORDS = frozenset(".%")
"""Those that may begin a word all the same when a blank stands before them (``.so``, ``%rax``)."""
CLOSING_WORDS = frozenset("$¥€#")
"""Those that may end a word when a blank stands behind them (``C#``)."""
SEAMS = frozenset("/_.-,:;=&?|\\")
"""Characters after which something longer than a line is best split."""


def wrap(spans: Sequence[Span], width: int, indent: int = 0) -> list[Line]:
    """Break a paragraph into lines of at most ``width`` cells, the later ones indented."""
    width = max(2, width)
    indent = min(indent, width // 2, width - 2)
    text = "".join(span.text for span in spans)
    margin = (Span(" " * indent),)
    lines: list[Line] = []
    for start, end in _ranges(text, width, width - indent):
        line = cut(spans, start, end)
        lines.append(joined((*margin, *line)) if lines else line)
    return lines or [()]


def wrap_text(text: str, width: int, role: Role = Role.TEXT) -> list[Line]:
    """Break a plain text, see :func:`wrap`."""
    return wrap((Span(text, role),), width)


def longest_unit(text: str) -> int:
    """Return the cells of the longest piece of a text that a line should not split."""
    clusters = [*graphemes(text)]
    longest = size = 0
    for index, cluster in enumerate(clusters):
        if index and clusters[index - 1] not in "-–" and _may_break(clusters, index):
            size = 0
        if size or cluster != " ":
            size += cell_width(cluster)
        longest = max(longest, size)
    return longest


def _ranges(text: str, first: int, later: int) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each line; blanks around a break belong to no line."""
    if cell_width(text) <= first:
        if text.strip(" "):
            yield 0, len(text.rstrip(" "))
        return
    clusters = [*graphemes(text)]
    offsets = [*accumulate(map(len, clusters), initial=0)]
    start = used = best = index = 0
    room = first
    while index < len(clusters):
        cluster = clusters[index]
        if index > start and _may_break(clusters, index):
            best = index
        size = cell_width(cluster)
        if cluster != " " and used and used + size > room:
            stop = best or _split(clusters, start, index)
            if end := _without_blanks(clusters, start, stop):
                yield offsets[start], offsets[end]
                room = later
            start = index = _next(clusters, stop)
            used = best = 0
        else:
            used += size
            index += 1
    if end := _without_blanks(clusters, start, len(clusters)):
        yield offsets[start], offsets[end]


def _may_break(clusters: Sequence[str], index: int) -> bool:
    """Tell whether a line may end before a cluster; blanks belong to what follows them."""
    before, after = clusters[index - 1], clusters[index]
    if after == " ":
        return before != " " and _may_break_at_blank(clusters, index)
    if before == " " or after[0] in NOT_FIRST or before[-1] in NOT_LAST:
        return False
    if _is_han(before) or _is_han(after):
        return not (before.isdigit() and after.isalpha())
    if before == "—":
        return True
    return before in "-–" and after.isalpha() and index > 1 and clusters[index - 2].isalpha()


def _may_break_at_blank(clusters: Sequence[str], index: int) -> bool:
    """Keep brackets with what they hold, and a number with its unit: ``2,039 GB/s``, ``33 %``."""
    before = clusters[index - 1]
    following = _next(clusters, index)
    after = clusters[following] if following < len(clusters) else ""
    is_unit = following == index + 1 and (after.isalpha() or after in "%×µ°")
    if is_unit and _ends_number(clusters, index):
        return False
    closes = after[:1] in NOT_FIRST - OPENING_WORDS
    return not closes and before[-1] not in NOT_LAST - CLOSING_WORDS


def _ends_number(clusters: Sequence[str], index: int) -> bool:
    """Tell ``3.35`` before an index from ``HBM3``."""
    if not clusters[index - 1].isdigit():
        return False
    while index and (clusters[index - 1].isdigit() or clusters[index - 1] in ".,"):
        index -= 1
    before = clusters[index - 1] if index else ""
    return not before.isalpha() or _is_han(before)


def _is_han(cluster: str) -> bool:
    """Tell Han, kana, hangul, full-width forms and pictures, their punctuation included."""
    first = cluster[0]
    return first > "\u2e7f" and not "\U0001d400" <= first < "\U0001d800"


def _split(clusters: Sequence[str], start: int, stop: int) -> int:
    """Return where to split what is longer than a line: at a seam, or as late as may be."""
    fitting = [
        index
        for index in range(stop, start, -1)
        if clusters[index][0] not in NOT_FIRST and clusters[index - 1][-1] not in NOT_LAST
    ]
    for index in fitting:
        at_seam = clusters[index - 1] in SEAMS or " " in (clusters[index - 1], clusters[index])
        if at_seam and index - start > (stop - start) // 2:
            return index
    return fitting[0] if fitting else stop


def _without_blanks(clusters: Sequence[str], start: int, stop: int) -> int:
    """Return the end of a line without the blanks at its end; 0 if nothing else is in it."""
    while stop > start and clusters[stop - 1] == " ":
        stop -= 1
    return stop if stop > start else 0


def _next(clusters: Sequence[str], index: int) -> int:
    """Return where the next thing but a blank stands."""
    while index < len(clusters) and clusters[index] == " ":
        index += 1
    return index
