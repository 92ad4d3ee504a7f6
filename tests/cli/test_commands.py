"""The commands as a user types them: what they print, and how they end."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import CARDS, Command


def test_help_lists_every_command(quizapp: Command) -> None:
    from quizapp.cli.main import COMMANDS

    done = quizapp("--help")
    assert done.returncode == 0
    assert all(name in done.stdout for name in COMMANDS)


@pytest.mark.parametrize(
    "name",
    ["review", "show", "check", "new", "import", "grade", "demo", "fuse-advice", "stats", "doctor"],
)
def test_every_command_has_a_help_of_its_own(quizapp: Command, name: str) -> None:
    done = quizapp(name, "--help")
    assert done.returncode == 0
    assert "Usage: quizapp" in done.stdout


def test_show_prints_a_card_without_colours_into_a_pipe(quizapp: Command) -> None:
    done = quizapp("show", "fusion-short", "--lang", "zh")
    assert done.returncode == 0
    assert "融合为什么快？" in done.stdout
    assert "\x1b" not in done.stdout


def test_show_of_no_card_names_the_nearest(quizapp: Command) -> None:
    done = quizapp("show", "fusion-shirt")
    assert done.returncode == 1
    assert done.stderr == "quizapp: there is no card fusion-shirt; did you mean fusion-short?\n"


def test_check_says_file_line_and_remedy_and_fails(quizapp: Command, home: Path) -> None:
    file = home / "data" / "cards" / "fusion-short.en.md"
    file.write_text(file.read_text().replace("core: true", "core: maybe"), encoding="utf-8")
    done = quizapp("check", str(file.parent))
    assert done.returncode == 1
    assert f"{file}:8:" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
    shown = quizapp("show", "kernel-fusion")
    assert shown.returncode == 0, "a broken file never hides a healthy one"


def test_check_as_json(quizapp: Command) -> None:
    done = quizapp("check", str(CARDS), "--json")
    assert json.loads(done.stdout)["cards"] == 1


def test_grade_answers_each_line_and_goes_on_after_a_bad_one(
    quizapp: Command, tmp_path: Path
) -> None:
    asked = {
        "card": "fusion-short",
        "prompt": "main",
        "user": "ann",
        "text": "the flops do not change",
    }
    rows = [json.dumps(asked | {"id": 7}), "{", "", json.dumps(asked | {"text": "\ud83d"})]
    done = quizapp("grade", "--learn", text="\n".join(rows))
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("quizapp: line 2: not JSON")
    first, last = map(json.loads, done.stdout.splitlines())
    assert (first["line"], first["id"], first["claims"]["P2a"]["state"]) == (1, 7, "said")
    assert (first["learned"], first["rating"]) == (["P2a"], "again")
    assert (last["line"], last["score"]) == (4, 0.0)
    missing = quizapp("grade", str(tmp_path / "none.jsonl"))
    assert missing.returncode == 2
    assert "Traceback" not in missing.stderr


def test_import_makes_a_card_and_keeps_one_that_is_there(
    quizapp: Command, home: Path, tmp_path: Path
) -> None:
    page = tmp_path / "My Page.txt"
    page.write_bytes("为什么?\r\n必答点\r\n- 一\r\n- 二\r\n".encode("gb18030"))
    done = quizapp("import", str(page))
    assert done.returncode == 0, done.stderr
    assert (home / "data" / "cards" / "my-page.zh.md").exists()
    again = quizapp("import", str(page))
    assert again.returncode == 1
    assert "--replace" in again.stderr
    assert quizapp("import", str(page), "--replace").returncode == 0
    assert quizapp("import", str(page), "--id", "other").returncode == 0


def test_new_writes_a_skeleton_once(quizapp: Command, home: Path) -> None:
    done = quizapp("new", "a-card-of-mine", "--deck", "gpu")
    assert done.returncode == 0, done.stderr
    files = [home / "data" / "cards" / f"a-card-of-mine.{lang}.md" for lang in ("en", "zh")]
    assert done.stdout.splitlines()[:2] == [str(file) for file in files]
    assert all("deck: gpu" in file.read_text("utf-8") for file in files)
    again = quizapp("new", "a-card-of-mine")
    assert again.returncode == 1
    assert again.stderr.count("\n") == 1
    assert "choose another id" in again.stderr


def test_a_plain_review_asks_ticks_rates_and_is_kept(quizapp: Command) -> None:
    said_aloud_and_all_ticked = "\n1\n2\n\n"
    done = quizapp("review", "--plain", "--limit", "1", text=said_aloud_and_all_ticked)
    assert done.returncode == 0, done.stderr
    asked = re.search(r"(\S+) · Answer", done.stdout)
    assert asked
    card, points = asked[1], re.findall(r"(\d) \[x\] (.+)$", done.stdout, re.MULTILINE)
    assert card == "fusion-short", "one's own cards come before the deck that ships"
    assert {number for number, _ in points} == set("12")
    shown = quizapp("show", card).stdout
    assert all(text[:20] in shown for _, text in points)
    assert "Recall score 2 / 2" in done.stdout
    assert "Good: " in done.stdout
    stats = json.loads(quizapp("stats", "--json").stdout)
    assert stats["today"]["done"] == 1
    undone = quizapp("undo")
    assert undone.stdout == f"Taken back: Good on {card}/main\n"
    assert quizapp("undo").returncode == 1


def test_a_plain_review_ends_with_its_input(quizapp: Command) -> None:
    done = quizapp("review", "--plain", text="half an answer\n")
    assert done.returncode == 0
    again = quizapp("review", "--plain", "--limit", "1", text="\n")
    assert "1 [ ]" in again.stdout, "the answer was kept and is rated now"


def test_doctor_rebuilds_what_the_log_comes_to(quizapp: Command, home: Path) -> None:
    import sqlite3
    from contextlib import closing

    quizapp("review", "--plain", "--limit", "1", text="x\n\n\n")
    assert quizapp("doctor").returncode == 0
    with closing(sqlite3.connect(home / "data" / "quizapp.db")) as database:
        database.execute("UPDATE schedule SET stability = 99")
        database.commit()
    sick = quizapp("doctor")
    assert sick.returncode == 1
    assert "1 differ from the log: quizapp doctor --rebuild" in sick.stdout
    assert quizapp("doctor", "--rebuild").returncode == 0
    assert quizapp("doctor").returncode == 0


def test_a_damaged_history_is_one_line(quizapp: Command, home: Path) -> None:
    (home / "data" / "quizapp.db").write_bytes(b"nothing of a database" * 400)
    for command in (["stats"], ["doctor"], ["undo"], ["review", "--plain"]):
        done = quizapp(*command)
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1
        assert "is damaged" in done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(quizapp: Command, shell: str) -> None:
    done = quizapp("completion", shell)
    assert done.returncode == 0
    assert "_QUIZAPP_COMPLETE" in done.stdout


def test_completion_completes(quizapp: Command) -> None:
    done = quizapp(_QUIZAPP_COMPLETE="bash_complete", COMP_WORDS="quizapp do", COMP_CWORD="1")
    assert "doctor" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (["nonsense"], 2, "nonsense"),
        (["show", "--lang", "fr"], 2, "fr"),
        (["check", "/no/such/file"], 2, "/no/such/file"),
        (["demo", "nonsense"], 1, "there is no demo nonsense"),
        (["demo", "elementwise", "--params", "x"], 1, "NAME=VALUE"),
    ],
)
def test_bad_input_is_told_in_words(
    quizapp: Command, arguments: list[str], code: int, word: str
) -> None:
    done = quizapp(*arguments)
    assert done.returncode == code
    assert word in done.stderr
    assert "Traceback" not in done.stderr


def test_settings_that_are_wrong_are_told_with_their_line(quizapp: Command, home: Path) -> None:
    (home / "config.toml").write_text("new_per_day = 5\ntheme = 'pink'\n", encoding="utf-8")
    for command in ("info", "stats", "show"):
        done = quizapp(command)
        assert done.stderr.count(f"{home / 'config.toml'}:2:") == 1
        assert done.returncode == 0


def test_a_demo_runs_and_judges(quizapp: Command) -> None:
    pytest.importorskip("torch")
    done = quizapp("demo", "elementwise", "--params", "elements=65536,sweep=no", "--json")
    if '"missing"' in done.stdout:
        pytest.skip("no C++ compiler")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert events[-1]["type"] == "done", events[-1]
    assert {"hello", "device", "prediction", "measurement", "check", "metric"} <= {
        event["type"] for event in events
    }


def test_proofs_hide_nothing_and_name_the_record(quizapp: Command) -> None:
    rows = {row["claim"]: row for row in json.loads(quizapp("proofs", "--json").stdout)}
    assert rows["kernel-fusion/passes"]["proof"]["verdict"] == "proved"
    assert rows["kernel-fusion/passes"]["proof"]["source"] == "record"
    assert rows["kernel-fusion/source-speedup"]["unmeasurable"]
    table = quizapp("proofs", "kernel-fusion", "--markdown").stdout
    assert "| kernel-fusion/passes |" in table
    assert "not-measurable" in table


def test_a_record_is_never_called_measured_here(quizapp: Command) -> None:
    done = quizapp("demo", "elementwise", "--on", "record")
    assert done.returncode == 0
    assert "recorded: PROVED" in done.stdout
    assert "measured here" not in done.stdout
    assert "Recorded on NVIDIA H200" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["demo", "elementwise", "--on", "moon"], "'moon' is no place"),
        (["prove", "nonsense"], "there is no card nonsense"),
    ],
)
def test_places_and_cards_that_are_none(quizapp: Command, arguments: list[str], word: str) -> None:
    done = quizapp(*arguments)
    assert done.returncode == 1
    assert word in done.stderr


def test_a_demo_that_cannot_run_is_told_once(quizapp: Command) -> None:
    pytest.importorskip("torch")
    done = quizapp("demo", "elementwise", "--params", "elements=-1")
    assert done.returncode == 1
    assert done.stdout.strip() == ""
    assert done.stderr.count("\n") == 1


def test_an_empty_page_and_an_id_that_is_none_make_no_card(
    quizapp: Command, home: Path, tmp_path: Path
) -> None:
    page = tmp_path / "page.txt"
    page.write_text(" \n\t\n", encoding="utf-8")
    assert "is empty" in quizapp("import", str(page)).stderr
    page.write_text("Why?\n", encoding="utf-8")
    done = quizapp("import", str(page), "--id", "../../evil")
    assert done.returncode == 1
    assert "no id" in done.stderr
    assert sorted(path.name for path in (home / "data" / "cards").iterdir()) == [
        "fusion-short.en.md",
        "fusion-short.zh.md",
    ]


def test_a_plain_review_says_how_and_lets_one_leave(quizapp: Command) -> None:
    done = quizapp("review", "--plain", text="\n?\n9\nq\n")
    assert done.returncode == 0
    assert "an empty line ends it" in done.stdout
    assert "Not understood: ?" in done.stdout
    assert "Not understood: 9" in done.stdout
    assert quizapp("undo").returncode == 1, "nothing was rated"
