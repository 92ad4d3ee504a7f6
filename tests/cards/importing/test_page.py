"""Study pages in every dress: understood where they can be, and never a sign lost."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizapp.cards.importing import Imported, import_page
from quizapp.cards.importing.headings import recognise
from quizapp.cards.importing.lines import page_lines
from quizapp.cards.importing.page import language
from quizapp.cards.kinds import Lang
from quizapp.cards.model import prompts
from quizapp.cards.problems import Severity
from quizapp.cards.reader import read
from quizapp.cards.writer import write
from quizapp.services.checking import check_cards

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

### When does a broadcast conflict?

Never.

## Sources

- a talk
"""
PAGES = {"plain": PLAIN, "markdown": MARKDOWN}


def counts(imported: Imported) -> tuple[int, ...]:
    card = imported.card
    parts = (card.concepts, card.cases, card.points, card.follow_ups, card.sources)
    return tuple(len(part) for part in parts)


MARK = re.compile(
    r"(?:[-*+•·▪◦‣●○■□◆◇✓✔☐☑–—①-⑳]|\d{1,3}[.)、．]|[（(]\d{1,3}[)）])\s*(?:\[[ xX]\]\s*)?"
)
ROLE = re.compile(r"[#*_\s]*(?:Q|A|问|答)(?:uestion|nswer|题|案)?\s*\d*\s*[:：.、]")
RULE = re.compile(r"(?:[-*_=]\s*){3,}")


def signs(text: str) -> Counter[str]:
    """All that is not blank, but for the signs that a page is set with."""
    return Counter(s for s in text if not s.isspace() and s not in "#*_|·:：｜-—–=+\\`~")


def lost(page: str, imported: Imported) -> Counter[str]:
    """Signs of the page that are neither in the written card nor in a note."""
    body = write(imported.card).split("---\n", 2)[2]
    kept = signs(body) + signs("".join(note.text for note in imported.notes))
    wanted: Counter[str] = Counter()
    for line in page_lines(page):
        text = line.text
        heading = recognise(line)
        if heading and heading.exact:
            text = heading.behind  # the card has its own word for that part
        if not line.code:
            text = ROLE.sub("", MARK.sub("", text, count=1), count=1)
        wanted += Counter() if RULE.fullmatch(line.text) else signs(text)
    return wanted - kept


def assert_kept(page: str) -> Imported:
    """Nothing is lost, and the card's file reads back as it was written."""
    done = import_page(page, "any page")
    assert lost(page, done) == Counter()
    written = write(done.card)
    reading = read(written, f"any-page.{done.card.lang}.md")
    assert [p for p in reading.problems if p.severity is Severity.ERROR] == []
    assert reading.draft is not None
    assert write(reading.draft.card) == written
    lines = page.count("\n") + page.count("\r") + 1
    assert all(0 <= note.line <= lines and note.text for note in done.notes)
    return done


def test_the_page_the_project_began_with(shared: Path) -> None:
    page = (shared / "material" / "kernel-fusion-page.txt").read_text(encoding="utf-8")
    done = assert_kept(page)
    assert counts(done) == (4, 4, 6, 5, 5)
    assert done.card.lang is Lang.ZH
    assert done.card.title == "Kernel fusion 为什么快? 什么时候反而变慢?"
    assert "2,039 GB/s" in done.card.by_hand
    assert done.card.extra == ()
    told = [(note.line, note.text.split("': ")[1]) for note in done.notes]
    assert told == [
        (3, "read as the part 概念"),
        (12, "read as the part 图解"),
        (12, "nothing stands under this heading"),
        (15, "read as the part 手算"),
        (18, "read as the part 情况"),
    ]


def test_plain_text() -> None:
    done = assert_kept(PLAIN)
    assert counts(done) == (2, 2, 2, 2, 2)
    assert [concept.name for concept in done.card.concepts] == ["Kernel fusion", "中间结果"]
    assert done.card.follow_ups[0].answer == "先 profile。"
    assert done.card.cases[1].reason == "失去厂商库"


def test_markdown_with_tabs_code_and_bold_terms() -> None:
    done = import_page(MARKDOWN, "bank conflict")
    assert done.card.id == "bank-conflict"
    assert done.card.lang is Lang.EN
    assert done.notes == ()
    assert counts(done) == (2, 2, 2, 2, 1)
    assert [concept.name for concept in done.card.concepts] == ["Bank", "Conflict"]
    assert done.card.points[1].text == "an n-way conflict costs n times as much"
    assert "## no heading" in done.card.follow_ups[0].answer
    assert done.card.follow_ups[1].question == "When does a broadcast conflict?"
    assert "\n\nThey are served" in done.card.answer


