"""WebSocket servers that spare themselves a part of the work, harm others by it, or are lax with
the protocol below their messages.

Through the real core and the real engine: each is named by the gate it is a matter of. They take
turns.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

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
    "answers-pings-emptily": set[str](),  # see below: counted, and nobody is accused of it
    "reads-any-bytes": set[str](),  # see below: the same
    "forgets-frames-at-pings": {"wrong-answer"},
    "accepts-without-a-digest": {"loss-or-error"},
    "masks-its-frames": {"wrong-answer", "loss-or-error"},
    "compresses-unasked": {"wrong-answer", "loss-or-error"},
    "skips-the-busy": {"loss-or-error"},
}
"""Contender: all gates that speak of its messages."""

BY_CHANCE = {"shares-nothing": {"wrong-answer"}}
"""Seen where the user that comes back is not of the half of the one that draws."""

LISTENING = {"drops-listeners"}
"""Cheats whose users do not all draw; the others are where all do."""

DRAWN = having_turn(CHEATS)


def taking_turns(names: Iterable[str]) -> list[Any]:
    """Parameters of a test, each left to the commits with which it has its turn."""
    return [pytest.param(name, marks=has_turn(name, DRAWN)) for name in names]


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
    "forgets-frames-at-pings": "FramesNotJoined",
    "accepts-without-a-digest": "ConnectFailed",
    "masks-its-frames": "ConnectionLost",
    "compresses-unasked": "ConnectionLost",
}
"""Contender: the class of what the engine says of it."""


CONDUCT = {
    "answers-pings-emptily": {"ping.misquoted", "invalid.ended"},
    "reads-any-bytes": {"ping.quoted", "invalid.kept", "invalid.spread"},
}
"""Contender: what the engine counts of it when nothing is due any more."""


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


@pytest.mark.parametrize("contender", taking_turns(sorted(CHEATS.keys() - LISTENING)))
def test_a_server_is_accused_of_what_it_spares_itself(drawing: Results, contender: str) -> None:
    said = spoken(drawing, contender) - BY_CHANCE.get(contender, set())
    assert said == CHEATS[contender], drawing.records[contender]["detail"]


@pytest.mark.parametrize("contender", taking_turns(SAID))
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


@pytest.mark.parametrize("contender", taking_turns(CONDUCT))
def test_what_a_server_does_by_itself_is_counted(drawing: Results, contender: str) -> None:
    told = [
        *("ping.quoted", "ping.misquoted"),
        *("invalid.named", "invalid.ended", "invalid.kept", "invalid.spread"),
    ]
    found = {name: drawing.metric(contender, f"connect.{name}.count") for name in told}
    assert {name for name, count in found.items() if count} == CONDUCT[contender]


@has_turn("accepts-without-a-digest", DRAWN)
def test_a_handshake_that_is_answered_without_its_key_connects_nobody(drawing: Results) -> None:
    assert drawing.done["accepts-without-a-digest"]["alike"] == USERS
    assert sum(drawing.failed("accepts-without-a-digest", "connect").values()) == USERS


@has_turn("skips-the-busy", DRAWN)
def test_what_a_busy_member_was_not_sent_is_lost(drawing: Results) -> None:
    lost = drawing.done["skips-the-busy"]["lost"]
    assert lost > 0
    assert drawing.metric("skips-the-busy", "delivery.loss.count") == lost


@has_turn("corks", DRAWN)
def test_what_the_kernel_holds_back_is_told_as_well(drawing: Results) -> None:
    held = drawing.findings("corks")["held-back"]
    assert held["verdict"] == "warn"
    of = held["evidence"]["operations"]["delivery"]
    assert of["count"] > of["received"] / 2
    assert drawing.done["corks"]["corked"] >= USERS


def test_nothing_is_left(drawing: Results) -> None:
    assert left_of(drawing.folder) == set()
