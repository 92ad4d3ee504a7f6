"""Which lines are headings, and of which part."""

from __future__ import annotations

import pytest

from quizapp.cards.importing.headings import blocks, recognise
from quizapp.cards.importing.lines import page_lines
from quizapp.cards.sections import HEADINGS, Place


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("先弄清楚:每个概念是什么", Place.CONCEPTS),
        ("核心概念", Place.CONCEPTS),
        ("## Key concepts", Place.CONCEPTS),
        ("1. Glossary", Place.CONCEPTS),
        ("看图：中间结果还过不过 HBM", Place.DIAGRAM),
        ("Diagram:", Place.DIAGRAM),
        ("３０秒回答", Place.ANSWER),
        ("30 秒回答（英文）", Place.ANSWER),
        ("**30-second answer**", Place.ANSWER),
        ("Thirty second answer", Place.ANSWER),
        ("为什么快:手算一遍", Place.BY_HAND),
        ("### By hand", Place.BY_HAND),
        ("适合融什么,什么时候反而慢", Place.CASES),
        ("When it helps and when it hurts", Place.CASES),
        ("必答点：", Place.POINTS),
        ("【必答点】", Place.POINTS),
        ("📌 必答点", Place.POINTS),
        ("五、必答点", Place.POINTS),
        ("#### Must-hit points ####", Place.POINTS),
        ("##追问", Place.FOLLOW_UPS),
        ("面试官可能的追问", Place.FOLLOW_UPS),
        ("Follow-up questions", Place.FOLLOW_UPS),
        ("来源", Place.SOURCES),
        ("References:", Place.SOURCES),
    ],
)
def test_headings_of_parts(line: str, place: Place) -> None:
    found = recognise(page_lines(line)[0])
    assert found is not None
    assert (found.place, found.behind) == (place, "")


@pytest.mark.parametrize("name", [n for names in HEADINGS.values() for n in names.values()])
def test_every_heading_of_a_card_is_one_of_a_page(name: str) -> None:
    found = recognise(page_lines(f"## {name}")[0])
    assert found is not None
    assert found.exact


@pytest.mark.parametrize(
    ("line", "behind"),
    [
        ("来源FlashVector §5.2(Case 2)· Unity JD", "FlashVector §5.2(Case 2)· Unity JD"),
        ("来源：一篇论文", "一篇论文"),
        ("Sources: a talk", "a talk"),
        ("**参考**：https://x.y/z", "https://x.y/z"),
        ("出处《CUDA 编程》", "《CUDA 编程》"),
    ],
)
def test_sources_glued_to_their_heading(line: str, behind: str) -> None:
    found = recognise(page_lines(line.replace("**", ""))[0])
    assert found is not None
    assert (found.place, found.behind) == (Place.SOURCES, behind)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "Source code is what the compiler reads",
        "参考 Nsight 的输出",
        "来源不明的数字不要用",
        "适合 memory bound 的链",
        "Concepts matter, and so does practice.",
        "什么时候反而变慢?",
        "- 适合什么看 profile",
        "情况很复杂,要看 profile 才知道到底哪一个 kernel 占了时间,哪一个没有,不能一概而论",
        "| 情况 | 结果 | 原因 |",
        "情况\t结果\t原因",
        "#必须先 profile",
        "Points of interest lie elsewhere",
    ],
)
def test_what_is_no_heading(line: str) -> None:
    assert recognise(page_lines(line)[0]) is None


def parts(page: str) -> list[tuple[Place | None, int]]:
    """Each headed block's part and its number of lines."""
    return [(b.heading.place, len(b.lines)) for b in blocks(page_lines(page)) if b.heading]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("## Follow-ups\n### When does it fail?\nx\n### Cases?\ny", [(Place.FOLLOW_UPS, 4)]),
        ("追问\n### 什么时候变慢?\nx", [(Place.FOLLOW_UPS, 2)]),
        ("## Follow-ups\n## Does it fail?\nx", [(Place.FOLLOW_UPS, 2)]),
        ("## Concepts\n### Source\nx\n## Sources\ny", [(Place.CONCEPTS, 2), (Place.SOURCES, 1)]),
        ("# Concepts\n## Points\nx", [(Place.CONCEPTS, 0), (Place.POINTS, 1)]),
        ("概念\n### 必答点\nx", [(Place.CONCEPTS, 0), (Place.POINTS, 1)]),
        ("## Notes\n### Deep\nx\n## Cases", [(None, 2), (Place.CASES, 0)]),
        ("### By hand\n#### Step\nx\n### Notes\ny", [(Place.BY_HAND, 2), (None, 1)]),
        ("适合什么\nx\n适合什么不适合\ny", [(Place.CASES, 3)]),
        ("```\n## Cases\n```", []),
    ],
)
def test_what_a_heading_opens(page: str, expected: list[tuple[Place | None, int]]) -> None:
    assert parts(page) == expected
