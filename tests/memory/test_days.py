"""Study days over rollover hours, daylight saving, zones and clocks that go back."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizapp.memory.days import StudyCalendar, day_start, elapsed_days, study_day

SHANGHAI = ZoneInfo("Asia/Shanghai")
NEW_YORK = ZoneInfo("America/New_York")

AWKWARD = [
    "UTC",
    "Asia/Shanghai",
    "America/New_York",
    "Europe/Berlin",
    "Australia/Lord_Howe",  # half an hour of daylight saving
    "America/Sao_Paulo",  # midnight did not exist
    "Asia/Beirut",
    "Antarctica/Troll",  # two hours of daylight saving
    "Pacific/Apia",  # skipped 2011-12-30
    "Asia/Kathmandu",
    "Africa/Casablanca",
]
zones = st.sampled_from(AWKWARD).map(ZoneInfo)
hours = st.integers(0, 23)
instants = st.datetimes(datetime(2005, 1, 1), datetime(2037, 1, 1), timezones=st.just(UTC))


def local(zone: ZoneInfo, *when: int, fold: int = 0) -> datetime:
    return datetime(*when, tzinfo=zone, fold=fold).astimezone(UTC)


def test_reviews_at_2350_and_0020_share_a_study_day_and_the_next_is_not_skipped():
    """hashcards 95."""
    calendar = StudyCalendar(SHANGHAI, 4)
    assert calendar.day(local(SHANGHAI, 2026, 12, 1, 23, 50)) == date(2026, 12, 1)
    assert calendar.day(local(SHANGHAI, 2026, 12, 2, 0, 20)) == date(2026, 12, 1)
    assert calendar.day(local(SHANGHAI, 2026, 12, 2, 4, 0)) == date(2026, 12, 2)


def test_with_a_midnight_rollover_2350_and_0020_are_a_day_apart():
    calendar = StudyCalendar(SHANGHAI, 0)
    days = [
        calendar.day(local(SHANGHAI, 2026, 12, 1, 23, 50)),
        calendar.day(local(SHANGHAI, 2026, 12, 2, 0, 20)),
    ]
    assert elapsed_days(*days) == 1


def test_midnight_in_utc_changes_nothing():
    """anki-cli 21: 00:00 UTC is 08:00 in Shanghai, in the midst of a study day."""
    midnight = datetime(2026, 12, 2, tzinfo=UTC)
    before, after = midnight - timedelta(minutes=1), midnight + timedelta(minutes=1)
    assert study_day(before, SHANGHAI, 4) == study_day(after, SHANGHAI, 4) == date(2026, 12, 2)


def test_elapsed_days_follow_the_rollover_and_not_24_hours():
    """fsrs-rs 237: 25 hours within two nights, and 10 hours over one."""
    calendar = StudyCalendar(SHANGHAI, 4)

    def between(first: datetime, second: datetime) -> int:
        return elapsed_days(calendar.day(first), calendar.day(second))

    evening = local(SHANGHAI, 2026, 12, 1, 22)
    assert between(evening, local(SHANGHAI, 2026, 12, 2, 8)) == 1
    assert between(evening, local(SHANGHAI, 2026, 12, 2, 23, 59)) == 1
    assert between(evening, local(SHANGHAI, 2026, 12, 2, 3, 59)) == 0


def test_a_clock_that_goes_back_gives_no_negative_days():
    """AnkiDroid 4516."""
    assert elapsed_days(date(2026, 12, 5), date(2026, 12, 1)) == 0


def test_a_day_that_begins_in_the_gap_begins_when_the_clock_jumps():
    """fsrs4anki PR 159: 02:00 to 03:00 on 2026-03-08 does not exist in New York."""
    jump = datetime(2026, 3, 8, 7, tzinfo=UTC)
    assert day_start(date(2026, 3, 8), NEW_YORK, 2) == jump
    assert study_day(jump - timedelta(seconds=1), NEW_YORK, 2) == date(2026, 3, 7)
    assert study_day(jump, NEW_YORK, 2) == date(2026, 3, 8)


def test_a_gap_wider_than_the_rollover_hour_still_begins_at_the_jump():
    """Troll goes from 01:00 to 03:00, so that 02:00 lies in the middle of the gap."""
    troll = ZoneInfo("Antarctica/Troll")
    assert day_start(date(2026, 3, 29), troll, 2) == datetime(2026, 3, 29, 1, tzinfo=UTC)


def test_midnight_may_not_exist():
    """AnkiDroid 3770, 5912: Beirut's clocks go forward at 00:00."""
    beirut = ZoneInfo("Asia/Beirut")
    start = day_start(date(2026, 3, 29), beirut, 0)
    assert start.astimezone(beirut).hour == 1
    assert study_day(start - timedelta(seconds=1), beirut, 0) == date(2026, 3, 28)


