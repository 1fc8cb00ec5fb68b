"""Gates of the wire: whom they accuse of records that it does not bear out."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import pytest
from gates_support import spoken

from synthetic import Client, SyntheticRun
from synthetic.folder import Trial
from synthetic.wire import wire_run
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
