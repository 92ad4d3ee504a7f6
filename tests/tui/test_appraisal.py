"""The user's own words beside a point: the sentence, and in it what made the tick."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quizapp.recall.matching import Finding, State
from quizapp.text.spans import Role, Span, plain
from quizapp.tui.appraisal import quoted

SAID = "Well.  It stays\nin registers, and [b]that[/b] is it."


def found(sentence: str, *words: str) -> Finding:
    start = SAID.index(sentence)
    places = tuple((SAID.index(word), SAID.index(word) + len(word)) for word in words)
    return Finding(State.TICKED, start, start + len(sentence), words=places)


def test_the_words_that_made_it_so_stand_out_in_their_sentence() -> None:
    spans = quoted(SAID, [found("It stays\nin registers", "stays", "registers")])
    assert spans == [
        Span("“", Role.MUTED),
        Span("It ", Role.MUTED),
        Span("stays", Role.STRONG),
        Span(" in ", Role.MUTED),
        Span("registers", Role.STRONG),
        Span("", Role.MUTED),
        Span("”", Role.MUTED),
    ]


def test_parts_said_in_one_sentence_quote_it_once() -> None:
    both = [
        found("It stays\nin registers", "stays"),
        found("in registers, and [b]that[/b] is it", "registers", "that"),
        found("Well"),
    ]
    spans = quoted(SAID, both)
    assert plain(spans) == "“Well … It stays in registers, and [b]that[/b] is it”"
    strong = [span.text for span in spans if span.role is Role.STRONG]
    assert strong == ["stays", "registers", "that"]


def test_nothing_found_quotes_nothing() -> None:
    assert quoted(SAID, []) == []


PLACES = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)))


@given(st.text("ab 中\n", min_size=1, max_size=60), PLACES)
def test_a_quotation_holds_all_that_was_said_and_no_more(
    answer: str, places: list[tuple[int, int]]
) -> None:
    ends = [sorted((min(a, len(answer)), min(b, len(answer)))) for a, b in places]
    finding = Finding(State.TICKED, 0, len(answer), words=tuple((a, b) for a, b in ends))
    text = plain(quoted(answer, [finding]))
    assert "\n" not in text
    assert "".join(text.split()) == "“" + "".join(answer.split()) + "”"
