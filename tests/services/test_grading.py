"""Answers graded by the line: what is said of each claim, whose words count, what is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from quizapp.memory.model import Rating
from quizapp.recall.labelled import LineError, labelled
from quizapp.services.grading import Graded, graded, request
from quizapp.services.workspace import Workspace

ODD = "The sandwich never goes back to the supermarket between the bites"


@pytest.fixture(scope="module")
def library() -> Workspace:
    made = Workspace()
    assert made.library.ids
    return made


@pytest.fixture
def workspace(library: Workspace) -> Iterator[Workspace]:
    made = Workspace()
    made._library = library.library
    yield made
    made.close()


def line(text: str, prompt: str = "main", **more: object) -> str:
    return json.dumps({"card": "kernel-fusion", "prompt": prompt, "text": text, **more})


async def result(workspace: Workspace, text: str, learn: bool = False, **more: object) -> Graded:
    return await graded(workspace, request(workspace, line(text, **more)), learn)


async def test_points_and_claims_carry_the_ids_of_the_card(
    shared: Path, workspace: Workspace
) -> None:
    known = json.loads((shared / "facts" / "points.json").read_text(encoding="utf-8"))
    for prompt, asked in known["prompts"].items():
        found = await graded(workspace, request(workspace, line("", prompt)))
        assert list(found.points) == asked["points"]
        claims = {part for part, made in known["parts"].items() if made["of"] in found.points}
        assert set(found.claims) == claims | {p for p in found.points if p.startswith("F")}


async def test_what_is_said_perhaps_said_and_not(workspace: Workspace) -> None:
    text = "The FLOPs stay the same.  Only one read\nand one write remain. Fusion raises occupancy."
    found = await result(workspace, text)
    assert (found.claims["P2a"].state, found.claims["P2a"].how) == ("said", "rule")
    assert found.claims["P2a"].evidence == "The FLOPs stay the same"
    assert found.claims["P2a"].words == ("FLOPs", "same")
    assert found.points["P2"].state == "said"
    assert (found.claims["P6a"].state, found.claims["P6a"].evidence) == ("not", "")
    assert found.points["P6"].state == "not"
    assert [false.id for false in found.false_claims] == ["X2"]
    assert found.false_claims[0].evidence == "Fusion raises occupancy"
    credits_ = [point.weight * point.credit for point in found.points.values()]
    assert found.score == pytest.approx(sum(credits_) / 5.7, abs=1e-4)
    assert found.rating is Rating.AGAIN


async def test_a_point_is_perhaps_said_if_it_would_be_with_what_perhaps_was(
    workspace: Workspace,
) -> None:
    found = await result(
        workspace, "Profile it, and then look at those little things nearby.", prompt="followup-1"
    )
    claim, point = found.claims["F1.2"], found.points["F1.2"]
    assert claim.state == point.state == "perhaps"
    assert point.credit == 0.0


async def test_confirmed_words_count_for_their_user_alone(workspace: Workspace) -> None:
    first = await result(workspace, ODD, learn=True, user="ann", said=["P1a"])
    assert first.claims["P1a"].state != "said", "it is graded before it is learned from"
    assert first.learned == ("P1a",)
    again = f"Well: {ODD.lower()}, you see."
    known = await result(workspace, again, user="ann")
    assert (known.claims["P1a"].state, known.claims["P1a"].how) == ("said", "own")
    for user in ("bob", ""):
        assert (await result(workspace, again, user=user)).claims["P1a"].state != "said"


async def test_without_a_label_what_is_ticked_is_learned(workspace: Workspace) -> None:
    found = await result(workspace, "The FLOPs stay the same.", learn=True, user="ann")
    assert found.learned == ("P2a",)
    assert (await result(workspace, "The FLOPs stay the same.", user="ann")).learned == ()


async def test_time_and_being_sure_count_for_the_rating_if_given(workspace: Workspace) -> None:
    text = "Profile first. Then fuse small neighbouring memory-bound kernels."
    asked = {"prompt": "followup-1", "earlier_reviews": 3}
    assert (await result(workspace, text, **asked)).rating is Rating.GOOD
    assert (await result(workspace, text, sure=True, **asked)).rating is Rating.EASY
    late = await result(workspace, text, sure=True, seconds=500, **asked)
    assert late.rating is Rating.HARD


async def test_what_a_very_long_answer_holds_is_counted(workspace: Workspace) -> None:
    assert (await result(workspace, "x" * 9000)).unread == 1000


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (b"\xff{}", "not UTF-8 text at byte 1"),
        ("{", "not JSON at character 2"),
        ("[" * 100_000, "not JSON that can be read"),
        ("[1]", "a JSON object is wanted, and this is a list"),
        (json.dumps({"card": "kernel-fusion", "prompt": "main"}), "'text' is missing"),
        (line("x", user=None), "'user' is null"),
        (line("x", user=7), "'user' must be text, and is a number"),
        (line("x", user="y" * 201), "'user' must be a name of at most 200 characters"),
        (line("x", "followup-9"), "has no prompt followup-9; did you mean followup-5?"),
        (line("x", "hand-bytes"), "is a calculation"),
        (line("x", said=["Z1"]), "kernel-fusion/main has no claim Z1"),
        (line("x", said="P1a"), "'said' must be a list of ids"),
        (line("x", seconds=-1), "'seconds' must be a number"),
        (line("x", earlier_reviews=True), "'earlier_reviews' must be a whole number"),
        (line("x").replace("kernel-fusion", "kernel-fusio"), "did you mean kernel-fusion?"),
    ],
)
def test_a_bad_line_is_told_in_one(given: str | bytes, told: str, workspace: Workspace) -> None:
    with pytest.raises(LineError) as caught:
        request(workspace, given)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_label_is_a_list_or_a_table() -> None:
    row = {"prompt": "main", "text": "…", "false_claims": ["X1"], "half": "held"}
    by_list = labelled(json.dumps({**row, "said": ["P1a"]}))
    by_table = labelled(json.dumps({**row, "parts": {"P1a": 1, "P1b": 0}}))
    assert by_list == by_table
    assert (by_list.said, by_list.false, by_list.split) == ({"P1a"}, {"X1"}, "held")
    with pytest.raises(LineError, match="no label"):
        labelled(json.dumps(row))
