"""How many cells of a terminal a text takes, and text made safe to show there.

The widths are those of Rich, which draws for us and has its tables from wcwidth; a test
compares the two.  Whoever measured otherwise would misalign every frame.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

TAB = 4
"""Cells between tab stops."""
JOINER = "\u200d"
EMOJI = "\ufe0f"
"""Variation selector that asks for the picture, which is wide, of the character before it."""
FLAGS = range(0x1F1E6, 0x1F200)
"""Regional indicators, two of which make a flag."""
SKIN_TONES = range(0x1F3FB, 0x1F400)
STRAY_JOINERS = re.compile("(?:^|(?<=[ -~]))\u200d+|\u200d+(?=[ -~\u200d]|$)")
"""Joiners with nothing to join: they would swallow whatever is drawn next."""


def cell_width(text: str) -> int:
    """Return the cells of a line of text; of one that is :func:`safe`."""
    if text.isascii():
        return len(text)
    if JOINER not in text and EMOJI not in text:
        return sum(map(_character_width, text))
    return sum(map(_cluster_width, graphemes(text)))


def graphemes(text: str) -> Iterator[str]:
    """Yield what a reader takes for one character: combining marks, emoji and flags stay whole."""
    if text.isascii():
        return iter(text)
    return _clusters(text)


def _clusters(text: str) -> Iterator[str]:
    start = 0
    for index in range(1, len(text)):
        if not _continues(text, start, index):
            yield text[start:index]
            start = index
    yield text[start:]


def _continues(text: str, start: int, index: int) -> bool:
    character, before = text[index], text[index - 1]
    if before == JOINER or not _character_width(character):
        return True
    return index == start + 1 and ord(character) in FLAGS and ord(before) in FLAGS


def _cluster_width(cluster: str) -> int:
    """Return the cells of one grapheme: what is joined on takes none, a picture takes two."""
    joined = False
    width = 0
    measured = ""
    for character in cluster:
        if joined:
            joined = False
        elif character == JOINER:
            joined = True
        elif character == EMOJI:
            width += _is_widened(measured)
            measured = ""
        elif cells := _character_width(character):
            measured = character
            width += cells
    return width


@cache
def _character_width(character: str) -> int:
    code = ord(character)
    if code < 0x300 or 0x2010 <= code < 0x2028 or 0x2500 <= code < 0x25FD:
        return 1
    if 0x4E00 <= code < 0xA000 or 0x3001 <= code < 0x302A or 0xFF01 <= code < 0xFF61:
        return 2
    if code in FLAGS:
        return 1
    if code in SKIN_TONES:
        return 0
    # Imported here: its tables take their time, and most texts do without them.
    from wcwidth import wcwidth

    return max(0, wcwidth(character))


@cache
def _is_widened(character: str) -> bool:
    from wcwidth import wcswidth, wcwidth

    return bool(character) and wcswidth(character + EMOJI) > wcwidth(character)


def safe(text: str) -> str:
    """Return one line with everything that would act on a terminal shown as a symbol instead.

    Tabs become blanks up to the next tab stop; escape and other control characters their
    pictures (␛); what would reorder the text after it, and what has no picture, its number;
    joiners that join nothing go.
    """
    if text.isprintable():
        return text
    first, *rest = text.split("\t")
    shown = "".join(map(_shown, first))
    for piece in rest:
        shown += " " * (TAB - cell_width(shown) % TAB) + "".join(map(_shown, piece))
    return STRAY_JOINERS.sub("", shown) if JOINER in shown else shown


def _shown(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if 0x80 <= code < 0xA0:
        return f"\\x{code:02x}"
    if 0x202A <= code < 0x202F or 0x2066 <= code < 0x206A:
        return f"\\u{code:04x}"
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
