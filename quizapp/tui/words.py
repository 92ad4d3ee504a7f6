"""Every text of the interface, in each language; a text that a language lacks fails the types."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from quizapp.cards.kinds import Lang, PromptKind
from quizapp.memory.model import Rating
from quizapp.tui.actions import Place


class Label(NamedTuple):
    """An action's words."""

    short: str
    """In the footer."""
    long: str
    """In the palette and the help."""


class Words(NamedTuple):
    """The texts; ``{name}`` is filled in where one is used."""

    lang: Lang
    actions: Mapping[str, Label]
    places: Mapping[Place, str]
    ratings: Mapping[Rating, str]
    kinds: Mapping[PromptKind, str]
    reasons: Mapping[str, str]
    """By :class:`quizapp.memory.rating.Reason`."""
    verdicts: Mapping[str, str]
    """By :class:`quizapp.proof.verdict.Verdict`."""
    verdict_reasons: Mapping[str, str]
    """By :class:`quizapp.proof.verdict.Why`."""
    failures: Mapping[str, str]
    """By kind of :class:`quizapp.proof.protocol.Failed`."""

    # Today
    opening: str
    due: str
    new: str
    learning: str
    streak: str
    done_today: str
    forecast: str
    cards: str
    nothing_due: str
    next_due: str
    no_more: str
    held_back: str
    problems: str
    no_cards: str

    # Review
    why_due: str
    why_new: str
    why_learning: str
    why_follow_up: str
    why_more: str
    why_undone: str
    why_draft: str
    left: str
    answer_here: str
    answer_number: str
    say_aloud: str
    sure_on: str
    sure_off: str
    target: str
    your_answer: str
    said_aloud: str
    gave_up: str
    model_answer: str
    solution: str
    points: str
    false_heading: str
    score: str
    misled: str
    held_down: str
    right: str
    near: str
    magnitude: str
    shifted: str
    slip: str
    wrong: str
    later_today: str
    tomorrow: str
    in_days: str
    in_months: str
    in_years: str
    not_allowed: str
    rated: str
    undone: str
    nothing_to_undo: str
    no_follow_ups: str
    follow_ups_taken: str
    session_over: str
    session_summary: str
    suspended: str
    resumed: str
    conflict: str

    # Card
    proofs: str
    no_proofs: str
    no_card: str
    transcribing: str
    recording: str
    palette_hint: str
    which_card: str
    no_links: str
    edit_how: str
    more_problems: str
    read_again: str
    results: str
    search_hint: str
    nothing_found: str

    # Demo
    claims: str
    no_demo: str
    press_run: str
    running: str
    predicted: str
    measured_here: str
    recorded: str
    record_of: str
    no_record: str
    no_verdict: str
    cancelled: str
    stored: str
    kernels: str
    checks: str
    metrics: str
    ceilings: str
    control: str
    interval: str
    stale: str

    # Statistics
    statistics: str
    retention: str
    young: str
    mature: str
    reviews_per_day: str
    time_spent: str
    score_bands: str
    drift: str
    drift_ticks: str
    drift_correction: str
    drift_own: str
    drift_steps: str
    nothing_yet: str

    # Everywhere
    help_title: str
    help_intro: str
    working: str
    error_title: str
    copied: str
    copied_in_tmux: str
    copied_perhaps: str
    theme_is: str
    learned: str
    not_kept: str
    left_out: str
    semicolon: str
    colon: str
    judged_on: str
    legend_device: str
    legend_call: str
    sweep: str
    sweep_times: str
    sweep_rate: str
    checked: str
    sweep_several: str
    kernel_use: str
    params: str
    demos: str
    proving: str
    run_cannot: str
    weeks_shown: str
    band: str
    expected: str
    plain_answer: str
    plain_tick: str
    plain_unknown: str
    weekdays: tuple[str, str, str, str, str, str, str]

    def interval_of(self, days: int) -> str:
        """Return when a prompt comes back, ``days`` from today, short enough for a rating."""
        if days <= 0:
            return self.later_today
        if days == 1:
            return self.tomorrow
        if days < 60:
            return self.in_days.format(n=days)
        if days < 365:
            return self.in_months.format(n=f"{days / 30.44:.1f}")
        return self.in_years.format(n=f"{days / 365.25:.1f}")

    def weekday(self, day: date) -> str:
        """Return the short name of a day of the week."""
        return self.weekdays[day.weekday()]


def words(lang: Lang) -> Words:
    """Return the texts of a language."""
    if lang is Lang.ZH:
        from quizapp.tui.words_zh import CHINESE

        return CHINESE
    from quizapp.tui.words_en import ENGLISH

    return ENGLISH
