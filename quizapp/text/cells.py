"""How many cells of a terminal a text takes, and text made safe to show there.

wcwidth knows the widths; Rich, which draws for us, has its tables from there, and a test
compares the two.
"""

from __future__ import annotations

from collections.abc import Iterator

TAB = 4
"""Cells between tab stops."""


def cell_width(text: str) -> int:
    """Return the cells of a line of text; of one that is :func:`safe`."""
    if text.isascii():
        return len(text)
    # Imported here: the first screen has little to measure, and the tables take their time.
    from wcwidth import wcswidth

    return max(0, wcswidth(text))


def graphemes(text: str) -> Iterator[str]:
    """Yield what a reader takes for one character: combining marks and joined emoji stay whole."""
    if text.isascii():
        return iter(text)
    from wcwidth import iter_graphemes

    return iter_graphemes(text)


def safe(text: str) -> str:
    """Return one line with everything that would act on a terminal shown as a symbol instead.

    Tabs become blanks up to the next tab stop; escape and other control characters their
    pictures (␛); directional overrides, which would reorder what follows, are dropped.
    """
    if text.isprintable():
        return text
    shown: list[str] = []
    column = 0
    for character in text:
        piece = _shown(character, column)
        shown.append(piece)
        column += cell_width(piece)
    return "".join(shown)


def _shown(character: str, column: int) -> str:
    code = ord(character)
    if character == "\t":
        return " " * (TAB - column % TAB)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if 0x80 <= code < 0xA0 or 0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069:
        return ""
    if 0xD800 <= code < 0xE000:
        return "\ufffd"
    return " " if character in "\u2028\u2029" else character


def clip(text: str, width: int, mark: str = "…") -> str:
    """Return the text, cut to at most ``width`` cells, with a mark where it was cut."""
    if cell_width(text) <= width:
        return text
    room = width - cell_width(mark)
    if room < 0:
        return " " * max(0, width)
    kept: list[str] = []
    used = 0
    for cluster in graphemes(text):
        used += cell_width(cluster)
        if used > room:
            break
        kept.append(cluster)
    return "".join(kept) + mark


def pad(text: str, width: int, right: bool = False) -> str:
    """Return the text in exactly ``width`` cells, clipped or filled with blanks."""
    fitting = clip(text, width)
    blanks = " " * (width - cell_width(fitting))
    return blanks + fitting if right else fitting + blanks
