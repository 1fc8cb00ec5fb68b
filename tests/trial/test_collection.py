"""Looks, within bounds, at what a trial left, whatever is in it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from synthetic import load_scenario
from wirelab.model.parts import Operation
from wirelab.model.planned import PlannedTrial
from wirelab.samples import format as samples
from wirelab.trial import turns
from wirelab.trial.collection import TrialCollection
from wirelab.trial.failure import TrialError
from wirelab.trial.load import load_of
from wirelab.trial.parts import TrialParts

OPERATIONS = {"read": Operation(code=1), "connect": Operation(code=2, due="join")}


def recorded(path: Path, *, read: int, connect: int) -> Path:
    records = np.zeros(read + connect, dtype=samples.RECORD)
    records["op"] = [1] * read + [2] * connect
    samples.write_parquet(records, path)
    return path


def test_far_more_records_than_were_due_are_refused(
    planned_trial: PlannedTrial, tmp_path: Path
) -> None:
    load = load_of(planned_trial, load_scenario())
    due = load.most_at_ticks(OPERATIONS["read"])
    assert due
    kept = recorded(tmp_path / "client.parquet", read=2 * due, connect=5 * due)
    turns.check_number(load, OPERATIONS, kept, "client")
    kept = recorded(tmp_path / "client.parquet", read=2 * due + 1, connect=0)
    with pytest.raises(TrialError, match=f"{2 * due + 1} records of read, .* {due} times") as told:
        turns.check_number(load, OPERATIONS, kept, "client")
    assert (told.value.reason, told.value.role) == ("more-than-turns", "client")


def test_an_exception_at_what_a_role_left_ends_its_trial_alone(tmp_path: Path) -> None:
    def unexpected(_folder: Path) -> None:
        raise LookupError("nobody expected this")

    recorder = SimpleNamespace(recorded=SimpleNamespace(write=unexpected))
    names = ("scenario", "load", "wire", "answers", "verification")
    parts = SimpleNamespace(
        **dict.fromkeys(names),
        folder=tmp_path,
        processes=["client"],
        measured="client",
        roles=SimpleNamespace(records={}, not_kept=None),
        sampler=recorder,
    )
    problem = TrialCollection(cast("TrialParts", parts)).collect(stopped_early=False)
    assert problem is not None
    assert (problem.reason, problem.role) == ("harness-failed", "client")
    assert problem.detail.startswith("LookupError: nobody expected this (test_collection.py:")
