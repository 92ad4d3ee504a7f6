from __future__ import annotations

from pathlib import Path

import pytest

from quizapp.cards.kinds import Lang
from quizapp.cards.problems import Severity
from quizapp.cards.skeleton import TODO
from quizapp.services.authoring import file_to_edit, new_card
from quizapp.services.checking import check_cards
from quizapp.services.errors import UserError
from quizapp.services.paths import Paths


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(config=tmp_path / "c.toml", data=tmp_path / "data", state=tmp_path / "state")


def test_a_new_card_compiles_but_for_what_is_to_be_written(paths: Paths) -> None:
    done = new_card(paths, "warp-divergence", "gpu")
    assert [path.name for path in done.paths] == [f"warp-divergence.{lang}.md" for lang in Lang]
    checked = check_cards(paths.cards)
    assert (checked.cards, checked.prompts) == (1, 5)
    assert [p.severity for p in checked.problems] == [Severity.WARNING] * 2
    assert all("still say TODO" in p.message for p in checked.problems)


def test_nothing_is_told_once_all_is_written(paths: Paths) -> None:
    for path in new_card(paths, "warp-divergence").paths:
        path.write_text(path.read_text("utf-8").replace(f"{TODO} ", "").replace(TODO, ""), "utf-8")
    assert check_cards(paths.cards).problems == ()


@pytest.mark.parametrize("id_", ["a b", "../up", "", "分歧"])
def test_what_is_no_id_is_refused(paths: Paths, id_: str) -> None:
    with pytest.raises(UserError, match="is no id of a card"):
        new_card(paths, id_)
    assert not paths.cards.exists()


def test_a_card_that_is_there_is_left_alone(paths: Paths, tmp_path: Path) -> None:
    with pytest.raises(
        UserError, match=r"there is a card kernel-fusion in .*kernel-fusion\.en\.md"
    ):
        new_card(paths, "kernel-fusion")
    mine = tmp_path / "elsewhere" / "mine.zh.md"
    mine.parent.mkdir()
    mine.write_text("work", "utf-8")
    with pytest.raises(UserError, match=r"mine\.zh\.md cannot be written: File exists"):
        new_card(paths, "mine", folder=mine.parent)
    assert mine.read_text("utf-8") == "work"


def test_an_installed_card_is_edited_in_a_copy(paths: Paths, tmp_path: Path) -> None:
    installed = tmp_path / "lib" / "site-packages" / "questions" / "a.en.md"
    installed.parent.mkdir(parents=True)
    installed.write_bytes("图\r\n".encode())
    copy = file_to_edit(paths, installed)
    assert copy == paths.cards / "a.en.md"
    assert copy.read_bytes() == "图\r\n".encode()
    copy.write_text("mine", "utf-8")
    assert file_to_edit(paths, installed) == copy
    assert copy.read_text("utf-8") == "mine"
    assert file_to_edit(paths, tmp_path / "own.en.md") == tmp_path / "own.en.md"
