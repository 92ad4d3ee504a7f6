"""Two language files make a card, and one folder's card takes another's place."""

from __future__ import annotations

import pytest

from quizapp.cards.library import Library, SourceFile, build
from quizapp.cards.model import Lang, PromptKind
from quizapp.cards.problems import Problem

EN = """---
id: fusion
lang: en
deck: gpu
tags: [memory]
points:
  P1:
    weight: 2
    parts:
      P1a: {accept: [["@hbm"]], say: [stays on chip]}
false:
  X1: {text: Fewer FLOPs., against: [P1]}
calculations:
  hand:
    ask: How long?
    formula: 2 * n
    variables: {n: {choices: [1, 2]}}
    slips: [{formula: n, means: writes only}]
claims:
  passes: {says: Six become two., demo: chain, holds: passes < 3}
---
# Why?
## Concepts
### Kernel {#kernel}
A function.
## Must-hit points
- It stays on chip. {#P1}
## Follow-ups
### And then? {#f1}
Profile.
"""
ZH = """---
id: fusion
lang: zh
tags: [访存]
points:
  P1: {core: true, parts: {P1a: {say: [留在片上, stays on chip]}}}
calculations:
  hand:
    ask: 多久?
    slips: [{formula: n, means: 只算了写}]
claims:
  passes: {says: 六次变两次。}
---
# 为什么?
## 概念
### 核 {#kernel}
一个函数。
## 必答点
- 留在片上。 {#P1}
"""


def library(*roots: dict[str, str]) -> Library:
    return build([[SourceFile(*item) for item in root.items()] for root in roots])


def both() -> Library:
    return library({"fusion.en.md": EN, "fusion.zh.md": ZH})


def test_machine_data_of_both_files_is_joined():
    made = both()
    assert made.problems == ()
    for lang in Lang:
        card = made.card("fusion", lang)
        assert card is not None
        assert card.lang is lang
        assert card.deck == "gpu"
        (point,) = card.points
        assert (point.weight, point.core) == (2, True)
        assert point.parts[0].accept == (("@hbm",),)
        assert set(point.parts[0].say) == {"stays on chip", "留在片上"}
        assert card.calculations[0].formula == "2 * n"
        assert card.claims[0].demo == "chain"


def test_words_belong_to_their_language():
    chinese = both().card("fusion", Lang.ZH)
    assert chinese is not None
    assert chinese.title == "为什么?"
    assert chinese.tags == ("访存",)
    assert chinese.calculations[0].ask == "多久?"
    assert chinese.calculations[0].slips[0].means == "只算了写"
    assert chinese.claims[0].says == "六次变两次。"
    assert chinese.false_statements[0].text == "Fewer FLOPs."


def test_files_that_disagree_are_pointed_out_and_agree_in_memory():
    made = library({"fusion.en.md": EN, "fusion.zh.md": ZH.replace("core: true", "weight: 3")})
    assert [str(problem) for problem in made.problems] == [
        "fusion.zh.md:6: points → P1 → weight is 3 here and 2 in fusion.en.md. "
        "Write the same in both, or leave it out of one"
    ]
    for lang in Lang:
        card = made.card("fusion", lang)
        assert card is not None
        assert card.points[0].weight == 2


def test_a_later_folder_takes_the_place_of_an_earlier_one():
    mine = EN.replace("# Why?", "# Mine?").replace("weight: 2", "weight: 5")
    shipped = {"a/fusion.en.md": EN, "a/fusion.zh.md": ZH.replace("core: true", "weight: 2")}
    made = library(shipped, {"b/fusion.en.md": mine})
    assert made.problems == ()
    assert made.path("fusion", Lang.EN) == "b/fusion.en.md"
    assert made.path("fusion", Lang.ZH) == "a/fusion.zh.md"
    for lang, title in ((Lang.EN, "Mine?"), (Lang.ZH, "为什么?")):
        card = made.card("fusion", lang)
        assert card is not None
        assert (card.title, card.points[0].weight) == (title, 5)


def test_the_same_card_twice_in_a_folder_is_pointed_out():
    made = library({"a.en.md": EN, "b.en.md": EN.replace("# Why?", "# Other?")})
    assert ["already in a.en.md" in problem.message for problem in made.problems] == [True]
    assert made.path("fusion", Lang.EN) == "a.en.md"


@pytest.mark.parametrize("broken", ["", "---\nid: [\n---\n", "---\nid: x\n", "\x00\ufeff"])
def test_a_broken_file_hides_no_healthy_one(broken: str):
    made = library({"broken.en.md": broken, "fusion.en.md": EN, "zz.zh.md": broken})
    assert made.ids == ("fusion",)
    assert {problem.path for problem in made.problems} == {"broken.en.md", "zz.zh.md"}


def test_a_card_comes_in_the_other_language_if_it_must():
    made = library({"fusion.zh.md": ZH})
    assert made.languages("fusion") == (Lang.ZH,)
    card = made.card("fusion", Lang.EN)
    assert card is not None
    assert card.title == "为什么?"
    assert made.card("nothing", Lang.EN) is None
    assert made.path("nothing", Lang.EN) is None


def test_the_prompts_are_the_same_in_both_languages():
    made = both()
    keys = ["fusion/main", "fusion/kernel", "fusion/hand", "fusion/f1"]
    assert list(made.prompts(Lang.EN)) == keys
    assert list(made.prompts(Lang.ZH)) == keys
    # The Chinese file has no follow-up yet: it is asked in English and keeps its memory.
    follow_up = made.prompt("fusion/f1", Lang.ZH)
    assert follow_up is not None
    assert (follow_up.kind, follow_up.question) == (PromptKind.FOLLOW_UP, "And then?")
    assert made.prompt("fusion/none", Lang.EN) is None


def test_mending_a_typo_keeps_every_key():
    mended = EN.replace("# Why?", "# Why, then?").replace("A function.", "A functjon, mended.")
    before = library({"fusion.en.md": EN})
    after = library({"renamed.en.md": mended.replace("### Kernel ", "### The kernel ")})
    assert list(before.prompts(Lang.EN)) == list(after.prompts(Lang.EN))


def test_cards_with_like_ids_have_prompts_of_their_own():
    made = library({"a.en.md": EN, "b.en.md": EN.replace("id: fusion", "id: other")})
    assert len(made.prompts(Lang.EN)) == 8
    assert made.prompt("other/f1", Lang.EN) != made.prompt("fusion/f1", Lang.EN)


def test_problems_met_on_disk_are_kept():
    unread = Problem("x.en.md", 1, "cannot be read", "save it as UTF-8 text")
    assert build([], [unread]).problems == (unread,)
