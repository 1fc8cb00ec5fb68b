"""Messaging that takes a shorter way than the wire, or another than it was told, at ticks as well.

Each is named by the gate it is a matter of; they take turns. Who is honest does the same in each
scenario.
"""

from __future__ import annotations

import pytest

from e2e.drawn import has_turn, having_turn
from e2e.mailboxes import Results, measured
from e2e.whole_runs import left_of

pytestmark = [pytest.mark.e2e]

ONE_IN = 10
"""Messages of which one went to somebody else."""

CHEATS = {
    "answers-at-once": ("pacing", {"less-traffic"}),
    "speaks-in-private": ("pacing", {"less-traffic"}),
    "answers-later": ("pacing", {"wrong-answer", "loss-or-error"}),
    "explains-errors-away": ("pacing", {"loss-or-error"}),
    "tells-at-home-by-the-clock": ("showering", {"less-traffic"}),
    "tells-by-broadcast": ("showering", {"less-traffic"}),
    "misdelivers": ("gathering", {"wrong-answer", "loss-or-error"}),
    "ignores-topics": ("gathering", {"wrong-answer"}),
    "answers-before-asked": ("streaming", {"loss-or-error"}),
    "takes-in-batches": ("streaming", set[str]()),  # see below: not a matter of the messages
}
"""Contender: its scenario, and all gates that speak of its messages."""

BY_CHANCE = {"tells-by-broadcast": {"loss-or-error"}}
"""Datagrams for which there is no room on a busy machine."""

DRAWN = having_turn(CHEATS)
SCENARIOS = {CHEATS[name][0] for name in DRAWN}

OF_MESSAGES = {
    *("wrong-answer", "loss-or-error", "duplicated", "reordered", "less-traffic"),
    *("trial-failed", "clock"),
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Results:
    cheats = {name: CHEATS[name][0] for name in DRAWN}
    return measured(tmp_path_factory.mktemp("shortcuts"), SCENARIOS, {"honest"}, cheats)


@pytest.mark.parametrize("contender", DRAWN)
def test_a_shorter_way_is_told_of_and_nothing_else(run: Results, contender: str) -> None:
    scenario, gates = CHEATS[contender]
    key = scenario, contender
    said = run.spoken(key) & OF_MESSAGES
    assert said - BY_CHANCE.get(contender, set()) == gates, run.records[key]["detail"]


@pytest.mark.parametrize("scenario", sorted(SCENARIOS))
def test_who_is_honest_is_accused_of_nothing(run: Results, scenario: str) -> None:
    key = scenario, "honest"
    assert run.spoken(key) & OF_MESSAGES == set(), run.records[key]["detail"]
    assert run.records[key]["status"] == "ok"


@has_turn("misdelivers", DRAWN)
def test_what_came_to_somebody_else_did_not_come(run: Results) -> None:
    evidence = run.finding("gathering", "misdelivers", "wrong-answer")["evidence"]
    of = run.finding("gathering", "misdelivers", "loss-or-error")["evidence"]["operations"]
    delivery = of["delivery"]
    assert run.done["gathering", "misdelivers"]["elsewhere"] >= evidence["own_checks"] > 0
    # What came wrong belongs to the second in which it came, what is lost to when it was due.
    assert delivery["lost"] == pytest.approx(evidence["own_checks"], abs=4)
    assert delivery["lost"] == pytest.approx(delivery["expected"] / ONE_IN, abs=1)


@has_turn("ignores-topics", DRAWN)
def test_what_comes_to_who_wants_nothing_is_wrong(run: Results) -> None:
    # Three of four users want nothing.
    assert run.done["gathering", "ignores-topics"]["told all the same"] >= 3
    evidence = run.finding("gathering", "ignores-topics", "wrong-answer")["evidence"]
    assert evidence["own_checks"] == pytest.approx(3 * 4 * 100, rel=0.1)


@has_turn("speaks-in-private", DRAWN)
def test_what_is_said_in_private_is_not_on_the_loopback(run: Results) -> None:
    assert run.done["pacing", "speaks-in-private"]["in private"] > 90
    found = run.finding("pacing", "speaks-in-private", "less-traffic")
    (of,) = found["evidence"]["trials"].values()
    assert of["payload"] > of["received"]


@has_turn("takes-in-batches", DRAWN)
def test_messages_that_are_handed_over_together_are_told(run: Results) -> None:
    held = run.finding("streaming", "takes-in-batches", "held-back")
    of = held["evidence"]["operations"]["delivery"]
    assert of["count"] > of["received"] / 2


def test_nothing_is_left(run: Results) -> None:
    assert left_of(run.folder) == set()
