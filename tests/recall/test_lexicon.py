"""What a text speaks of: the longest wording, negations and remarks resolved, in both languages."""

from __future__ import annotations

import pytest

from quizapp.recall.lexicon import CONCEPTS, NUMBER, mentions
from quizapp.recall.normalise import normalise
from quizapp.recall.rules import problem
from quizapp.recall.tokens import stem, tokenise


def spoken_of(text: str) -> set[str]:
    return {mention.concept for mention in mentions(tokenise(normalise(text).text))}


@pytest.mark.parametrize(
    ("text", "concept", "absent"),
    [
        ("it reduces the FLOPs", "less", "same"),
        ("it doesn't reduce the FLOPs", "same", "less"),
        ("the FLOPs never go down", "same", "less"),
        ("nothing about the amount of multiply-adds is altered", "same", "change"),
        ("It does not write fewer bytes", "unwritten", "less"),
        ("Fusion lowers the FLOPs, which is wrong", "same", "less"),
        ("There is a misconception that fusion lowers FLOPs", "same", "less"),
        ("Some say it saves FLOPs. It doesn't.", "same", "less"),
        ("You think it saves FLOPs? No, it does not.", "same", "less"),
        ("not only does it save launches", "less", "same"),
        ("并没有减少计算量", "same", "less"),
        ("网上说能省算力,其实不对", "same", "less"),
        ("不用写回显存", "unwritten", "write"),
        ("不仅减少访存", "less", "same"),
        ("never have to leave the SM", "stay", "leave"),
        ("輸出沒有差別", "same", "different"),
    ],
)
def test_negations_and_remarks_are_resolved(text: str, concept: str, absent: str) -> None:
    found = spoken_of(text)
    assert concept in found
    assert absent not in found


def test_the_longest_wording_wins() -> None:
    assert "hbm" not in spoken_of("it lives in shared memory")
    assert "hbm" in spoken_of("it lives in global memory")


def test_a_wording_ends_with_its_clause() -> None:
    assert "shared-memory" not in spoken_of("it is shared, memory is not")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("暫存器和共享記憶體", "寄存器和共享内存"),
        ("tri ton and cute lass", "Triton and CUTLASS"),
        ("ＨＢＭ", "h b m"),
        ("memory-bound", "memory bound"),
        ("occupant see drops", "occupancy drops"),
    ],
)
def test_spellings_speak_of_the_same(one: str, other: str) -> None:
    assert spoken_of(one) == spoken_of(other)
    assert spoken_of(one)


@pytest.mark.parametrize(
    "forms",
    [
        ("fuse", "fused", "fusing", "fuses"),
        ("launch", "launches", "launched", "launching"),
        ("reduce", "reduces", "reduced", "reducing"),
        ("spill", "spills", "spilled", "spilling"),
        ("copy", "copies", "copied", "copying"),
    ],
)
def test_forms_of_a_word_share_their_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


def test_a_note_is_no_negation() -> None:
    assert stem("note") != stem("not")
    assert spoken_of("Note that FLOPs are reduced") >= {"less", "flops"}


def test_numbers_are_a_concept() -> None:
    assert NUMBER in spoken_of("three point six times")
    assert NUMBER in CONCEPTS


def test_a_chinese_numeral_does_not_swallow_the_word_before_it() -> None:
    assert {"launch", NUMBER} <= spoken_of("launch 一次大概五个微秒")
    assert {"kernel", NUMBER} <= spoken_of("kernel三个")


def test_a_term_with_an_unknown_concept_is_named() -> None:
    assert problem("@hbm ~ @less") == ""
    assert problem("@nonsense") == "there is no concept @nonsense in the lexicon"
    assert problem("") == "an empty wording"
