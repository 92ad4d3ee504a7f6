"""What the writer writes, the reader reads back, whatever an author puts into a card."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quizapp.cards import model
from quizapp.cards.reader import read
from quizapp.cards.writer import write

HOSTILE = [
    "no", "1e3", "~", "null", ": #", "a: b", "# x", "## x", "- x", "1. x", "{#x}", "a {#x}",
    "a|b", "a\\|b", "\\", "[/b]", "[red]", "{n}", "*x*", "&x", "!x", "%", "@x", "`x", "'", '"',
    "---", "...", "|", ">", "|---|---|---|", "中文:全角", "显存 {#P1}", "\x1b[31m", "\t", "é",
    "\u2028", "\u0085", "\ufeff", "😀", "<br>", "&amp;", " ", "　", "\x00", "true", "on",
    "=", "==", "> q", "```", "~~~", "`` ` ``", "| a | b |", "\\## x", "{\\#x}",
]  # fmt: skip

words = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), max_size=6),
)
any_line = st.lists(words, max_size=4).map(" ".join)
any_text = st.lists(any_line, max_size=5).map("\n".join)

one_line = any_line.map(str.strip).filter(bool)

_STRUCTURE = re.compile(r"^#{1,3}(\s|$)|```|~~~", re.MULTILINE)
_LAST_ID = re.compile(r"\{#[\w.-]+\}\s*$", re.MULTILINE)


def trimmed(text: str) -> str:
    """Drop blank lines at the ends, as no section begins or ends with one."""
    lines = text.rstrip().split("\n")
    return "\n".join(itertools.dropwhile(lambda line: not line.strip(), lines))


section = any_text.map(trimmed).filter(lambda text: not _STRUCTURE.search(text))
prose = section.filter(lambda text: not _LAST_ID.search(text))
item = any_text.map(str.strip).filter(lambda text: text and not re.search("```|~~~", text))
value = any_text | any_text.map(lambda text: text.replace("\n", "\r\n"))
values = st.lists(value, max_size=3).map(tuple)
groups = st.lists(values, max_size=3).map(tuple)
finite = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def points(draw: st.DrawFn, ids: st.SearchStrategy[str], text: st.SearchStrategy[str]):
    return model.Point(
        id=draw(ids),
        text=draw(text),
        weight=draw(st.just(1.0) | st.floats(0, 100, exclude_min=True)),
        core=draw(st.booleans()),
        needs=draw(value),
        parts=tuple(
            model.Part(f"{name}", draw(groups), draw(values), draw(values))
            for name in draw(st.lists(st.sampled_from(["P1a", "no", "1e3", "x-1._"]), unique=True))
        ),
    )


@st.composite
def calculations(draw: st.DrawFn, ids: st.SearchStrategy[str]):
    names = draw(st.lists(st.sampled_from(["n", "size", "y", "off"]), unique=True))
    formulas = draw(st.lists(value.filter(bool), unique=True, max_size=2))
    return model.Calculation(
        id=draw(ids),
        ask=draw(value),
        formula=draw(value),
        unit=draw(value),
        tolerance=draw(st.floats(0, 1, exclude_min=True, exclude_max=True)),
        variables=tuple(
            model.Variable(name, draw(value), tuple(draw(st.lists(finite, max_size=3))))
            for name in names
        ),
        solution=draw(value),
        slips=tuple(model.Slip(formula, draw(value)) for formula in formulas),
    )


@st.composite
def cards(
    draw: st.DrawFn,
    line: st.SearchStrategy[str] = one_line,
    block: st.SearchStrategy[str] = section,
    text: st.SearchStrategy[str] = prose,
    listed: st.SearchStrategy[str] = item,
):
    counter = itertools.count(1)
    ids = st.sampled_from(["c", "no", "1e", "F1.", "x_-"]).map(
        lambda head: f"{head}{next(counter)}"
    )
    some = lambda strategy: draw(st.lists(strategy, max_size=2).map(tuple))  # noqa: E731
    own = some(points(ids, listed))
    heading = st.sampled_from(["History", "参考 {#x}", "C #", "[b]"])
    preamble = draw(block)
    return model.Card(
        id=draw(ids),
        lang=draw(st.sampled_from(model.Lang)),
        title=draw(line),
        deck=draw(value),
        tags=draw(values),
        after=some(ids),
        concepts=some(
            st.builds(model.Concept, ids, line, text, st.lists(points(ids, listed)).map(tuple))
        ),
        diagram=draw(block),
        answer=draw(block),
        by_hand=draw(block),
        calculations=some(calculations(ids)),
        cases=some(st.builds(model.Case, ids, line, line | st.just(""), line | st.just(""))),
        points=own,
        follow_ups=some(
            st.builds(model.FollowUp, ids, line, text, st.lists(points(ids, listed)).map(tuple))
        ),
        false_statements=some(
            st.builds(
                model.FalseStatement, ids, value, st.lists(ids).map(tuple), groups, values, values
            )
        ),
        claims=some(st.builds(model.Claim, ids, value, value, value, values, value)),
        sources=some(st.builds(model.Source, listed)),
        extra=((model.Section("", preamble),) if preamble else ())
        + some(st.builds(model.Section, heading, block)),
    )


slowly = settings(
    deadline=None,
    max_examples=80,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def back(card: model.Card) -> model.Card:
    reading = read(write(card), "x.md")
    assert reading.draft is not None, reading.problems
    return reading.draft.card


@slowly
@given(cards())
def test_the_reader_gives_back_the_card_that_was_written(card: model.Card):
    assert back(card) == card


@slowly
@given(cards(any_line, any_text, any_text, any_text))
def test_writing_again_changes_nothing(card: model.Card):
    once = back(card)
    assert back(once) == once
    assert write(once) == write(back(once))


@given(values)
def test_other_yaml_readers_take_texts_for_texts(tags: tuple[str, ...]):
    front = write(replace(CARD, tags=tags)).split("---\n\n# Why?")[0]
    assert tuple(yaml.safe_load(front).get("tags", ())) == tags


CARD = model.Card("fusion", model.Lang.EN, "Why?")


def test_a_heading_in_a_text_is_shown_and_not_obeyed():
    written = write(replace(CARD, answer="Before\n## Cases\nafter"))
    assert "\n\\## Cases\n" in written
    assert (
        back(replace(CARD, answer="Before\n## Cases\nafter")).answer == "Before\n\\## Cases\nafter"
    )


def test_a_heading_in_a_code_block_stays_as_it_is():
    code = "```md\n## Cases\n| a |\n- b {#P1}\n```"
    assert back(replace(CARD, answer=code)).answer == code


def test_an_item_that_looks_like_a_point_stays_text():
    concept = model.Concept("c1", "Name", "Text\n\n- one {#P9}", ())
    read_back = back(replace(CARD, concepts=(concept,))).concepts[0]
    assert read_back.points == ()
    assert read_back.text == "Text\n\n- one {\\#P9}"


def test_a_bar_in_a_cell_is_kept():
    case = model.Case("c1", "a|b", "x\\|y", "`|`")
    assert "| a\\|b {#c1} | x\\\\|y | `\\|` |" in write(replace(CARD, cases=(case,)))
    assert back(replace(CARD, cases=(case,))).cases == (case,)


def test_the_front_matter_reads_as_a_person_would_write_it():
    point = model.Point(
        "P1", "Say it.", core=True, needs="P1a", parts=(model.Part("P1a", (("@a",),)),)
    )
    written = write(replace(CARD, deck="gpu", tags=("no", "memory-bound"), points=(point,)))
    assert written == (
        "---\nid: fusion\nlang: en\ndeck: gpu\n"
        'tags: ["no", memory-bound]\n'
        "points:\n  P1:\n    core: true\n    needs: P1a\n    parts:\n      P1a:\n"
        '        accept: [["@a"]]\n'
        "---\n\n# Why?\n\n## Must-hit points\n\n- Say it. {#P1}\n"
    )


def test_sections_are_headed_in_the_language_of_the_card():
    written = write(replace(CARD, lang=model.Lang.ZH, answer="留在片上。"))
    assert written.endswith("## 30 秒回答\n\n留在片上。\n")
