"""A sound deck compiles without a word; each thing broken in it is told with line and remedy."""

from __future__ import annotations

import pytest

from quizapp.cards.check import cells_of, check
from quizapp.cards.library import SourceFile, build
from quizapp.cards.model import Calculation
from quizapp.cards.problems import Severity
from quizapp.cards.text_rules import spoken_length

EN = """---
id: fusion
lang: en
after: [roofline]
points:
  P1:
    core: true
    needs: P1a
    parts:
      P1a: {say: [stays on chip]}
  F1: {parts: {F1a: {say: [profile]}}}
false:
  X1: {text: Fewer FLOPs., against: [P1]}
calculations:
  hand: {ask: How long?, formula: 2 * n, solution: Twice., variables: {n: {choices: [1]}}}
claims:
  passes:
    says: Six become two.
    demo: chain
    holds: passes < 3
    on: [cuda]
  source: {says: It was 3.6 times., unmeasurable: the model is not public}
---
# Why?
## Concepts
### Kernel {#kernel}
A function, see [the roof](card:roofline) and [docs](https://example.org).
## Diagram
```text
HBM ──▶ kernel
```
## 30-second answer
It stays on chip.
## Cases
| Situation | Result | Why |
|---|---|---|
| Chain {#chain} | fast | no trips |
## Must-hit points
- It stays on chip. {#P1}
## Follow-ups
### And then? {#f1}
Profile.
- Profile. {#F1}
"""
ZH = """---
id: fusion
lang: zh
false: {X1: {text: 计算量变少。}}
calculations: {hand: {ask: 多久?, solution: 两倍。}}
claims:
  passes: {says: 六次变两次。}
  source: {says: 当时是 3.6 倍。, unmeasurable: 模型没有公开}
---
# 为什么?
## 概念
### 核 {#kernel}
一个函数。
## 图解
```text
显存 ──▶ 核
```
## 30 秒回答
留在片上。
## 情况
| 情况 | 结果 | 原因 |
|---|---|---|
| 一串 {#chain} | 快 | 不来回 |
## 必答点
- 留在片上。 {#P1}
## 追问
### 然后呢? {#f1}
先 profile。
- 先 profile。 {#F1}
"""
ROOF = """---
id: roofline
lang: {}
points: {{R1: {{core: true, parts: {{a: {{say: [x]}}}}}}}}
---
# Roof
## {}
ok
## {}
- r {{#R1}}
"""
DEMOS = {"chain": ["passes", "speedup"]}


def metrics_of(predicate: str) -> frozenset[str]:
    name, _, rest = predicate.partition(" < ")
    if not rest:
        raise ValueError("column 1: no comparison")
    return frozenset({name})


def calculation_problems(calculation: Calculation) -> list[str]:
    return ["it divides by zero"] if "/ 0" in calculation.formula else []


def term_problem(term: str) -> str:
    return "an empty wording" if not term.strip("!|~ ") else ""


def compiled(en: str = EN, zh: str | None = ZH, demos: dict[str, list[str]] | None = DEMOS):
    files = [SourceFile("fusion.en.md", en)]
    files += [] if zh is None else [SourceFile("fusion.zh.md", zh)]
    files += [
        SourceFile("roofline.en.md", ROOF.format("en", "30-second answer", "Must-hit points")),
        SourceFile("roofline.zh.md", ROOF.format("zh", "30 秒回答", "必答点")),
    ]
    return check(
        build([files]),
        demos,
        metrics_of=metrics_of,
        calculation_problems=calculation_problems,
        term_problem=term_problem,
    )


def test_a_sound_deck_compiles_without_a_word():
    assert compiled() == []


def line_of(text: str, what: str) -> int:
    return text[: text.index(what)].count("\n") + 1