def test_an_hour_that_comes_twice_starts_the_day_once():
    """anki PR 371, 416, 420: 01:00 to 02:00 comes twice on 2026-11-01 in New York."""
    first = local(NEW_YORK, 2026, 11, 1, 1, 30)
    second = local(NEW_YORK, 2026, 11, 1, 1, 30, fold=1)
    assert second - first == timedelta(hours=1)
    assert day_start(date(2026, 11, 1), NEW_YORK, 1) == datetime(2026, 11, 1, 5, tzinfo=UTC)
    for rollover, day in ((1, date(2026, 11, 1)), (2, date(2026, 10, 31))):
        assert study_day(first, NEW_YORK, rollover) == day
        assert study_day(second, NEW_YORK, rollover) == day


def test_hours_repeated_after_the_rollover_stay_in_the_new_day():
    """Troll goes from 03:00 back to 01:00: 01:30 comes again after 02:00 has begun the day."""
    troll = ZoneInfo("Antarctica/Troll")
    again = local(troll, 2026, 10, 25, 1, 30, fold=1)
    assert study_day(again, troll, 2) == date(2026, 10, 25)


@given(instants, zones, hours)
@settings(max_examples=400)
def test_an_instant_lies_in_its_study_day(instant, zone, rollover):
    day = study_day(instant, zone, rollover)
    assert day_start(day, zone, rollover) <= instant
    assert instant < day_start(day + timedelta(days=1), zone, rollover)


@given(instants, st.timedeltas(timedelta(0), timedelta(days=3)), zones, hours)
@settings(max_examples=400)
def test_study_days_never_go_back_while_time_goes_on(instant, later, zone, rollover):
    assert study_day(instant, zone, rollover) <= study_day(instant + later, zone, rollover)


@given(st.dates(date(2005, 1, 1), date(2036, 12, 31)), zones, hours)
@settings(max_examples=400)
def test_the_clock_shows_the_rollover_hour_or_a_jump_when_a_day_begins(day, zone, rollover):
    start = day_start(day, zone, rollover)
    shown, just_before = (at.astimezone(zone) for at in (start, start - timedelta(seconds=1)))
    assert shown.replace(tzinfo=None) >= datetime(day.year, day.month, day.day, rollover)
    assert just_before.replace(tzinfo=None) < datetime(day.year, day.month, day.day, rollover)


def test_a_flight_west_makes_no_negative_days_and_a_flight_east_skips_none():
    auckland, los_angeles = ZoneInfo("Pacific/Auckland"), ZoneInfo("America/Los_Angeles")
    before = datetime(2026, 6, 10, 20, tzinfo=UTC)
    days = study_day(before, auckland, 4), study_day(before, los_angeles, 4)
    assert days == (date(2026, 6, 11), date(2026, 6, 10))
    assert elapsed_days(*days) == 0
    assert elapsed_days(*reversed(days)) == 1


def test_an_instant_of_any_zone_is_understood_and_one_of_none_refused():
    instant = datetime(2026, 12, 1, 21, tzinfo=UTC)
    assert study_day(instant.astimezone(NEW_YORK), SHANGHAI, 4) == date(2026, 12, 2)
    with pytest.raises(ValueError, match="needs a time zone"):
        study_day(datetime(2026, 12, 1), SHANGHAI, 4)


@pytest.mark.parametrize("hour", [-1, 24])
def test_a_rollover_hour_that_no_clock_shows_is_refused(hour):
    with pytest.raises(ValueError, match="from 0 to 23"):
        StudyCalendar(UTC, hour)


def test_zoneinfo_utc_is_a_zone_like_any_other():
    assert StudyCalendar(ZoneInfo("UTC"), 4).day(datetime(2026, 1, 1, 3, tzinfo=UTC)) == date(
        2025, 12, 31
    )
