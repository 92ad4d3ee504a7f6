"""The report: nothing is taken off without its reason, and what stands in it is only text."""

from __future__ import annotations

import re
from dataclasses import fields
from datetime import UTC, timedelta, timezone
from html.parser import HTMLParser
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from quizapp.cards.model import Lang
from quizapp.interview import events
from quizapp.interview.events import Manner, Summary
from quizapp.interview.markdown import literal, markdown
from quizapp.interview.options import Languages, Level, Options
from quizapp.interview.page import page
from quizapp.interview.report import Earlier, Report, Said, pace, report
from quizapp.interview.scoring import Reason
from quizapp.interview.state import Phase
from quizapp.interview.wording import CHINESE, ENGLISH, wording
from tests.interview.world import NOON, Interview, material, to_the_end

GOOD = "the intermediates stay in registers and the flops do not change"


def sat(answer: str = GOOD, **choices: object) -> Interview:
    options = Options(decks=("test",), length=1, **choices)  # type: ignore[arg-type]
    interview = Interview(options, material(options))
    interview.answer(answer)
    return interview


def made(interview: Interview) -> Report:
    to_the_end(interview)
    return report(interview.state, NOON)


def test_what_is_taken_off_adds_up_to_what_is_missing() -> None:
    interview = sat("it saves time with fewer flops, in registers")
    interview.accept(false=["X1"])
    for one in made(interview).questions:
        assert one.mark.value + sum(lost.amount for lost in one.mark.lost) == pytest.approx(1)
        told = [lost for line in one.lines for lost in line.lost]
        shown = sum(lost.amount for lost in (*told, *one.whole)) + sum(f.lost for f in one.false)
        assert shown == pytest.approx(1 - one.mark.value)


def test_missed_core_points_come_first_and_said_ones_with_the_candidates_words() -> None:
    interview = sat("the flops do not change at all")
    lines = made(interview).questions[0].lines
    assert [(line.point, line.said) for line in lines] == [("P1", Said.MISSED), ("P2", Said.SAID)]
    assert lines[0].core
    assert lines[1].words == "the flops do not change at all"


def test_a_contradicted_point_says_so_and_the_false_words_are_quoted() -> None:
    interview = sat("the intermediates stay in registers so there are fewer flops")
    interview.accept(false=["X1"])
    one = made(interview).questions[0]
    assert {line.point: line.said for line in one.lines}["P2"] is Said.CONTRADICTED
    assert [false.id for false in one.false] == ["X1"]
    assert "fewer flops" in one.false[0].words


def test_what_to_study_is_what_was_missed_most_first() -> None:
    interview = sat("the flops do not change")
    found = made(interview)
    marks = {one.turn.question.prompt: one.mark.value for one in found.questions}
    assert found.study
    assert [marks[key] for key in found.study] == sorted(marks[key] for key in found.study)
    assert all(marks[key] < 0.8 for key in found.study)


def test_pace_counts_words_of_both_scripts_and_fillers() -> None:
    interview = sat("um 中间结果 stay in registers, you know, 嗯 and the flops don't change")
    found = pace(interview.state.turns[0])
    assert (found.words, found.fillers) == (16, 3)
    assert found.a_minute == pytest.approx(60 * 16 / 10)


@pytest.mark.parametrize(("text", "seconds"), [(GOOD, 0.5), ("in registers", 10.0)])
def test_no_pace_of_what_was_pasted_or_is_short(text: str, seconds: float) -> None:
    options = Options(decks=("test",), length=1)
    interview = Interview(options, material(options))
    interview.answer(text, seconds)
    assert pace(interview.state.turns[0]).a_minute is None


def test_an_answer_said_aloud_has_a_time_and_no_pace() -> None:
    options = Options(decks=("test",), length=1)
    interview = Interview(options, material(options))
    interview.happen(events.Answered("", Manner.SPOKEN), 33)
    found = pace(interview.state.turns[0])
    assert (found.seconds, found.over, found.a_minute) == (33, 3, None)


def test_the_time_of_the_first_word_is_known_only_if_it_was_seen() -> None:
    options = Options(decks=("test",), length=1)
    interview = Interview(options, material(options))
    interview.happen(events.Drafted("x", as_typed=False), 5)
    assert interview.state.turns[0].first_word is None
    interview.happen(events.Drafted("xy"), 2)
    assert interview.state.turns[0].first_word == 7


@pytest.mark.parametrize("languages", list(Languages))
@pytest.mark.parametrize("level", list(Level))
def test_every_interview_can_be_written_out(languages: Languages, level: Level) -> None:
    options = Options(length=3, languages=languages, level=level)
    interview = Interview(options, material(options))
    while interview.state.phase is not Phase.OVER:
        if interview.state.phase is Phase.PROVING:
            interview.happen(events.Proved("refuted", "record", "GPU", "ratio = 2.0"))
        elif interview.state.phase is Phase.TICKING:
            interview.accept()
        else:
            interview.answer("12 ms")
    summed = Summary(0.5, 0.5, None, 1.0, 4, 60.0)
    found = report(interview.state, NOON, [Earlier(NOON - timedelta(days=1), summed)])
    text = markdown(found, timezone(timedelta(hours=8)))
    texts = wording(languages.answers)
    assert text.startswith(f"# {texts.title} · 2026-03-02 20:00")
    assert texts.earlier in text
    assert "2026-03-01 20:00" in text
    assert not re.search(r"(?<!\\)\{[a-z_]+\}", text), "a text that was not filled in"
    assert ("**refuted**" in text or "**被推翻**" in text) == bool(found.proofs)


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.addresses: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src")]

    def handle_data(self, data: str) -> None:
        self.text += data


NASTY = '<script>alert(1)</script> [x](http://e.org) ![y](http://e.org/y) | a | b | # `c` "d" &amp;'


def test_the_page_stands_alone_and_shows_an_answer_as_it_was_given() -> None:
    tags = _Tags()
    tags.feed(page(made(sat(f"{NASTY}\n- one\n1. two\n\n{GOOD}")), UTC))
    assert "script" not in tags.seen
    assert tags.addresses == []
    shown = " ".join(tags.text.split())
    assert " ".join(NASTY.split()) in shown
    assert "- one 1. two" in shown


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1))
def test_literal_text_comes_out_as_it_went_in(text: str) -> None:
    tags = _Tags()
    tags.feed(MarkdownIt("commonmark", {"html": False}).enable("table").render(literal(text)))
    assert tags.text.strip() == text


def test_both_languages_have_the_same_texts_with_the_same_fields() -> None:
    assert ENGLISH.lang is Lang.EN
    assert CHINESE.lang is Lang.ZH
    for field in fields(ENGLISH):
        one, other = getattr(ENGLISH, field.name), getattr(CHINESE, field.name)
        if isinstance(one, dict):
            assert one.keys() == other.keys(), field.name
            kinds = {type(key) for key in one} - {str}
            assert all(set(one) == set(kind) for kind in kinds), field.name
        elif isinstance(one, str) and field.name not in ("setup", "lang"):
            assert _fields(one) == _fields(other), field.name
    assert set(ENGLISH.reasons) == set(Reason)


def _fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}
