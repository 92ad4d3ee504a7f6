"""Study pages in every dress: understood where they can be, and never a word lost."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizapp.cards.importing import Imported, import_page
from quizapp.cards.importing.headings import recognise
from quizapp.cards.importing.lines import page_lines
from quizapp.cards.kinds import Lang
from quizapp.cards.reader import read
from quizapp.cards.writer import write

PLAIN = """\
Kernel fusion 为什么快?
什么时候反而变慢?
先弄清楚:每个概念是什么
- Kernel fusion
- 把几个 kernel 合成一个。
- 中间结果
- 上一个 kernel 的输出。
看图:中间结果还过不过 HBM
30 秒回答
Fusion merges several kernels into one.
为什么快:手算一遍
三个一共 6 GB,融合后一共 2 GB。
适合融什么,什么时候反而慢
| 情况 | 结果 | 原因 |
|---|---|---|
| 一串 element-wise | 快 | memory bound |
| 大 GEMM | 变慢 | 失去厂商库 |
必答点
- 中间结果不写回 HBM
- FLOPs 不变
追问
怎么判断哪一串适合融合?
先 profile。
kernel 快了 3.6 倍,线上就快 3.6 倍吗?
不会。
来源FlashVector §5.2 · ml-八股 08
"""
MARKDOWN = """\
# What is a bank conflict?

## Glossary

**Bank**: one of 32 slices of shared memory.
**Conflict** - two lanes of a warp ask one bank for different words.

## 30-second answer

Lanes that hit one bank wait for each other.

They are served one after another.

## Cases

Situation\tResult\tWhy
stride 1\tfast\tevery lane has a bank of its own
stride 32\tslow\tall lanes hit one bank

## Must-hit points

1. 32 banks, 4 bytes each
2. an n-way conflict costs n times
   as much

## Follow-ups

### How do you remove it?

Pad the row to 33.

```python
tile = [[0] * 33]
## no heading
```

### Does a broadcast conflict?

No.

## Sources

- a talk
"""


def counts(imported: Imported) -> list[int]:
    card = imported.card
    return [
        len(card.concepts),
        len(card.cases),
        len(card.points),
        len(card.follow_ups),
        len(card.sources),
    ]


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"[a-z0-9]+|[\u3400-\u9fff]", text.lower()))


def lost(page: str, imported: Imported) -> Counter[str]:
    """Words of the page that are neither in the written card nor in a note."""
    kept = words(write(imported.card)) + words(" ".join(note.text for note in imported.notes))
    for line in page_lines(page):
        found = recognise(line)
        if found and found.exact:
            kept += words(found.title)  # the card has its own word for that part
    return words(page) - kept


def test_the_page_the_project_began_with(shared: Path) -> None:
    page = (shared / "material" / "kernel-fusion-page.txt").read_text(encoding="utf-8")
    done = import_page(page, "kernel-fusion-page")
    assert counts(done) == [4, 4, 6, 5, 5]
    assert done.card.lang is Lang.ZH
    assert done.card.title == "Kernel fusion 为什么快? 什么时候反而变慢?"
    assert "2,039 GB/s" in done.card.by_hand
    assert lost(page, done) == Counter()
    assert any(note.line == 12 and "nothing stands" in note.text for note in done.notes)


def test_plain_text() -> None:
    done = import_page(PLAIN, "fusion")
    assert counts(done) == [2, 2, 2, 2, 2]
    assert [concept.name for concept in done.card.concepts] == ["Kernel fusion", "中间结果"]
    assert done.card.follow_ups[0].answer == "先 profile。"
    assert done.card.cases[1].reason == "失去厂商库"


def test_markdown_with_tabs_code_and_bold_terms() -> None:
    done = import_page(MARKDOWN, "bank conflict")
    assert done.card.id == "bank-conflict"
    assert done.card.lang is Lang.EN
    assert counts(done) == [2, 2, 2, 2, 1]
    assert [concept.name for concept in done.card.concepts] == ["Bank", "Conflict"]
    assert done.card.points[1].text == "an n-way conflict costs n times as much"
    assert "## no heading" in done.card.follow_ups[0].answer
    assert "\n\nThey are served" in done.card.answer


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\n\n"),
        lambda text: text.translate(str.maketrans(",:?", "，：？")),
        lambda text: text.translate(str.maketrans("，：？", ",:?")),
        lambda text: text.replace("- ", "* "),
        lambda text: text.replace("- ", "\t- "),
        lambda text: "\n\n\n" + text + "\n\n",
        lambda text: text.replace("必答点", "**必答点**：").replace("追问", "**追问**"),
        lambda text: text.replace("必答点", "## 必答点").replace("追问", "## 追问"),
        lambda text: text.replace("必答点", "Must-hit points").replace("追问", "Follow-ups"),
    ],
    ids=[
        "crlf",
        "bom",
        "blank",
        "full",
        "half",
        "star",
        "tab",
        "edges",
        "bold",
        "marks",
        "english",
    ],
)
@pytest.mark.parametrize("page", [PLAIN, MARKDOWN], ids=["plain", "markdown"])
def test_the_dress_of_a_page_does_not_matter(page: str, change: object) -> None:
    changed = change(page)  # type: ignore[operator]
    done = import_page(changed, "page")
    assert counts(done)[2:4] == [2, 2]
    assert counts(done)[1] == 2
    assert lost(changed, done) == Counter()


SECTIONS = re.split(r"\n(?=先弄清楚|看图|30 秒|为什么快:|适合|必答点|追问|来源)", PLAIN.strip())


@given(st.permutations(SECTIONS[1:]), st.sets(st.integers(0, 7)))
@settings(max_examples=150, deadline=None)
def test_parts_may_be_missing_and_in_any_order(order: list[str], gone: set[int]) -> None:
    chosen = [section for number, section in enumerate(order) if number not in gone]
    page = "\n".join([SECTIONS[0], *chosen])
    done = import_page(page, "page")
    assert lost(page, done) == Counter()
    assert bool(done.card.points) == any(section.startswith("必答点") for section in chosen)
    assert bool(done.card.follow_ups) == any(section.startswith("追问") for section in chosen)
    assert bool(done.card.cases) == any(section.startswith("适合") for section in chosen)


@given(st.text(alphabet=st.sampled_from("ab 中文#|*-`?？:：。.\n\t\r[]{}()0123追问来源必答点")))
@settings(max_examples=400, deadline=None)
def test_no_text_raises_and_no_word_is_lost(page: str) -> None:
    done = import_page(page, "any page")
    assert lost(page, done) == Counter()
    reading = read(write(done.card), f"any-page.{done.card.lang}.md")
    assert reading.draft is not None
    assert write(reading.draft.card) == write(done.card)


def test_what_is_not_understood_is_told_with_its_line_and_kept() -> None:
    page = PLAIN.replace("| 大 GEMM | 变慢 | 失去厂商库 |", "这一行不是表格").replace(
        "来源", "# 老师的话\n别忘了练习\n来源"
    )
    done = import_page(page, "page")
    told = {note.line: note.text for note in done.notes}
    assert "这一行不是表格" in told[17]
    assert "老师的话" in told[26]
    kept = {section.heading: section.text for section in done.card.extra}
    assert kept == {"未能识别": "这一行不是表格", "老师的话": "别忘了练习"}


@pytest.mark.parametrize("page", ["", "\n\n", "\ufeff", "```\nonly code\n```"])
def test_a_page_of_nothing_is_a_card_of_nothing(page: str) -> None:
    done = import_page(page, "空 page 1")
    assert done.card.id == "page-1"
    assert any("no title" in note.text for note in done.notes)
