"""The one registry of what the user can do: keys, footer, palette and help are read from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class Place(StrEnum):
    """Where an action is on offer."""

    EVERYWHERE = "everywhere"
    TODAY = "today"
    ASK = "ask"
    """Review, while the answer is being given."""
    TICK = "tick"
    """Review, once the model answer shows."""
    CARD = "card"
    DEMO = "demo"
    STATISTICS = "statistics"
    SEARCH = "search"
    HELP = "help"
    MOCK = "mock"
    """Choosing an interview, new or old."""
    SIT = "sit"
    """Interview, while the answer is being given."""
    SIT_TICK = "sit-tick"
    PROVE = "prove"
    """Interview, once the interviewer has said "prove it"."""
    PAUSE = "pause"
    REPORT = "report"


@dataclass(frozen=True, slots=True)
class Action:
    """One thing the user can do; its words are in ``words`` under its id."""

    id: str
    """Also the name of the method ``action_ID`` of the screen or app that does it."""
    keys: tuple[str, ...]
    places: tuple[Place, ...]
    footer: bool = True
    """Whether the footer shows it; the help and the palette always do."""
    optional: bool = False
    """Whether the footer leaves it out where it is not on offer, and does not dim it only."""


E, T, A, K, C, D, S, F, H = (
    Place.EVERYWHERE,
    Place.TODAY,
    Place.ASK,
    Place.TICK,
    Place.CARD,
    Place.DEMO,
    Place.STATISTICS,
    Place.SEARCH,
    Place.HELP,
)
M, I, IT, IP, IW, R = (  # noqa: E741
    Place.MOCK,
    Place.SIT,
    Place.SIT_TICK,
    Place.PROVE,
    Place.PAUSE,
    Place.REPORT,
)

# Terminals and tmux cannot tell some keys from others (Textual issues 5689, 4215, 3440):
# Ctrl+Enter and Alt+Enter from Enter, Ctrl+H from Backspace, Ctrl+I from Tab.  None is used.
ACTIONS: tuple[Action, ...] = (
    Action("start", ("enter", "r"), (T,)),
    Action("more", ("m",), (T,)),
    Action("interview", ("i",), (T,)),
    Action("browse", ("c",), (T,)),
    Action("statistics", ("s",), (T,)),
    Action("reveal", ("ctrl+s", "f5"), (A,)),
    Action("begin", ("enter",), (M,)),
    Action("give", ("ctrl+s", "f5"), (I,)),
    Action("sure", ("ctrl+t",), (A, I)),
    Action("hint", ("f4",), (I,)),
    Action("record", ("ctrl+r",), (A, I), optional=True),
    Action("give_up", ("ctrl+g",), (A, I)),
    Action("skip", ("ctrl+n",), (A, I)),
    Action("spoke", ("ctrl+o",), (I,)),
    Action("pause", ("f8",), (I,)),
    Action("go_on", ("enter",), (IT, IP, IW)),
    Action("prove_here", ("d",), (IP,)),
    Action("prove_record", ("r",), (IP,)),
    Action("end_early", ("f9",), (I, IT, IP, IW)),
    Action("study", ("s",), (R,)),
    Action("export", ("w",), (R,)),
    Action("accept", ("enter",), (K,)),
    Action("follow_up", ("f",), (K,)),
    Action("rate_again", ("a",), (K,), footer=False),
    Action("rate_hard", ("h",), (K,), footer=False),
    Action("rate_good", ("g",), (K,), footer=False),
    Action("rate_easy", ("e",), (K,), footer=False),
    Action("tick_chosen", ("space", "x"), (K, IT), footer=False),
    Action("card", ("c",), (K,)),
    Action("demo", ("d",), (K, C)),
    Action("prove_all", ("p",), (C, D)),
    Action("edit", ("o",), (C,)),
    Action("suspend", ("z",), (K, C), footer=False),
    Action("next_section", ("n", "]"), (C, R), footer=False),
    Action("previous_section", ("[",), (C, R), footer=False),
    Action("review_card", ("r",), (C,)),
    Action("linked", ("f",), (C,)),
    Action("run", ("r", "enter"), (D,)),
    Action("next_demo", ("n", "tab"), (D,), optional=True),
    Action("cancel", ("x",), (D, IP)),
    Action("undo", ("u",), (T, K)),
    Action("search", ("slash",), (T, C, S), footer=False),
    Action("language", ("f2", "l"), (E,)),
    Action("theme", ("f3",), (E,), footer=False),
    Action("help", ("f1", "question_mark"), (E,)),
    Action("back", ("escape",), (A, K, C, D, S, F, H, M, I, IT, IP, IW, R)),
    Action("quit", ("q", "ctrl+q"), (E,)),
    Action("interrupt", ("ctrl+c",), (E,), footer=False),
)


def at(place: Place) -> Iterator[Action]:
    """Yield the actions on offer at a place: its own first, then those that hold everywhere."""
    for wanted in (place, Place.EVERYWHERE):
        yield from (action for action in ACTIONS if wanted in action.places)


def key_at(action: Action, place: Place) -> str:
    """Return the key to name at a place: where text is typed, one that types nothing."""
    if place in (Place.ASK, Place.SEARCH, Place.SIT):
        return next(filter(types_nothing, action.keys), action.keys[0])
    return action.keys[0]


def types_nothing(key: str) -> bool:
    """Tell the keys that hold while text is typed: Ctrl, Escape and the function keys."""
    return key.startswith("ctrl+") or key == "escape" or (key[0] == "f" and key[1:].isdigit())
