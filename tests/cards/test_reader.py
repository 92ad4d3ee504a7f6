"""Every broken thing is one clear problem, nothing is dropped, and no text raises."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from quizapp.cards import yaml_tree
from quizapp.cards.model import Section
from quizapp.cards.problems import Severity
from quizapp.cards.reader import Reading, read
from quizapp.cards.writer import write

FRONT = "id: fusion\nlang: en\n"


def card(body: str = "", front: str = "") -> Reading:
    return read(f"---\n{FRONT}{front}---\n# Why?\n{body}", "fusion.en.md")


def told(reading: Reading) -> list[str]:
    return [str(problem) for problem in reading.problems]


def documented() -> str:
    """The example of the format's own documentation."""
    text = (Path(__file__).parents[2] / "docs" / "card-format.md").read_text("utf-8")
    return text.split("````markdown\n")[1].split("````")[0]


def test_the_documented_example_reads_without_a_problem():
    reading = read(documented(), "kernel-fusion.en.md")
    assert reading.problems == ()
    assert reading.draft is not None
    read_card = reading.draft.card
    assert [point.id for point in read_card.follow_ups[0].points] == ["F1.1", "F1.2"]
    assert read_card.points[0].parts[0].accept == (
        ("@intermediate", "@on-chip"),
        ("@data|@intermediate", "@less ~ @write", "!@still"),
    )
    assert read_card.calculations[0].variables[1].choices == (0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4)
    assert read_card.calculations[0].tolerance == 0.05
    assert read_card.false_statements[0].against == ("P2",)
    assert read_card.claims[1].demo == ""


def test_chinese_headings_open_the_same_sections():
    chinese = documented().replace("lang: en", "lang: zh")
    pairs = {
        "Concepts": "概念", "Diagram": "图解", "30-second answer": "30 秒回答", "By hand": "手算",
        "Cases": "情况", "Must-hit points": "必答点", "Follow-ups": "追问", "Sources": "来源",
    }  # fmt: skip
    for english, name in pairs.items():
        chinese = chinese.replace(f"## {english}\n", f"## {name}\n")
    reading = read(chinese, "kernel-fusion.zh.md")
    english_reading = read(documented(), "kernel-fusion.en.md")
    assert reading.problems == ()
    assert reading.draft is not None
    assert english_reading.draft is not None
    assert reading.draft.card.points == english_reading.draft.card.points
    assert reading.draft.card.cases == english_reading.draft.card.cases
    assert reading.draft.card.extra == ()


@pytest.mark.parametrize(
    "body",
    ["stray text", "## Cases\nstray text", "## Must-hit points\n- a {#P1}\n\nstray text",
     "## Concepts\nstray text\n### A {#a}\nb", "##\nstray text"],
)  # fmt: skip
def test_text_between_sections_is_kept_with_a_warning(body: str):
    reading = card(body)
    assert reading.draft is not None
    assert reading.draft.card.extra == (Section("", "stray text"),)
    line = f"---\n{FRONT}---\n# Why?\n{body}".split("\n").index("stray text") + 1
    assert [(p.line, p.severity) for p in reading.problems] == [(line, Severity.WARNING)]


def test_an_unknown_heading_is_kept_and_the_nearest_is_named():
    reading = card("## Folow-ups\n\ntext\n")
    assert reading.draft is not None
    assert reading.draft.card.extra == (Section("Folow-ups", "text"),)
    assert told(reading) == [
        "fusion.en.md:6: 'Folow-ups' is no section of the format. "
        "Did you mean 'Follow-ups'? It is kept and shown as it is"
    ]


def test_a_section_that_stands_twice_is_kept():
    reading = card("## Cases\n\n## Sources\n- a\n## Sources\n- b\n")
    assert reading.draft is not None
    assert reading.draft.card.extra == (Section("Sources", "- b"),)
    assert "stands twice, first on line 8" in told(reading)[0]


def test_a_heading_in_a_code_block_is_code():
    reading = card("## Diagram\n```text\n## Cases\n~~~\n```\n## 30-second answer\nyes")
    assert reading.problems == ()
    assert reading.draft is not None
    assert reading.draft.card.diagram == "```text\n## Cases\n~~~\n```"
    assert reading.draft.card.answer == "yes"


