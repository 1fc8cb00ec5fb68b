"""Gates of the wire: whom they accuse of records that it does not bear out."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from gates_support import spoken

from synthetic import Client, SyntheticRun
from synthetic.folder import Trial
from synthetic.wire import ANSWERED, ASKED, wire_run
from wirelab.gates.catalogue import blamed
from wirelab.gates.gate import Blame
from wirelab.model.result import Cell, Verdict
from wirelab.witness.rows import REASONS

Judge = Callable[[SyntheticRun], Cell]


def forgets(trial: Trial, every: int) -> None:
    """Take every so many requests, and their answers, off the wire."""
    assert trial.witness is not None
    kept = trial.witness.messages["request"] % every != 0
    left = {name: column[kept] for name, column in trial.witness.messages.items()}
    trial.witness = dataclasses.replace(trial.witness, messages=left)


def test_what_the_wire_bears_out_is_not_spoken_of(judge: Judge) -> None:
    assert not {"not-on-the-wire", "sent-before-start"} & set(spoken(judge(wire_run(CLIENTS))))


@pytest.mark.parametrize(
    ("measured", "blame"),
    [("contender", Blame.CONTENDER), ("engine:websocket", Blame.GENERATOR)],
)
def test_whoever_records_is_accused(judge: Judge, measured: str, blame: Blame) -> None:
    run = wire_run(CLIENTS, measured=measured)
    for trial in run.trials:
        forgets(trial, every=5)
    cell = judge(run)
    finding = spoken(cell)["not-on-the-wire"]
    assert finding.verdict is Verdict.INVALID
    assert {one[0]["absent"] > 10 for one in finding.evidence["trials"].values()} == {True}
    assert finding.trials
    assert blamed(finding, cell.id) is blame


def takes_turns(trial: Trial, connections: int, *, at_once: bool) -> None:
    """Spread the requests over connections, which take turns or follow each other."""
    assert trial.witness is not None
    of_each = len(trial.samples) // connections + 1

    def spread(columns: Mapping[str, Any]) -> dict[str, Any]:
        number = columns["position"] // np.where(columns["way"] == 0, ASKED, ANSWERED)
        chosen = number % connections if at_once else number // of_each
        return {**columns, "connection": chosen}

    packets, messages = spread(trial.witness.packets), spread(trial.witness.messages)
    trial.witness = dataclasses.replace(trial.witness, packets=packets, messages=messages)


def with_three(at_most: int | None, *, at_once: bool) -> SyntheticRun:
    """A run whose requests use three connections where so many are allowed at a time."""
    run = wire_run(CLIENTS, connections=at_most)
    for trial in run.trials:
        takes_turns(trial, 3, at_once=at_once)
    return run


def test_who_uses_more_connections_at_a_time_than_it_may_is_accused(judge: Judge) -> None:
    cell = judge(with_three(1, at_once=True))
    told = spoken(cell)
    assert "not-on-the-wire" not in told
    assert cell.trials
    used = {"read": {"used": 3, "at_most": 1}}
    assert told["more-connections"].evidence["trials"] == dict.fromkeys(cell.trials, used)


@pytest.mark.parametrize(("at_most", "at_once"), [(3, True), (None, True), (1, False)])
def test_who_may_use_as_many_or_one_after_the_other_is_not(
    judge: Judge, at_most: int | None, at_once: bool
) -> None:
    told = spoken(judge(with_three(at_most, at_once=at_once)))
    assert not {"more-connections", "not-on-the-wire"} & set(told)


def of_four_users(connections: int, *, own_connection: bool = True) -> SyntheticRun:
    """A run of four users, whose requests go over so many connections in turn."""
    run = wire_run(CLIENTS, own_connection=own_connection)
    for trial in run.trials:
        takes_turns(trial, connections, at_once=True)
        reads = trial.samples["op"] == 1
        trial.samples["lane"] = np.where(reads, (np.cumsum(reads) - 1) % 4, 0)
    return run


@pytest.mark.parametrize("connections", [1, 2])
def test_users_that_share_a_connection_where_each_has_its_own_are_accused(
    judge: Judge, connections: int
) -> None:
    told = spoken(judge(of_four_users(connections)))
    assert "not-on-the-wire" not in told
    finding = told["shared-connection"]
    assert finding.verdict is Verdict.INVALID
    assert finding.trials
    for trial in finding.evidence["trials"].values():
        ratio = trial["read"]["carried"] / trial["read"]["of_one"]
        assert ratio == pytest.approx(4 / connections, rel=0.1)


@pytest.mark.parametrize(("connections", "own_connection"), [(4, True), (1, False)])
def test_users_that_have_their_own_or_need_none_are_not(
    judge: Judge, connections: int, own_connection: bool
) -> None:
    told = spoken(judge(of_four_users(connections, own_connection=own_connection)))
    assert not {"shared-connection", "not-on-the-wire"} & set(told)


@pytest.mark.parametrize(("times", "verdict"), [(1, Verdict.VALID), (50, Verdict.INVALID)])
def test_who_drowns_the_witness_is_told_from_who_is_fast(
    judge: Judge, times: int, verdict: Verdict
) -> None:
    run = wire_run(CLIENTS)
    for trial in run.trials:
        fall_silent(trial, "rate")
        assert trial.witness is not None
        more = {name: np.tile(column, times) for name, column in trial.witness.packets.items()}
        trial.witness = dataclasses.replace(trial.witness, packets=more)
    finding = spoken(judge(run))["unwitnessed"]
    assert finding.verdict is verdict
    for one in finding.evidence["trials"].values():
        assert one["unseen"] > 100
        assert one["drowned"] == (one["unseen"] if verdict is Verdict.INVALID else 0)


def test_rows_that_were_left_out_drown_it_too(judge: Judge) -> None:
    run = wire_run(CLIENTS)
    for trial in run.trials:
        fall_silent(trial, "rate")
        trial.record["witness"]["left_out"] = 1_000_000
    finding = spoken(judge(run))["unwitnessed"]
    assert finding.verdict is Verdict.INVALID
    for one in finding.evidence["trials"].values():
        assert one["drowned"] == one["unseen"] > 100


def fall_silent(trial: Trial, reason: str) -> None:
    """Let the witness see nothing of the second half of a trial."""
    assert trial.witness is not None
    at = trial.samples["start_ns"]
    columns = {
        "begin_ns": [int(np.median(at))],
        "end_ns": [int(at.max())],
        "reason": [REASONS.index(reason)],
    }
    unseen = {
        name: np.concatenate([old, np.array(columns[name], dtype=old.dtype)])
        for name, old in trial.witness.unseen.items()
    }
    trial.witness = dataclasses.replace(trial.witness, unseen=unseen)


@pytest.mark.parametrize(
    ("reason", "dropped", "verdict"),
    [
        ("stream", 0, Verdict.INVALID),
        ("stream", 3, Verdict.VALID),
        ("foreign", 0, Verdict.INVALID),
        ("foreign", 3, Verdict.INVALID),
        ("drops", 3, Verdict.VALID),
        ("clock", 0, Verdict.VALID),
    ],
)
def test_who_blinds_the_witness_is_told_from_whom_it_missed(
    judge: Judge, reason: str, dropped: int, verdict: Verdict
) -> None:
    run = wire_run(CLIENTS)
    for trial in run.trials:
        fall_silent(trial, reason)
        assert trial.witness is not None
        trial.witness = dataclasses.replace(trial.witness, dropped=dropped)
        trial.record["witness"]["dropped"] = dropped
    finding = spoken(judge(run))["unwitnessed"]
    assert finding.verdict is verdict
    for one in finding.evidence["trials"].values():
        assert one["unseen"] > 100
        assert one["unfollowed"] == (one["unseen"] if verdict is Verdict.INVALID else 0)


CLIENTS = {"swift": Client(median_ms=2.0)}
