from pathlib import Path

import pytest

from quizapp.cards.model import Lang
from quizapp.services.settings import Settings, change, load


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "config.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_no_file_means_the_defaults(tmp_path: Path) -> None:
    loaded = load(tmp_path / "config.toml")
    assert loaded.settings == Settings()
    assert loaded.problems == ()


def test_what_the_user_sets_is_taken(tmp_path: Path) -> None:
    loaded = load(write(tmp_path, 'language = "zh"\ndesired_retention = 0.85\nnew_per_day = 0\n'))
    assert loaded.problems == ()
    assert loaded.settings.language is Lang.ZH
    assert loaded.settings.desired_retention == 0.85
    assert loaded.settings.new_per_day == 0


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("desired_retention = 1.5", "must lie from 0.7 to 0.99"),
        ("desired_retention = true", "must be a number"),
        ("rollover_hour = 24", "whole number from 0 to 23"),
        ('time_zone = "Mars/Base"', "no such time zone"),
        ('theme = "pink"', "must be one of dark"),
        ('langauge = "en"', "unknown setting 'langauge'; known are"),
        ("new_per_day = 2.5", "whole number"),
    ],
)
def test_a_bad_line_is_named_and_the_others_hold(tmp_path: Path, line: str, says: str) -> None:
    path = write(tmp_path, f"# mine\nanswer_seconds = 45\n{line}\n")
    loaded = load(path)
    (problem,) = loaded.problems
    assert str(problem).startswith(f"{path}:3: ")
    assert says in str(problem)
    assert loaded.settings == Settings(answer_seconds=45)


def test_broken_toml_is_one_line_and_the_defaults_hold(tmp_path: Path) -> None:
    loaded = load(write(tmp_path, "new_per_day = 3\nlanguage = \n"))
    (problem,) = loaded.problems
    assert ":2: not valid TOML" in str(problem)
    assert loaded.settings == Settings()


def test_thresholds_out_of_order_fall_back_together(tmp_path: Path) -> None:
    loaded = load(write(tmp_path, "again_below = 0.9\n"))
    assert len(loaded.problems) == 1
    assert loaded.settings == Settings()


def test_a_change_keeps_comments_and_other_settings(tmp_path: Path) -> None:
    path = write(tmp_path, "# slow and steady\nnew_per_day = 3  # not more\n")
    change(path, language=Lang.ZH, theme="light")
    text = path.read_text(encoding="utf-8")
    assert "# slow and steady" in text
    assert "# not more" in text
    assert load(path).settings == Settings(language=Lang.ZH, theme="light", new_per_day=3)


def test_a_bad_change_is_refused_and_writes_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, "new_per_day = 3\n")
    with pytest.raises(ValueError, match="must be one of"):
        change(path, theme="pink")
    assert path.read_text(encoding="utf-8") == "new_per_day = 3\n"