def test_an_open_code_block_does_not_swallow_the_rest():
    reading = card("## Diagram\n```text\nbox\n## 30-second answer\nyes")
    assert reading.draft is not None
    assert reading.draft.card.answer == "yes"
    assert told(reading) == [
        "fusion.en.md:7: the code block opened with ``` is never closed. "
        "Add a line ``` where it ends"
    ]


def test_line_ends_and_a_byte_order_mark_do_not_matter():
    plain = documented()
    expected = read(plain, "kernel-fusion.en.md").draft
    for text in ("\ufeff" + plain, plain.replace("\n", "\r\n"), plain.replace("\n", "\r")):
        reading = read(text, "kernel-fusion.en.md")
        assert reading.problems == ()
        assert reading.draft is not None
        assert expected is not None
        assert reading.draft.card == expected.card


def test_tabs_survive():
    reading = card("## 30-second answer\n\ta\tb\n## Must-hit points\n-\tone\n\ttwo\tthree {#P1}")
    assert reading.draft is not None
    assert reading.draft.card.answer == "\ta\tb"
    assert reading.draft.card.points[0].text == "one\ntwo\tthree"


@pytest.mark.parametrize(
    ("item", "text"),
    [
        ("- one {#P1}", "one"),
        ("* one\n  two {#P1}", "one\ntwo"),
        ("- one {#P1}\n  two", "one\ntwo"),
        ("1. one\ntwo {#P1}", "one\ntwo"),
        ("- one\n\n  two\n\n  {#P1}", "one\n\ntwo"),
        ("- one\n  - deep {#x}\n  - er {#P1}", "one\n- deep {#x}\n- er"),
        ("- one `{#x}` {#P1}", "one `{#x}`"),
        ("- ```text\n  - no item {#x}\n  ```\n  {#P1}", "```text\n- no item {#x}\n```"),
    ],
)
def test_a_point_is_a_list_item_with_its_id(item: str, text: str):
    reading = card(f"## Must-hit points\n\n{item}\n- last {{#P2}}\n")
    assert reading.problems == ()
    assert reading.draft is not None
    assert [(p.id, p.text) for p in reading.draft.card.points] == [("P1", text), ("P2", "last")]


def test_only_items_with_ids_at_the_end_of_a_text_are_its_points():
    body = "### Q {#f1}\ntext\n- plain\n- plain too\n\nmore\n- one {#F1}\n- two {#F2}\n"
    reading = card(f"## Follow-ups\n{body}")
    assert reading.problems == ()
    assert reading.draft is not None
    follow_up = reading.draft.card.follow_ups[0]
    assert follow_up.answer == "text\n- plain\n- plain too\n\nmore"
    assert [point.id for point in follow_up.points] == ["F1", "F2"]


def test_an_item_without_an_id_among_points_is_pointed_out():
    reading = card("## Follow-ups\n### Q {#f1}\n- plain\n- one {#F1}\n")
    assert [p.line for p in reading.problems] == [8]
    assert "has no id" in reading.problems[0].message