CHANGES = [
    # what, by what, where it is told, message, remedy
    ("after: [roofline]", "after: [rooflin]", "after", "which is no card", "mean roofline?"),
    ("after: [roofline]", "after: [fusion]", "after", "fusion → fusion", "remove one"),
    ("    needs: P1a", "    needs: P1a and", "    needs", "the expression ends", "write it as"),
    ("    needs: P1a", "    needs: P1b", "    needs", "speaks of P1b", "did you mean"),
    ("    core: true\n", "", "points:", "no must-hit point is core", "add core: true"),
    ("  F1: {parts", "  F9: {parts", "  F9", "no list has the point F9", "{#F9}"),
    ("      P1a: {say: [stays on chip]}", "      P1a: {}", "points:", "no wording", "by hand"),
    ("P1a: {say", "P1a: {accept: [[a, '|']], say", "      P1a", "'|': an empty", "write words"),
    ("P1a: {say", "P1a: {reject: ['!'], say", "      P1a", "'!': an empty", "write words"),
    ("against: [P1]", "against: [P1], match: [[a, ~]]", "  X1", "'~': an empty", "@concept"),
    ("{F1a: {say", "{P1a: {say", "  F1", "P1a belongs to P1 already", "its own"),
    ("against: [P1]", "against: [P2]", "  X1", "is no point", "name the points"),
    ("text: Fewer FLOPs., ", "", "  X1", "has no English words", "fusion.en.md"),
    ("2 * n", "n / 0", "  hand", "divides by zero", "mend"),
    ("ask: How long?, ", "", "  hand", "has no English words", "fusion.en.md"),
    ("demo: chain", "demo: chian", "    demo", "there is no demo chian", "did you mean chain?"),
    ("    demo: chain\n", "", "  passes:", "nothing measures", "add demo:"),
    ("holds: passes < 3", "holds: passes", "    holds", "no comparison", "write it as"),
    ("holds: passes < 3", "holds: pases < 3", "    holds", "no metric pases", "mean passes?"),
    ("on: [cuda]", "on: [tpu]", "    on", "tpu is no kind", "cuda or cpu"),
    ("card:roofline", "card:roof", "### Kernel", "leads to no card", "card:ID"),
    ("https://example.org", "other.md", "### Kernel", "leads nowhere", "https:"),
    ("HBM ──▶ kernel", "─" * 79, "## Diagram", "is 79 cells wide", "within 78"),
    ("It stays on chip.\n## Cases", "## Cases", "## 30", "is empty", "fill or remove"),
    ("## 30-second answer\nIt stays on chip.\n", "", "# Why", "no answer", "30-second answer"),
    ("| fast |", "| |", "| Chain", "lacks result", "fill"),
    ("### And then? {#f1}", "### And then? {#f2}", "### And", "f2 is missing", "Chinese"),
    ("- Profile. {#F1}", "- Profile. {#F2}", "- Profile", "F2 is missing", "under the same id"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "by", "where", "message", "remedy"), CHANGES)
def test_a_broken_thing_is_told(what: str, by: str, where: str, message: str, remedy: str):
    assert what in EN
    changed = EN.replace(what, by)
    problems = compiled(changed)
    found = [p for p in problems if message in p.message]
    assert found, problems
    assert remedy in found[0].remedy
    if found[0].path == "fusion.en.md":
        assert found[0].line == line_of(changed, where)


def test_a_missing_translation_is_a_warning():
    problems = compiled(zh=None)
    assert [(p.message, p.severity) for p in problems] == [
        ("fusion is not written in Chinese", Severity.WARNING)
    ]


def test_what_both_languages_say_is_told_once():
    problems = compiled(EN.replace("needs: P1a", "needs: (P1a"))
    assert len(problems) == 1


NUMBERS = (
    "A line is 128 bytes, 2 of them 256, 2.5 KB or 1,024 B, and on an H100 (sm_90, `x[512]`) in "
    "2024-05-06 or 2025 it was fp16."
)


def test_a_number_that_nothing_accounts_for_is_hinted_at():
    with_numbers = EN.replace("A function,", NUMBERS)
    hints = [p for p in compiled(with_numbers) if p.severity is Severity.HINT]
    assert [p.message.split()[2] for p in hints] == ["128", "256", "2.5", "1024"]
    assert {p.line for p in hints} == {line_of(with_numbers, "### Kernel")}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("holds: passes < 3", "holds: passes < 128"),
        ("ask: How long?", "ask: How long for 128 bytes?"),
        ("choices: [1]", "choices: [1, 128]"),
        ("# Why?", "# Why?\n## Sources\n- The guide: 128 bytes."),
        ("# Why?", "# Why?\n## By hand\nFour times 32 are 128."),
    ],
)
def test_claims_calculations_and_sources_account_for_numbers(old: str, new: str):
    assert old in EN
    told = EN.replace(old, new).replace("A function,", "A line of 128 bytes,")
    assert [p.message for p in compiled(told) if "128" in p.message] == []


@pytest.mark.parametrize(("words", "hints"), [(90, 0), (91, 1)])
def test_an_answer_that_takes_longer_than_half_a_minute(words: int, hints: int):
    text = EN.replace("It stays on chip.\n## Cases", " ".join(["word"] * words) + "\n## Cases")
    assert sum("to say" in problem.message for problem in compiled(text)) == hints


def test_chinese_is_counted_by_its_signs():
    assert spoken_length("三个 kernel 读写 6 次，融合后只要 2.5 次。") == 14


def test_unknown_demos_are_not_looked_for():
    assert compiled(EN.replace("demo: chain", "demo: other"), demos=None) == []


def test_an_answer_that_is_no_answer():
    problems = compiled(EN.replace("Profile.\n- Profile. {#F1}\n", ""))
    assert any("f1 has no answer" in p.message and p.severity is Severity.ERROR for p in problems)


def test_links_in_code_are_not_links():
    assert compiled(EN.replace("A function", "`x[0](y)` \\[a](b) is a function")) == []


@pytest.mark.parametrize(("text", "cells"), [("abc", 3), ("显存", 4), ("e\u0301", 1), ("──▶", 3)])
def test_cells(text: str, cells: int):
    assert cells_of(text) == cells