CHANGES: dict[str, Callable[[str], str]] = {
    "crlf": lambda text: text.replace("\n", "\r\n"),
    "cr": lambda text: text.replace("\n", "\r"),
    "bom": lambda text: "\ufeff" + text,
    "blank lines": lambda text: text.replace("\n", "\n\n"),
    "full width": lambda text: text.translate(str.maketrans(",:?()", "，：？（）")),
    "half width": lambda text: text.translate(str.maketrans("，：？（）", ",:?()")),
    "stars": lambda text: text.replace("\n- ", "\n* "),
    "dots": lambda text: text.replace("\n- ", "\n• "),
    "tabs": lambda text: text.replace("\n- ", "\n\t- "),
    "trailing blanks": lambda text: text.replace("\n", " \t\n"),
    "blank edges": lambda text: "\n\n\n" + text + "\n\n",
    "bold": lambda text: text.replace("必答点", "**必答点**：").replace("追问", "**追问**"),
    "brackets": lambda text: text.replace("必答点", "【必答点】").replace("追问", "【追问】："),
    "pictures": lambda text: text.replace("必答点", "📌 必答点").replace("## Must", "## 📌 Must"),
    "numbers": lambda text: text.replace("必答点", "五、必答点").replace("追问", "6. 追问"),
    "marks": lambda text: text.replace("必答点", "## 必答点").replace("追问", "##追问"),
    "underlines": lambda text: text.replace("必答点\n", "必答点\n======\n"),
    "rules": lambda text: text.replace("\n必答点", "\n\n---\n\n必答点"),
    "english": lambda text: text.replace("必答点", "Must-hit points").replace("追问", "Follow-ups"),
    "chinese": lambda text: text.replace("Must-hit points", "必答点").replace("Cases", "情况"),
    "front matter": lambda text: "---\ntitle: x\ntags: [a]\n---\n" + text,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_the_dress_of_a_page_does_not_matter(page: str, change: Callable[[str], str]) -> None:
    plain, done = import_page(page, "any page").card, assert_kept(change(page)).card
    assert counts(Imported(done, ())) == counts(Imported(plain, ()))
    assert [c.id for c in done.concepts] == [c.id for c in plain.concepts]
    assert [c.result for c in done.cases] == [c.result for c in plain.cases]
    assert len(done.title) == len(plain.title)


SECTIONS = re.split(r"\n(?=先弄清楚|看图|30 秒|为什么快:|适合|必答点|追问|来源)", PLAIN.strip())


@given(st.permutations(SECTIONS[1:]), st.sets(st.integers(0, 7)))
@settings(max_examples=100, deadline=None)
def test_parts_may_be_missing_and_in_any_order(order: list[str], gone: set[int]) -> None:
    chosen = [section for number, section in enumerate(order) if number not in gone]
    done = assert_kept("\n".join([SECTIONS[0], *chosen]))
    there = [any(s.startswith(head) for s in chosen) for head in ("先弄", "适合", "必答", "追问")]
    assert [count > 0 for count in counts(done)[:4]] == there
    for missing, name in (
        (not there[2], "必答点"),
        (not any("30 秒" in s for s in chosen), "30 秒"),
    ):
        said = [note for note in done.notes if note.line == 0 and name in note.text]
        assert bool(said) == missing


LINES = [
    *PLAIN.splitlines(), *MARKDOWN.splitlines(), "", "```", "~~~", "---", "| a | b |", "{#P1}",
    "- x {#P2}", "\\# x", "#", "## ", "**", "**a**", "Q: why?", "A: so", "1. a", "   - nested",
    "\t\tcode", "> q", "\u3000\u3000缩进", "x\x00y", "\x1b[31m", "\u2028z", "😀 要点", "【追问】",
    "[b]x[/b]", "A | B | C", "→", "参考 x", "Sources: y", "Source code", "# 手算", "**Q?** a",
    "## Not understood", "- [ ] todo", "①第一", "2、第二", ": meaning", "|", "- ", "<b>", "问:?",
    "## By-Hand!", "### 来源", "概念 | 含义", "é ü 한국어 ∑≤µ", "# 追问 #", "__a__: b", "a   b   c",
]  # fmt: skip


@given(st.lists(st.sampled_from(LINES), max_size=16))
@settings(max_examples=400, deadline=None)
def test_whatever_lines_stand_together_nothing_is_lost(lines: list[str]) -> None:
    assert_kept("\n".join(lines))


@given(st.text(alphabet=st.sampled_from("ab 中文#|*-`?？:：。.\n\t\r[]{}()0123追问来源必答点")))
@settings(max_examples=300, deadline=None)
def test_no_sign_is_lost(page: str) -> None:
    assert_kept(page)


@given(st.text(alphabet=st.characters(exclude_categories=())), st.text())
@settings(max_examples=200, deadline=None)
def test_no_text_raises(page: str, name: str) -> None:
    done = import_page(page, name)
    assert re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", done.card.id)
    assert done.card.title


def test_what_is_not_understood_is_told_with_its_line_and_kept() -> None:
    page = PLAIN.replace("| 大 GEMM | 变慢 | 失去厂商库 |", "这一行不是表格").replace(
        "来源", "# 老师的话\n别忘了练习\n来源"
    )
    done = assert_kept(page)
    told = {note.line: (note.text, note.kept) for note in done.notes}
    assert told[17] == ("not understood: 这一行不是表格", "未能识别")
    assert told[26] == ("'老师的话': no such part is known", "老师的话")
    kept = {section.heading: section.text for section in done.card.extra}
    assert kept == {"未能识别": "这一行不是表格", "老师的话": "别忘了练习"}


def test_a_part_that_stands_twice_is_joined_and_told() -> None:
    done = assert_kept(PLAIN + "必答点\n- 第三点\n")
    assert [(point.id, point.text) for point in done.card.points][2] == ("P3", "第三点")
    assert any(note.line == 27 and "second part" in note.text for note in done.notes)


@pytest.mark.parametrize("page", ["", "\n\n", "\ufeff", "```\nonly code\n```"])
def test_a_page_of_nothing_is_a_card_of_nothing(page: str) -> None:
    done = assert_kept(page)
    assert done.card.title == "any page"
    assert any("no title" in note.text for note in done.notes)


def test_a_name_without_latin_letters_makes_an_id_and_is_told() -> None:
    done = import_page(PLAIN, "算子融合")
    assert done.card.id == "page"
    assert any("算子融合" in note.text for note in done.notes)


@pytest.mark.parametrize(
    ("top", "title"),
    [
        ("# Fusion\n## Concepts", "Fusion"),
        ("Fusion\n======\nConcepts", "Fusion"),
        ("Fusion\nthe whole story\n\nConcepts", "Fusion the whole story"),
        ("Why fast?\nWhen slow?\nAnd how?\nConcepts", "Why fast? When slow? And how?"),
        ("**Fusion**\nConcepts", "Fusion"),
        ("1. Fusion\nConcepts", "Fusion"),
        ("# When does fusion help?\n## Concepts", "When does fusion help?"),
        ("Fusion\nThis page tells you how it is done.\nConcepts", "Fusion"),
        ("## Concepts\n- a: b", "any page"),
    ],
)  # fmt: skip
def test_the_title(top: str, title: str) -> None:
    assert assert_kept(f"{top}\n- a: b\n").card.title == title


def test_prompts_have_ids_of_their_own() -> None:
    glossary = "".join(f"- {term}: x\n" for term in ("Main", "A", "a", "甲", "Case 1", "乙"))
    done = assert_kept(f"title\nConcepts\n{glossary}Cases\n| s | r | w |\n|---|---|---|\n|1|2|3|\n")
    ids = [prompt.id for prompt in prompts(done.card)]
    assert ids == ["main", "main-2", "a", "a-2", "concept-4", "concept-5", "concept-6", "case-1"]


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_an_imported_card_has_no_error(page: str, tmp_path: Path) -> None:
    card = import_page(page, "mine").card
    (tmp_path / f"mine.{card.lang}.md").write_text(write(card), encoding="utf-8")
    found = check_cards(tmp_path)
    assert found.cards == 1
    assert [str(p) for p in found.problems if p.severity is Severity.ERROR] == []


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        (PLAIN, Lang.ZH),
        (MARKDOWN, Lang.EN),
        ("bank conflict 是什么", Lang.ZH),
        ("The word 融合 means fusion, and this sentence is English.", Lang.EN),
        ("", Lang.EN),
    ],
)
def test_the_language_is_told_from_the_text(text: str, lang: Lang) -> None:
    assert language(text) is lang
