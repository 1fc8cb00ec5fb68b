"""Kinds of recorded operations, as a suite's rule says them turn by turn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wirelab.manifest import load_contender, load_suite
from wirelab.model.planned import PlannedTrial
from wirelab.plan.order import plan
from wirelab.plan.selection import Selection
from wirelab.samples import format as samples
from wirelab.samples import kinds as kinds_file
from wirelab.trial import kinds
from wirelab.trial.failure import TrialError
from wirelab.trial.load import load_of
from wirelab.trial.turns import KeptRecords, good_records

CLOSED = Path(__file__).parents[1] / "sabotage" / "closed"
SUITE = load_suite(CLOSED / "suite.toml")
HONEST = load_contender(CLOSED / "contenders/honest/contender.toml", SUITE)
SCENARIO = SUITE.scenarios["turns"]
ECHO = SCENARIO.operations["echo"].model_copy(update={"kinds": ["even", "odd"]})
TICK0_NS = 5_000_000_000

Turns = list[tuple[int, int]]
Said = Callable[[Turns], list[str | None]]


@pytest.fixture
def trial() -> PlannedTrial:
    """Two lanes for 12 ticks, then three for 22."""
    [planned] = plan(SUITE, [HONEST], Selection(["turns"], "once", 1))
    return planned


def turns_of(trial: PlannedTrial) -> Turns:
    return [
        (tick, lane)
        for step in trial.load.steps
        for tick in range(step.first, step.first + step.count)
        for lane in range(step.lanes)
    ]


def recorded(turns: Turns) -> samples.Records:
    records = np.zeros(len(turns), dtype=samples.RECORD)
    for record, (tick, lane) in zip(records, turns, strict=True):
        record["intended_ns"] = record["start_ns"] = TICK0_NS + 1_000_000 * tick + lane
        record["end_ns"] = record["start_ns"] + 500_000
        record["op"], record["lane"] = ECHO.code, lane
    return records


def found(
    trial: PlannedTrial, records: samples.Records, folder: Path, said: Said
) -> kinds_file.KindColumns:
    samples.write_parquet(records, folder / "client.parquet")

    def rule(_spec: dict[str, Any], operation: str, turns: Any) -> list[str | None]:
        assert operation == "echo"
        return said(list(turns))

    operations = {"echo": ECHO, "report": SCENARIO.operations["report"]}
    load = load_of(trial, SCENARIO)
    kept = folder / "client.parquet"
    return kinds.kinds(rule, {}, load, operations, KeptRecords(kept, TICK0_NS))


def test_records_are_read_once_for_all_rules(trial: PlannedTrial, tmp_path: Path) -> None:
    path = tmp_path / "client.parquet"
    samples.write_parquet(recorded(turns_of(trial)), path)
    load, kept = load_of(trial, SCENARIO), KeptRecords(path, TICK0_NS)
    [(_name, first)] = good_records(load, {"echo": ECHO}, kept)
    path.unlink()
    [(_name, again)] = good_records(load, {"echo": ECHO}, kept)
    assert len(first["tick"]) == len(turns_of(trial))
    assert first["tick"].tolist() == again["tick"].tolist()


def parity(turns: Turns) -> list[str | None]:
    return [("even", "odd")[tick % 2] for tick, _lane in turns]


def test_each_good_record_has_the_kind_of_its_turn(trial: PlannedTrial, tmp_path: Path) -> None:
    turns = turns_of(trial)
    assert len(turns) > 20
    records = recorded(turns)
    records["status"][3] = 2
    columns = found(trial, records, tmp_path, parity)
    good = [turn for number, turn in enumerate(turns) if number != 3]
    expected = sorted((TICK0_NS + 1_000_000 * tick + lane, lane, tick % 2) for tick, lane in good)
    own = (columns[name].tolist() for name in ("start_ns", "lane", "kind"))
    assert sorted(zip(*own, strict=True)) == expected
    assert set(columns["op"].tolist()) == {ECHO.code}


def test_what_the_rule_does_not_know_has_no_row(trial: PlannedTrial, tmp_path: Path) -> None:
    records = recorded(turns_of(trial))
    columns = found(trial, records, tmp_path, lambda turns: [None] * len(turns))
    assert {name: len(column) for name, column in columns.items()} == dict.fromkeys(
        kinds_file.COLUMNS, 0
    )


def test_a_kind_that_the_manifest_does_not_name_fails_the_trial(
    trial: PlannedTrial, tmp_path: Path
) -> None:
    records = recorded(turns_of(trial))
    with pytest.raises(TrialError, match="echo has no kind 'prime'"):
        found(trial, records, tmp_path, lambda turns: ["prime"] * len(turns))


def test_what_was_kept_is_read_again(trial: PlannedTrial, tmp_path: Path) -> None:
    columns = found(trial, recorded(turns_of(trial)), tmp_path, parity)
    assert kinds_file.read(tmp_path) == {}
    (tmp_path / "kinds.parquet").mkdir()  # as a role may have left it
    kinds_file.write(columns, tmp_path)
    again = kinds_file.read(tmp_path)
    assert {name: column.tolist() for name, column in again.items()} == {
        name: column.tolist() for name, column in columns.items()
    }
