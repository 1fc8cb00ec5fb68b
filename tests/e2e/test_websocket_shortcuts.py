"""WebSocket servers that spare themselves a part of the work, or harm others by it.

Through the real core and the real engine: each is named by the gate it is a matter of. They take
turns.
"""

from __future__ import annotations

import pytest

from e2e.drawn import has_turn, having_turn
from e2e.whiteboards import Results, a_house, cheating, measured
from e2e.whole_runs import left_of, only

pytestmark = [pytest.mark.e2e, pytest.mark.long(2), pytest.mark.needs("cargo")]

USERS = 40

CHEATS = {
    "shares-nothing": {"loss-or-error"},
    "joins-messages": {"wrong-answer", "loss-or-error"},
    "sends-bytes": {"wrong-answer", "loss-or-error"},
    "cuts-pads": {"wrong-answer", "loss-or-error"},
    "sheds-unasked": {"wrong-answer", "loss-or-error"},
    "drops-listeners": {"loss-or-error"},
    "foretells-joined": {"loss-or-error"},
    "skims": {"wrong-answer"},
    "ends-everybody": {"wrong-answer"},
    "answers-no-pings": {"wrong-answer"},
    "reads-frame-by-frame": {"wrong-answer"},
    "refuses-frames": {"wrong-answer"},
    "corks": set[str](),  # see below: not a matter of the messages
}
"""Contender: all gates that speak of its messages."""

BY_CHANCE = {"shares-nothing": {"wrong-answer"}}
"""Seen where the user that comes back is not of the half of the one that draws."""

LISTENING = {"drops-listeners"}
"""Cheats whose users do not all draw; the others are where all do."""

DRAWN = having_turn(CHEATS)

OF_MESSAGES = {
    *("wrong-answer", "loss-or-error", "duplicated", "reordered"),
    *("trial-failed", "rate-missed", "clock"),
}

SAID = {
    "joins-messages": "Garbage",
    "sends-bytes": "Garbage",
    "cuts-pads": "ChangedContent",
    "sheds-unasked": "Garbage",
    "foretells-joined": "JoinedUnasked",
    "skims": "InvalidPassedOn",
    "ends-everybody": "OthersHarmed",
    "answers-no-pings": "PingUnanswered",
    "reads-frame-by-frame": "FramesNotJoined",
    "refuses-frames": "FrameRefused",
}
"""Contender: the class of what the engine says of it."""


@pytest.fixture(scope="module")
def drawing(tmp_path_factory: pytest.TempPathFactory) -> Results:
    here = tmp_path_factory.mktemp("shortcuts")
    made = [str(cheating(here, name)) for name in DRAWN if name not in LISTENING]
    chosen = only("--contender", made)
    return measured(a_house(here), "--scenario", "board", "--seed", "1", *chosen)


@pytest.fixture(scope="module")
def listening(tmp_path_factory: pytest.TempPathFactory) -> Results:
    here = tmp_path_factory.mktemp("listening")
    made = [str(cheating(here, name)) for name in sorted(LISTENING)]
    chosen = only("--contender", ["honest", *made])
    return measured(a_house(here), "--scenario", "listening", "--seed", "1", *chosen)


def spoken(run: Results, contender: str) -> set[str]:
    """Gates that found something wrong with messages."""
    found = run.findings(contender).items()
    return {gate for gate, of in found if of["verdict"] != "valid"} & OF_MESSAGES


@pytest.mark.parametrize("contender", [name for name in DRAWN if name not in LISTENING])
def test_a_server_is_accused_of_what_it_spares_itself(drawing: Results, contender: str) -> None:
    said = spoken(drawing, contender) - BY_CHANCE.get(contender, set())
    assert said == CHEATS[contender], drawing.records[contender]["detail"]


@pytest.mark.parametrize("contender", [name for name in DRAWN if name in SAID])
def test_what_was_wrong_is_named(drawing: Results, contender: str) -> None:
    errors = drawing.records[contender]["roles"]["generator"]["errors"]
    assert {error["class"] for error in errors} >= {SAID[contender]}


@has_turn("drops-listeners", DRAWN)
def test_a_user_that_is_dropped_is_a_failure_though_nothing_is_owed_to_it(
    listening: Results,
) -> None:
    assert spoken(listening, "honest") == set()
    assert spoken(listening, "drops-listeners") == CHEATS["drops-listeners"]
    dropped = listening.done["drops-listeners"]["dropped"]
    assert dropped >= USERS / 2
    assert listening.failed("drops-listeners", "connect") == {"dropped": dropped}
    assert listening.metric("drops-listeners", "delivery.loss.count") == 0


@has_turn("foretells-joined", DRAWN)
def test_who_had_joined_before_it_asked_had_not(drawing: Results) -> None:
    assert drawing.done["foretells-joined"]["foretold"] == USERS
    assert sum(drawing.failed("foretells-joined", "connect").values()) == USERS


@has_turn("ends-everybody", DRAWN)
def test_a_board_that_ends_with_one_member_was_harmed(drawing: Results) -> None:
    assert drawing.done["ends-everybody"]["ended"] >= USERS - 2


@has_turn("corks", DRAWN)
def test_what_the_kernel_holds_back_is_told_as_well(drawing: Results) -> None:
    held = drawing.findings("corks")["held-back"]
    assert held["verdict"] == "warn"
    of = held["evidence"]["operations"]["delivery"]
    assert of["count"] > of["received"] / 2
    assert drawing.done["corks"]["corked"] >= USERS


def test_nothing_is_left(drawing: Results) -> None:
    assert left_of(drawing.folder) == set()
