"""What stands inside a paragraph: emphasis, code, links, breaks, as spans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markdown_it.token import Token

from quizapp.text.cells import cell_width, safe
from quizapp.text.spans import Line, Role, Span, joined

OPENING = {
    "strong_open": Role.STRONG,
    "em_open": Role.EMPHASIS,
    "link_open": Role.LINK,
    "s_open": Role.MUTED,
}


def inline_rows(children: Sequence[Token]) -> Iterator[Line]:
    """Yield the lines that hard breaks make of a paragraph."""
    row: list[Token] = []
    for token in children:
        if token.type == "hardbreak":
            yield inline_line(row)
            row = []
        else:
            row.append(token)
    yield inline_line(row)


def inline_line(children: Sequence[Token]) -> Line:
    """Return the tokens of a paragraph as one line; a link shows its address behind its text."""
    return joined(_spans(children))


def _spans(children: Sequence[Token]) -> Iterator[Span]:
    roles = [Role.TEXT]
    addresses: list[str] = []
    shown = before = ""
    for index, token in enumerate(children):
        if token.type in OPENING:
            roles.append(OPENING[token.type])
            if token.type == "link_open":
                addresses.append(str(token.attrs.get("href", "")))
                shown = ""
        elif token.type.endswith("_close"):
            roles.pop()
            if token.type == "link_close" and (address := addresses.pop()) != shown:
                yield Span(f" <{safe(address)}>", Role.MUTED)
        elif token.type == "softbreak":
            yield Span(_seam(before, children[index + 1 :]), roles[-1])
        else:
            text, role = _leaf(token, roles[-1])
            shown += text
            before = text or before
            yield Span(text, role)


def _leaf(token: Token, role: Role) -> Span:
    if token.type == "code_inline":
        return Span(safe(token.content), Role.CODE)
    if token.type == "image":
        address = str(token.attrs.get("src", ""))
        return Span(f"[{safe(token.content)}] <{safe(address)}>", Role.MUTED)
    return Span(safe(token.content), role)


def _seam(before: str, following: Sequence[Token]) -> str:
    """Return what the end of a line in the file stands for: nothing between Chinese, or a blank."""
    after = next((token.content for token in following if token.content), "")
    wide = before and after and cell_width(before[-1]) == 2 and cell_width(after[0]) == 2
    return "" if wide else " "
