"""The other screens: what they show, in both languages, at the smallest size."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import OptionList

from quizapp.cards import search
from quizapp.cards.kinds import Lang
from quizapp.proof.protocol import Done, Event, Started
from quizapp.services.workspace import Workspace
from quizapp.store import runs
from quizapp.tui.app import QuizApp
from quizapp.tui.screens.today import TodayScreen
from tests.tui import events
from tests.tui.conftest import PlayedRunner
from tests.tui.driving import press, screen_text, settle, shown

SIZE = (80, 24)


async def open_card(app: QuizApp, pilot: object) -> None:
    await press(pilot, "c", "enter")  # type: ignore[arg-type]


async def test_a_card_shows_the_whole_page_in_both_languages(app: QuizApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await open_card(app, pilot)
        text = shown(app, "#page")
        for part in ("[fast], and [/b]", "x ─▶ [mul] ─▶ HBM", "memory-bound", "A talk.", "Profile"):
            assert part in text
        assert "{#" not in text, "ids are for machines"
        await press(pilot, "f2")
        text = shown(app, "#page")
        for part in ("融合为什么快？", "[乘]", "访存受限", "一次演讲。"):
            assert part in text


def linking(workspace: Workspace, links: str) -> None:
    """Let the card link to others, of which there are two more."""
    file = workspace.paths.cards / "fusion-short.en.md"
    text = file.read_text(encoding="utf-8")
    for id_, title in (("one", "The [first]"), ("two", "The second")):
        other = text.replace("id: fusion-short", f"id: {id_}")
        other = other.replace("Why is fusion [fast], and [/b] when not?", title)
        (workspace.paths.cards / f"{id_}.en.md").write_text(other, encoding="utf-8")
    file.write_text(text.replace("- A talk.", f"- A talk. {links}"), encoding="utf-8")


async def test_a_linked_card_opens_by_key_and_by_mouse(app: QuizApp, workspace: Workspace) -> None:
    linking(workspace, "See [this](card:one).")
    async with app.run_test(size=(100, 60)) as pilot:
        await settle(pilot)
        app.open_card("fusion-short")
        await settle(pilot)
        await press(pilot, "f")
        assert app.screen.card.id == "one"  # type: ignore[attr-defined]
        await press(pilot, "escape")
        lines = shown(app, "#page").split("\n")
        row = next(n for n, line in enumerate(lines) if "<card:one>" in line)
        document = app.screen.query_one("#page")
        top = row - document.scroll_offset.y
        await pilot.click("#page", offset=(document.styles.padding.left + 12, top + 1))
        await settle(pilot)
        assert app.screen.card.id == "one"  # type: ignore[attr-defined]


async def test_of_several_linked_cards_one_is_chosen(app: QuizApp, workspace: Workspace) -> None:
    linking(workspace, "See [this](card:one) and [that](card:two).")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        app.open_card("fusion-short")
        await settle(pilot)
        await press(pilot, "f")
        await pilot.pause(0.5)
        assert any("The [first]" in line for line in screen_text(app))
        await press(pilot, *"second", "enter")
        await pilot.pause(0.3)
        await settle(pilot)
        assert app.screen.card.id == "two"  # type: ignore[attr-defined]


async def test_a_card_without_links_says_so(app: QuizApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await open_card(app, pilot)
        await press(pilot, "f")
        assert [n.message for n in app._notifications] == ["This card links to no other."]


async def test_sections_are_walked_by_keys(app: QuizApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await open_card(app, pilot)
        await press(pilot, "n", "n")
        assert app.screen.query_one("#page").scroll_offset.y > 0
        await press(pilot, "left_square_bracket", "left_square_bracket")
        assert app.screen.query_one("#page").scroll_offset.y == 0


async def test_a_proof_runs_shows_bars_judges_and_is_kept(
    app: QuizApp, workspace: Workspace
) -> None:
    app._runner = PlayedRunner(events.good_run())
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await open_card(app, pilot)
        await press(pilot, "d")
        assert "not judged yet" in shown(app, "#page")
        await press(pilot, "r")
        await pilot.pause(0.2)
        text = shown(app, "#page")
        assert "measured here: NVIDIA H200 (cuda), 2026-03-02, torch 2.11.0" in text
        assert "1.53 ms" in text
        assert "510 µs" in text
        assert "┃ predicted" in text
        assert "measured here: PROVED" in text
        assert "control 6" in text
        (run,) = workspace.database.run(runs.runs)
        (verdict,) = workspace.database.run(runs.verdicts)
        assert (run.outcome, verdict.verdict) == ("done", "proved")
        assert verdict.claim == "fusion-short/passes"
        await press(pilot, "escape")
        assert "PROVED  Six passes become two." in shown(app, "#page")


class TwoDemos(PlayedRunner):
    """Plays the same run as whichever demo is asked for; an endless one never ends."""

    def __init__(self, endless: bool = False) -> None:
        super().__init__([])
        self.asked: list[str] = []
        self.endless = endless

    async def run(
        self, demo: str, params: Mapping[str, Any] | None = None, seed: int = 0
    ) -> AsyncGenerator[Event, None]:
        self.asked.append(demo)
        for event in events.good_run():
            if self.endless and isinstance(event, Done):
                await asyncio.Event().wait()
            yield replace(event, demo=demo) if isinstance(event, Started) else event


def with_two_demos(workspace: Workspace) -> None:
    file = workspace.paths.cards / "fusion-short.en.md"
    text = file.read_text(encoding="utf-8")
    more = "  other:\n    says: Twice.\n    demo: reductions\n    holds: passes_fused < 3\n"
    file.write_text(text.replace("---\n\n# Why", f"{more}---\n\n# Why"), encoding="utf-8")


async def test_p_on_a_card_proves_all_its_claims(app: QuizApp, workspace: Workspace) -> None:
    with_two_demos(workspace)
    app._runner = runner = TwoDemos()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await open_card(app, pilot)
        await press(pilot, "p")
        await pilot.pause(0.2)
        assert runner.asked == ["elementwise", "reductions"]
        assert {v.claim for v in workspace.database.run(runs.verdicts)} == {
            "fusion-short/passes",
            "fusion-short/other",
        }
        assert "▸reductions◂" in shown(app, "#page")
        assert "Twice." in shown(app, "#page")
        await press(pilot, "n")
        assert "▸elementwise◂" in shown(app, "#page")
        assert "Six passes become two." in shown(app, "#page")


async def test_cancelling_ends_those_that_would_follow(app: QuizApp, workspace: Workspace) -> None:
    with_two_demos(workspace)
    app._runner = runner = TwoDemos(endless=True)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await open_card(app, pilot)
        await pilot.press("p")
        await pilot.pause(0.2)
        assert "+1" in screen_text(app)[0]
        await pilot.press("x")
        await settle(pilot)
        await pilot.pause(0.2)
        assert runner.asked == ["elementwise"]
        assert "was cancelled" in shown(app, "#page")


async def test_a_control_that_passes_makes_the_proof_worthless(app: QuizApp) -> None:
    run = events.good_run()
    run = [e for e in run if getattr(e, "name", "") != "passes_fused"]
    run.insert(-1, events.metric("passes_fused", 2.0, control=2.0))
    run = [e for e in run if getattr(e, "name", "") != "passes_unfused"]
    run.insert(-1, events.metric("passes_unfused", 6.0, control=6.0))
    app._runner = PlayedRunner(run)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await open_card(app, pilot)
        await press(pilot, "d", "r")
        await pilot.pause(0.2)
        assert "measured here: BROKEN" in shown(app, "#page")


async def test_a_worker_that_crashes_is_told_and_nothing_else_changes(
    app: QuizApp, workspace: Workspace
) -> None:
    app._runner = PlayedRunner(events.crash())
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await open_card(app, pilot)
        await press(pilot, "d", "r")
        await pilot.pause(0.2)
        text = shown(app, "#page")
        assert "The demo's process crashed" in text
        assert "SIGSEGV: [/b] boom" in text
        assert workspace.database.run(runs.runs) == []
        await press(pilot, "escape", "escape", "r")
        assert "Why is fusion" in shown(app, "#question")


async def test_the_help_lists_every_action_once_per_place(app: QuizApp) -> None:
    from quizapp.tui.actions import ACTIONS

    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "f1")
        text = shown(app, "#help")
        for action in ACTIONS:
            assert app.words.actions[action.id].long in text
        await press(pilot, "escape")
        assert isinstance(app.screen, TodayScreen)


@pytest.mark.parametrize("query", ["register", "寄存器", "CUDA graph"])
async def test_search_finds_in_both_languages(app: QuizApp, query: str) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "slash")
        app.screen.query_one("#find").value = query  # type: ignore[attr-defined]
        await settle(pilot)
        await press(pilot, "enter")
        assert "Kernel fusion" in shown(app, "#page")


async def test_statistics_say_where_they_begin(app: QuizApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "s")
        assert "Nothing to show yet" in shown(app, "#page")
        await press(pilot, "escape", "enter", "ctrl+s", "1", "2", "enter", "escape", "s")
        text = shown(app, "#page")
        assert "True retention" in text
        assert "Reviews a day" in text


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (140, 45)])
@pytest.mark.parametrize("theme", ["dark", "light", "ansi-dark", "ansi-light"])
async def test_every_screen_draws_at_every_size_and_theme(
    app: QuizApp, size: tuple[int, int], theme: str
) -> None:
    app.workspace.change(theme=theme)
    app._use_theme(theme)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        for keys in (["enter"], ["ctrl+s"], ["c"], ["d"], ["escape", "escape", "escape", "s"]):
            await press(pilot, *keys)
            rows = screen_text(app)
            assert len(rows) == size[1]
            assert any(rows)


async def test_the_language_of_the_interface_is_kept(app: QuizApp, workspace: Workspace) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "f2")
        assert "0 到期     6 新题" in shown(app, "#figures")
    assert 'language = "zh"' in workspace.paths.config.read_text(encoding="utf-8")


async def test_a_click_in_the_footer_does_what_the_key_does(app: QuizApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.click("KeyBar", offset=(3, 0))
        await settle(pilot)
        assert "Why is fusion" in shown(app, "#question")


async def test_a_click_ticks_a_point(app: QuizApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "enter", "ctrl+s")
        lines = shown(app, "#appraisal").split("\n")
        row = next(n for n, line in enumerate(lines) if line.startswith("2 ·"))
        await pilot.click("#appraisal", offset=(6, row))
        await settle(pilot)
        assert "2 ✓" in shown(app, "#appraisal")


@pytest.mark.parametrize(("columns", "beside"), [(80, False), (140, True)])
async def test_the_contents_leave_the_page_room_for_its_diagram(
    app: QuizApp, columns: int, beside: bool
) -> None:
    async with app.run_test(size=(columns, 40)) as pilot:
        await settle(pilot)
        await open_card(app, pilot)
        assert app.screen.query_one("#contents").display is beside
        page = app.screen.query_one("#page")
        assert page.scrollable_content_region.width >= 74


async def test_report_4_a_card_is_one_widget_however_long(app: QuizApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await open_card(app, pilot)
        page = app.screen.query_one("#page")
        assert len(shown(app, "#page").split("\n")) > 30
        assert not page.children


async def test_report_5_ten_thousand_rows_are_one_widget_too(
    app: QuizApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    (card,) = {hit.card for hit in search.search(app.workspace.library, "register", Lang.EN)}
    hits = [search.Hit(card, "main", "text", f"row {n}", 1) for n in range(10_000)]
    monkeypatch.setattr(search, "search", lambda *_: hits)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "slash", "r", "down", "end")
        results = app.screen.query_one("#results", OptionList)
        assert results.option_count == len(hits)
        assert not results.children
        assert "row 9999" in "\n".join(screen_text(app))


async def test_report_2_no_screenshot_is_offered_that_would_squash_wide_letters(
    app: QuizApp,
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        titles = [command.title for command in app.get_system_commands(app.screen)]
        assert titles
        assert not [title for title in titles if "screenshot" in title.lower()]
        assert not [key for key in app.active_bindings if "screenshot" in str(key)]


async def test_the_palette_offers_the_actions_of_the_place_and_the_cards(app: QuizApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        titles = [command.title for command in app.get_system_commands(app.screen)]
        assert "Start the review" in titles
        assert "Tick or untick the chosen point (also 1 to 9)" not in titles
        await press(pilot, "ctrl+p", *"fast")
        await pilot.pause(0.5)
        drawn = "\n".join(screen_text(app))
        assert "Why is fusion [fast], and [/b] when not?" in drawn, "its text is no markup"
        await press(pilot, "escape")


@pytest.mark.parametrize("key", ["f1", "slash"])
async def test_the_footer_names_each_key_once_and_the_way_back(app: QuizApp, key: str) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, key)
        foot = screen_text(app)[-1]
        assert foot.count("Quit") == 1
        assert "Esc Back" in foot


async def test_while_text_is_typed_the_footer_names_keys_that_work(app: QuizApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "enter")
        assert "^Q Quit" in screen_text(app)[-1]
        await press(pilot, "ctrl+s")
        assert "q Quit" in screen_text(app)[-1]


@pytest.mark.parametrize("columns", [60, 80, 140])
async def test_the_way_out_is_named_at_every_width(app: QuizApp, columns: int) -> None:
    async with app.run_test(size=(columns, 24)) as pilot:
        await settle(pilot)
        for keys in (["enter"], ["ctrl+s"], ["c"]):
            assert "Quit" in screen_text(app)[-1]
            await press(pilot, *keys)
        assert "Quit" in screen_text(app)[-1]


async def test_the_list_of_cards_switches_language_at_once(app: QuizApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "f2")
        assert any("融合为什么快？" in row for row in screen_text(app))


async def test_a_language_that_cannot_be_kept_is_switched_and_told(
    app: QuizApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**values: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(app.workspace, "change", refuse)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "f2")
        assert "0 到期" in shown(app, "#figures")
        (note,) = app._notifications
        assert "Permission denied" in note.message
        assert "Errno" not in note.message


async def test_a_run_that_is_cancelled_runs_no_more(app: QuizApp) -> None:
    app._runner = TwoDemos(endless=True)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await open_card(app, pilot)
        await press(pilot, "d")
        await pilot.press("r")
        await pilot.pause(0.3)
        assert "running · round 3" in shown(app, "TopBar")
        await pilot.press("x")
        await pilot.pause(0.5)
        assert "running" not in shown(app, "TopBar")
        assert "was cancelled" in shown(app, "#page")


def test_a_sweep_says_how_many_times_as_fast_also_where_it_is_slower() -> None:
    from quizapp.proof.run import folded
    from quizapp.text.spans import plain
    from quizapp.tui.proof_lines import run_lines
    from quizapp.tui.words import words

    slow = replace(events.measured("one", 2e-3), point={"elements": 64})
    fast = replace(events.measured("three", 1e-3), point={"elements": 64})
    run = [*events.good_run()[:3], fast, slow]
    text = "\n".join(plain(line) for line in run_lines(folded(run), words(Lang.EN), 80))
    assert "How many times as fast one is as three" in text
    assert "1 ms → 2 ms  0.50×" in text


async def test_a_record_of_an_older_demo_is_called_stale(
    app: QuizApp, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from quizapp.proof.codec import encode
    from quizapp.services import proving

    head = (
        '{"v":1,"type":"record","command":"x","date":"2026-03-01","device":"NVIDIA H200",'
        '"versions":{},"digest":"an old one"}'
    )
    lines = [head, *(encode(event) for event in events.good_run())]
    (tmp_path / "elementwise.h200.jsonl").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setattr(proving, "records_folder", lambda: tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await open_card(app, pilot)
        assert "NVIDIA H200 · 2026-03-01 · recorded" in shown(app, "#page")
        await press(pilot, "d")
        await pilot.pause(0.3)
        text = shown(app, "#page")
        assert "recorded: PROVED" in text
        assert "stale: the demo or the claim has changed since" in text
