"""The card that an author begins with: every section once, with what belongs there in its words.

``TODO`` stands where the author has to write; ``quizapp check`` names each that is left.
"""

from __future__ import annotations

from collections.abc import Mapping

from quizapp.cards.model import Lang

TODO = "TODO"

_MACHINE = """\
tags: []
after: []                       # cards to study first
points:                         # weights and wordings of the points below, by id
  P1:
    core: true
    parts:
      P1a:
        say:                    # four to six whole sentences that mean it, in both languages
          - TODO a sentence that says it
  P2:
    parts:
      P2a:
        say:
          - TODO another sentence
  F1:
    parts:
      F1a:
        say:
          - TODO what answers the follow-up
false:
  X1:
    text: TODO a common false statement.
    against: [P1]
    say:
      - TODO how people say it
calculations:
  hand:
    ask: "TODO {n} kernels each read and write {size}. At {bandwidth}, how long at least?"
    variables:
      n: {choices: [2, 3, 4, 5]}
      size: {range: [0.5, 4, 0.5], unit: GB}
      bandwidth: {choices: [2039, 3350, 4800], unit: GB/s}
    formula: 2 * n * size / bandwidth
    unit: s
    tolerance: 5%
    solution: "TODO Each moves {size} twice, {2 * n * size|GB} in all: {result}."
    slips:
      - formula: n * size / bandwidth
        means: TODO counts the writes only
claims:
  unproved:
    says: TODO a sentence that a measurement can refute.
    unmeasurable: TODO no demo yet; else demo and holds
"""

_WORDS_ZH = """\
tags: []
false:
  X1: {text: TODO 常见的错误说法。}
calculations:
  hand:
    ask: "TODO {n} 个 kernel 各读写 {size}。带宽 {bandwidth}，至少要多久？"
    solution: "TODO 每个读写 {size}，共 {2 * n * size|GB}；除以 {bandwidth}：{result}。"
    slips:
      - {formula: n * size / bandwidth, means: TODO 只算了写}
claims:
  unproved: {says: TODO 一句测量能推翻的话。, unmeasurable: TODO 还没有 demo；有就写 demo 和 holds}
"""

_BODY: Mapping[Lang, str] = {
    Lang.EN: """\
# TODO: the question, as the interviewer asks it

## Concepts

### TODO a term {#concept}

TODO what it means.

## Diagram

```text
TODO box characters, at most 78 cells wide
```

## 30-second answer

TODO what you would say in half a minute.

## By hand

TODO the calculation, in words.

## Cases

| Situation | Result | Why |
|---|---|---|
| TODO a situation {#case} | TODO faster or slower | TODO the reason |

## Must-hit points

- TODO one thing the answer must say. {#P1}
- TODO another. {#P2}

## Follow-ups

### TODO what is asked next? {#followup-1}

TODO its answer.

- TODO what the answer must say. {#F1}

## Sources

- TODO where a reader can look it up.
""",
    Lang.ZH: """\
# TODO：面试官会怎么问

## 概念

### TODO 一个术语 {#concept}

TODO 它是什么意思。

## 图解

```text
TODO 用制表符画，每行最多 78 格
```

## 30 秒回答

TODO 半分钟里说的话。

## 手算

TODO 把计算过程说出来。

## 情况

| 情况 | 结果 | 原因 |
|---|---|---|
| TODO 一种情况 {#case} | TODO 变快还是变慢 | TODO 原因 |

## 必答点

- TODO 回答里必须说到的一点。 {#P1}
- TODO 另一点。 {#P2}

## 追问

### TODO 接下来会问什么？ {#followup-1}

TODO 怎么答。

- TODO 这个回答必须说到的一点。 {#F1}

## 来源

- TODO 读者去哪里查。
""",
}


def skeleton(id_: str, deck: str, lang: Lang) -> str:
    """Return the text of a new card's file; machine data stands in the English one.

    Both arguments must be ids.
    """
    machine = _MACHINE if lang is Lang.EN else _WORDS_ZH
    return f"---\nid: {id_}\nlang: {lang}\ndeck: {deck}\n{machine}---\n\n{_BODY[lang]}"