BROKEN = [
    # front matter, body, line, message, remedy
    ("wieght: 1", "", 4, "wieght is not a key", "known here are"),
    ("poins: {}", "", 4, "poins is not a key", "did you mean points?"),
    ("deck: a\ndeck: b", "", 5, "deck is given twice, first on line 4", "remove one"),
    ("deck: [a]", "", 4, "a list stands where a text is expected", "quotes"),
    ("tags: a", "", 4, "the text 'a' stands where a list", "[first, second]"),
    ("after: [a b]", "", 4, "'a b' is no id", "use letters"),
    ("deck: *a", "", 4, "*a is a YAML alias", "write the value out"),
    ("deck: &a b", "", 4, "&a is a YAML anchor", "remove it"),
    ("deck: !x b", "", 4, "!x is a YAML tag", "remove it"),
    ("points:\n  P1: {weight: -1}", "", 5, "'-1' is not above 0", "such as 0.5"),
    ("points:\n  P1: {weight: much}", "", 5, "'much' is no number", "digits"),
    ("points:\n  P1: {weight: .inf}", "", 5, "'.inf' is no number", "digits"),
    ("points:\n  P1: {core: maybe}", "", 5, "neither true nor false", "write true"),
    ("points:\n  P1: 3", "", 5, "the text '3' stands here", "weight, core, needs, parts"),
    ("points:\n  P 1: {}", "", 5, "'P 1' is no id", "letters"),
    ("points: [P1]", "", 4, "a list stands here", "use ids as keys"),
    ("points:\n  P1:\n    parts:\n      a: {accept: [x]}", "", 7, "'x' stands", "[[one, two]"),
    ("? [a]\n: b", "", 4, "a list or a mapping stands as a key", "quotes"),
    ("calculations:\n  c: {tolerance: 5}", "", 5, "'5' is no share", "write 5%"),
    ("calculations:\n  c:\n    variables:\n      n: {range: [1, 0, 1]}", "", 7, "range", "[0.5, 4"),
    ("calculations:\n  c:\n    variables:\n      n: {range: [0, 9, 1e-9]}", "", 7, "1000", "step"),
    ("calculations:\n  c:\n    slips:\n      - {means: m}", "", 7, "no formula", "formula"),
    ("calculations:\n  main: {}", "", 5, "the id main is the main answer's", "its own"),
    ("deck: 'a", "", 4, "not YAML", "quotes"),
    ("deck: a: b", "", 4, "not YAML", "quotes"),
    ("\tdeck: a", "", 4, "not YAML", "indent with spaces"),
    ("deck: [[[[[[[[[[[[[[[a]]]]]]]]]]]]]]]", "", 4, "nested too deeply", "levels"),
    ("", "## Must-hit points\n- one", 7, "has no id", "{#P1}"),
    ("", "## Must-hit points\n- {#P1}", 7, "no text", "before its id"),
    ("", "## Must-hit points\n- a {#P1}\n- b {#P1}", 8, "stands already on line 7", "its own"),
    ("", "## Concepts\n### A\nb", 7, "has no id", "{#concept-1}"),
    ("", "## Concepts\n### {#a}\nb", 7, "a heading is empty", "after ###"),
    ("", "## Concepts\n### A {#main}\nb", 7, "main is the id of the main answer", "another id"),
    ("", "## Cases\n|a|b|c|\n|-|-|-|\n|x|y|z|", 9, "has no id", "{#case-1}"),
    ("", "## Cases\n|a|b|c|\n|-|-|-|\n|x {#x}|y|", 9, "has 2 cells and not 3", "\\|"),
    ("", "## Cases\n|a|b|c|\n|-|-|-|\n|x {#x}|y|z|w|", 9, "has 4 cells and not 3", "\\|"),
    ("", "##Cases\n", 6, "'##Cases' is not a heading", "a space"),
]  # fmt: skip


@pytest.mark.parametrize(("front", "body", "line", "message", "remedy"), BROKEN)
def test_a_broken_thing_is_one_clear_problem(
    front: str, body: str, line: int, message: str, remedy: str
):
    start = body if body != "##Cases\n" else "## Diagram\n##Cases\n"
    reading = card(start, f"{front}\n" if front else "")
    line += start != body
    found = [p for p in reading.problems if message in p.message]
    assert [p.line for p in found] == [line], told(reading)
    assert remedy in found[0].remedy
    assert len([p for p in reading.problems if p.severity is Severity.ERROR]) <= 1


