"""Search finds what people type, in both languages, the nearest first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.cards.library import Library, SourceFile, build
from quizapp.cards.model import Lang
from quizapp.cards.search import EXCERPT, fold, search

EN = """---
id: fusion
lang: en
deck: gpu
tags: [memory-bound]
---
# Kernel fusion: why is it fast?
## Concepts
### Épilogue {#epilogue}
A small operation after a matmul.
## 30-second answer
Intermediates stay in registers, so occupancy matters. {long}
## Cases
| Situation | Result | Why |
|---|---|---|
| Chain {#chain} | faster | no round trips |
## Must-hit points
- FLOPs do not change; memory traffic does. {#P1}
## Follow-ups
### Fusion or CUDA Graph? {#f1}
A graph only removes launches.
- Launch overhead only. {#F1}
""".replace("{long}", "And so on. " * 60 + "The needle is here. " + "And so on. " * 60)
ZH = """---
id: fusion
lang: zh
---
# 算子融合为什么快?
## 必答点
- 中间结果留在寄存器里,不写回显存。 {#P1}
## 追问
### 和 CUDA Graph 有什么区别? {#f1}
只省启动开销。
"""


def library(copies: int = 1) -> Library:
    files = []
    for i in range(copies):
        for lang, text in (("en", EN), ("zh", ZH)):
            path = f"c{i}.{lang}.md"
            files.append(SourceFile(path, text.replace("id: fusion", f"id: fusion{i or ''}")))
    return build([files])


@pytest.mark.parametrize(
    ("query", "prompt", "where"),
    [
        ("fusion fast", "main", "title"),
        ("KERNEL", "main", "title"),
        ("memory-b", "main", "tag"),
        ("gpu", "main", "id"),
        ("epilogue", "epilogue", "concept"),
        ("ｅｐｉ", "epilogue", "concept"),
        ("round trip", "chain", "case"),
        ("traffic", "main", "point"),
        ("occupancy", "main", "answer"),
        ("cuda graph", "f1", "follow-up"),
        ("overhead", "f1", "point"),
        ("显存", "main", "point"),
        ("启动", "f1", "answer"),
    ],
)
def test_everything_that_people_look_for_is_found(query: str, prompt: str, where: str):
    hit = search(library(), query, Lang.EN)[0]
    assert (hit.card, hit.prompt, hit.where) == ("fusion", prompt, where)


def test_the_language_in_use_comes_first():
    for lang, line in ((Lang.EN, "Fusion or CUDA Graph?"), (Lang.ZH, "和 CUDA Graph 有什么区别?")):
        (hit,) = search(library(), "cuda graph", lang)
        assert hit.line == line


def test_a_title_is_nearer_than_a_mention():
    hits = search(library(), "fusion", Lang.EN)
    assert [hit.where for hit in hits] == ["title", "follow-up"]
    assert hits[0].score > hits[1].score


def test_every_word_must_stand_in_the_same_place():
    assert search(library(), "fusion overhead", Lang.EN) == []
    assert search(library(), "", Lang.EN) == []
    assert search(library(), " \t", Lang.EN) == []


def test_a_long_text_is_cut_around_the_match():
    (hit,) = search(library(), "needle", Lang.EN)
    assert "needle" in hit.line
    assert len(hit.line) <= EXCERPT
    assert hit.line.startswith("…")
    assert hit.line.endswith("…")


def test_the_limit_keeps_the_best():
    some = library(40)
    everything = search(some, "fusion", Lang.EN, limit=1000)
    assert search(some, "fusion", Lang.EN, limit=7) == everything[:7]
    assert len(everything) == 80


@given(st.text(max_size=8))
def test_any_query_is_answered(query: str):
    for hit in search(LIBRARY, query, Lang.ZH):
        assert hit.card == "fusion"
        assert "\n" not in hit.line


@given(st.text(max_size=20))
def test_folding_twice_changes_nothing(text: str):
    assert fold(fold(text)) == fold(text)


LIBRARY = library()