@pytest.mark.parametrize(
    ("text", "path", "message"),
    [
        ("", "a.en.md", "does not begin with its front matter"),
        ("# Title\n", "a.en.md", "does not begin with its front matter"),
        ("---\nid: a\n", "a.en.md", "never closed"),
        ("---\nlang: en\n---\n# T\n", "a.en.md", "has no id"),
        ("---\nid: a\n---\n# T\n", "a.md", "the language is missing"),
        ("---\nid: a\nlang: fr\n---\n# T\n", "a.md", "'fr' is no language"),
        ("---\nid: a b\n---\n# T\n", "a.en.md", "'a b' is no id"),
        ("---\n---\n# T\n", "a.en.md", "has no id"),
        ("---\n- a\n---\n# T\n", "a.en.md", "a list stands here"),
        ("---\nid: \x00\n---\n", "a.en.md", "not YAML"),
        ("---\nid: \ud800\n---\n", "a.en.md", "not YAML"),
        ("---\nid: a\nlang: zh\n---\n# T\n", "a.en.md", "the file's name says en"),
        ("---\nid: a\n---\n", "a.en.md", "the card has no title"),
    ],
)
def test_a_file_that_does_not_say_what_it_is(text: str, path: str, message: str):
    problems = read(text, path).problems
    assert [p for p in problems if message in p.message], problems


def test_a_missing_value_says_nothing():
    reading = card(front="deck:\ntags:\npoints:\n  P1:\n    parts:\n")
    assert reading.problems == ()


def test_every_scalar_is_the_text_as_written():
    reading = card(front="deck: 1e3\ntags: [no, 007, 1_000, ~, 2026-12-01]\n")
    assert reading.draft is not None
    assert reading.draft.card.deck == "1e3"
    assert reading.draft.card.tags == ("no", "007", "1_000", "~", "2026-12-01")


def test_yaml_reads_the_same_without_its_c_library(monkeypatch: pytest.MonkeyPatch):
    fast = read(documented(), "a.en.md").draft
    monkeypatch.setattr(yaml_tree, "_Loader", yaml.SafeLoader)
    assert read(documented(), "a.en.md").draft == fast
    for front in ("deck: *a", "deck: 'a", "a: " + "[" * 500, "deck: \x00", "\tdeck: a"):
        reading = card(front=f"{front}\n")
        assert len(reading.problems) == 1
        assert "front matter" in str(reading.problems[0]) or "alias" in str(reading.problems[0])


pieces = st.sampled_from(
    [
        "---\n", "id: a\n", "lang: en\n", "points:\n", "  P1:\n", "    weight: ", "[", "]", "{",
        "}", "- ", "* ", "# ", "## ", "### ", "```", "~~~\n", "\n", "\n\n", "|", "|---|\n", "{#a}",
        "Cases\n", "Concepts\n", "必答点\n", "追问\n", "Sources\n", "\t", "  ", "&a ", "*a", "!b ",
        "? ", ": ", "false:\n", "calculations:\n", "  c: {range: [1, 2, 0.1]}\n", "\\", "1. ",
        "\r", "\ufeff", "\x00", "\ud800", "%YAML 9.9\n", "...\n", "'", '"', "> ", "text ",
    ]
)  # fmt: skip

lines = st.sampled_from(documented().split("---\n", 2)[2].splitlines(keepends=True))


@settings(deadline=None, max_examples=300)
@given(st.lists(pieces | lines | st.text(max_size=3), max_size=40).map("".join), st.booleans())
@example("[" * 100_000, True)
@example("- " * 100_000, True)
@example("{a: " * 50_000, True)
@example("## \n```\n" * 2000, False)
@example("- ```x\n" * 5000, False)
def test_no_text_raises(text: str, in_front: bool):
    whole = f"---\n{FRONT}{text}\n---\n# T\n" if in_front else f"---\n{FRONT}---\n{text}"
    for each in (text, whole):
        reading = read(each, "a.en.md")
        assert reading.draft is not None or reading.problems
        assert all(1 <= p.line <= each.count("\n") + each.count("\r") + 2 for p in reading.problems)
        if reading.draft is not None:
            str(reading.draft.card)


@settings(deadline=None, max_examples=300)
@given(st.lists(pieces | lines | st.text(max_size=3), max_size=40).map("".join))
def test_a_file_without_errors_is_written_back_as_the_same_card(text: str):
    reading = read(f"---\n{FRONT}---\n# T\n{text}", "a.en.md")
    if reading.draft is None or any(p.severity is Severity.ERROR for p in reading.problems):
        return
    again = read(write(reading.draft.card), "a.en.md")
    assert again.draft is not None
    assert again.draft.card == reading.draft.card
