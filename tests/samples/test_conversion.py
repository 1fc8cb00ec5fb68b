"""Runs and trials stored in an earlier format are read as what they were."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from synthetic import (
    Client,
    Coder,
    SyntheticRun,
    closed_run,
    crowd_run,
    load_run,
    loops_run,
)
from wirelab.model.load import Closed, Cycle, Load, Microbenchmark, Open, Paced
from wirelab.model.result import Result
from wirelab.model.run import Run
from wirelab.model.schema_version import SCHEMA_VERSION
from wirelab.model.trial import TrialRecord
from wirelab.samples.conversion import converted
from wirelab.samples.run_folder import RunFolder
from wirelab.samples.stored import UnreadableFileError

SECOND = 1_000_000_000
CAPACITY = {
    "parameter": "users",
    "lowest": 10,
    "highest": 400,
    "bounds": [{"metric": "read.attainment", "at_least": 99}],
}
LOADS: dict[str, tuple[dict[str, Any], str, Load]] = {
    "paced": ({"loop": "paced"}, "load", Paced(type="paced", period=SECOND)),
    "open": (
        {"loop": "open", "cycle": {"length": 3, "active": 2}},
        "load",
        Open(type="open", period=SECOND, cycle=Cycle(length=3, active=2)),
    ),
    "closed": ({"loop": "closed", "kind": "load"}, "load", Closed(type="closed", at_most=SECOND)),
    "batches": (
        {"loop": "closed", "kind": "batches", "under": ""},
        "microbenchmark",
        Microbenchmark(type="microbenchmark", about=SECOND),
    ),
    "counted": (
        {"loop": "closed", "kind": "batches", "under": "callgrind"},
        "microbenchmark",
        Microbenchmark(type="microbenchmark", about=SECOND, instrument="callgrind"),
    ),
    "ceiling": (
        {"loop": "open", "kind": "ceiling"},
        "ceiling",
        Open(type="open", period=SECOND),
    ),
    "capacity": (
        {"loop": "open", "kind": "capacity", "capacity": CAPACITY},
        "capacity",
        Open(type="open", period=SECOND),
    ),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return load_run({"swift": Client()}).write(tmp_path)


def in_the_second_format(trial: dict[str, Any], **marks: Any) -> dict[str, Any]:
    """A planned trial with fields of all loads, those of others filled; ``marks`` replace some."""
    load = dict(trial["load"])
    load.pop("processes", None)  # of later formats
    fields: dict[str, Any] = {"cycle": {"length": 1, "active": 1}, "loops": None, "closed": False}
    match load.pop("type"):
        case "scheduled":
            fields |= load
        case "closed":
            steps = [{**step, "join_ns": 0} for step in load["steps"]]
            fields |= {"period_ns": load["at_most_ns"], "steps": steps, "closed": True}
            fields |= {"count": steps[-1]["first"] + steps[-1]["count"]}
            fields |= {"warmup": steps[0]["settle"]}
        case "microbenchmark":
            sizes = {"first": 0, "count": 1, "settle": 0, "users": 1, "lanes": 1, "join_ns": 0}
            steps = [{"name": name, **sizes} for name in load.pop("steps")]
            fields |= {"period_ns": load.pop("about_ns"), "count": 1, "warmup": 0}
            fields |= {"steps": steps, "loops": load}
    return {key: value for key, value in trial.items() if key != "load"} | fields | marks


def write_second_format(folder: Path, **marks: Any) -> None:
    """Make ``run.json`` and every ``trial.json`` ones of the second format."""
    run = json.loads((folder / "run.json").read_text())
    run["plan"] = [in_the_second_format(trial, **marks) for trial in run["plan"]]
    (folder / "run.json").write_text(json.dumps({**run, "schema_version": 2}))
    for path in folder.glob("trials/*/trial.json"):
        record = json.loads(path.read_text())
        record["planned"] = in_the_second_format(record["planned"], **marks)
        del record["schema_version"]
        path.write_text(json.dumps(record))


def write_first_format(folder: Path, scenario: dict[str, Any]) -> None:
    """Make ``run.json`` one of the first format, its only scenario as ``scenario`` has it."""
    run = json.loads((folder / "run.json").read_text())
    (name,) = run["scenarios"]
    kept = {
        key: value
        for key, value in run["scenarios"][name].items()
        if key not in ("load", "capacity", "reference_only")
    }
    run["scenarios"][name] = {**kept, "period": SECOND, **scenario}
    run["plan"] = []  # its trials are of another load
    for role in run["scenarios"][name]["roles"].values():
        role["by"] = role.pop("provider")
    run["programs"] = run.pop("services")
    run["schema_version"] = 1
    (folder / "run.json").write_text(json.dumps(run))


@pytest.mark.parametrize("name", LOADS)
def test_a_scenario_of_the_first_format_has_its_load(folder: Path, name: str) -> None:
    scenario, kind, load = LOADS[name]
    write_first_format(folder, scenario)
    (read,) = RunFolder(folder).read_run().scenarios.values()
    assert (read.kind, read.played, read.period) == (kind, load, SECOND)
    assert read.reference_only == (name == "ceiling")


def test_what_was_read_is_written_in_the_present_format(folder: Path) -> None:
    write_first_format(folder, LOADS["open"][0])
    run = RunFolder(folder).read_run()
    RunFolder(folder).write_run(run)
    assert json.loads((folder / "run.json").read_text())["schema_version"] == SCHEMA_VERSION
    assert RunFolder(folder).read_run() == run


@pytest.mark.parametrize(
    "run",
    [
        load_run({"swift": Client()}),
        crowd_run({"swift": Client()}),
        closed_run({"swift": Client()}),
        loops_run({"swift": Coder()}),
    ],
    ids=["paced", "open", "closed", "microbenchmark"],
)
def test_a_trial_of_the_second_format_has_its_load(tmp_path: Path, run: SyntheticRun) -> None:
    folder = RunFolder(run.write(tmp_path))
    plan = folder.read_run().plan
    records = [folder.read_record(trial.id) for trial in plan]
    write_second_format(tmp_path)
    assert plan
    assert folder.read_run().plan == plan == run.run.plan
    assert [folder.read_record(trial.id) for trial in plan] == records


def test_a_closed_loop_need_not_say_so_itself(tmp_path: Path) -> None:
    """The first runs had no such key: their scenario says it, and a record by its steps."""
    run = closed_run({"swift": Client()})
    folder = RunFolder(run.write(tmp_path))
    write_second_format(tmp_path, closed=False)
    (first, *_) = folder.read_run().plan
    record = folder.read_record(first.id)
    assert record is not None
    assert first == record.planned == run.run.plan[0]


def test_roles_of_the_third_format_say_who_provides_them(folder: Path) -> None:
    now = RunFolder(folder).read_run()
    run = json.loads((folder / "run.json").read_text())
    for scenario in run["scenarios"].values():
        for role in scenario["roles"].values():
            role["by"] = role.pop("provider").replace("service:", "program:")
            role["beside"] = role.pop("colocated_with")
    for participant in run["participants"].values():
        manifest = participant["manifest"]
        del manifest["provided_by"]
        manifest["fills"] = {"server": "program:server"}
        now.participants["swift"].manifest.provided_by["server"] = "service:server"
    run["programs"] = run.pop("services")
    (folder / "run.json").write_text(json.dumps(run | {"schema_version": 3}))
    assert RunFolder(folder).read_run() == now


@pytest.mark.parametrize("version", [0, SCHEMA_VERSION + 1, "two"])
def test_a_later_format_is_named(folder: Path, version: object) -> None:
    run = json.loads((folder / "run.json").read_text()) | {"schema_version": version}
    (folder / "run.json").write_text(json.dumps(run))
    with pytest.raises(
        UnreadableFileError, match=rf"schema_version {version}, and 1 to {SCHEMA_VERSION}"
    ):
        RunFolder(folder).read_run()


@pytest.mark.parametrize("model", [Run, TrialRecord, Result])
def test_each_format_says_its_version(model: type[BaseModel]) -> None:
    assert model.model_fields["schema_version"].default == SCHEMA_VERSION


def test_figures_of_the_fifth_format_have_the_verdict_of_their_cell() -> None:
    finding = {"gate": "steal", "verdict": "invalid", "evidence": {}}
    metrics = {"read.latency.p50": {"value": 1.0, "unit": "ms"}}
    spoiled = {"verdict": "invalid", "findings": [finding], "metrics": metrics}
    fine = {"verdict": "valid", "metrics": {"rss.max": {"value": 1.0, "unit": "MB"}}}
    stored = json.dumps({"schema_version": 5, "cells": [spoiled, fine]}).encode()
    first, second = json.loads(converted(stored))["cells"]
    assert first["metrics"]["read.latency.p50"]["verdict"] == "invalid"
    assert first["metrics"]["read.latency.p50"]["gates"] == ["steal"]
    assert "verdict" not in second["metrics"]["rss.max"]


def test_trials_of_the_sixth_format_are_included_or_not(tmp_path: Path) -> None:
    written = load_run({"swift": Client()}).write(tmp_path)
    now, trials = RunFolder(written).read_run(), sorted(written.glob("trials/*/trial.json"))
    records = [RunFolder(written).read_record(path.parent.name) for path in trials]
    assert {trial.included for trial in now.plan} == {True, False}
    for path in (written / "run.json", *trials):
        text = path.read_text().replace('"included"', '"counted"')
        path.write_text(json.dumps(json.loads(text) | {"schema_version": 6}))
    assert '"counted":' in (written / "run.json").read_text()
    assert RunFolder(written).read_run() == now
    assert [RunFolder(written).read_record(path.parent.name) for path in trials] == records


def test_evidence_of_the_sixth_format_says_how_many_trials_are_included() -> None:
    evidence = {"failed": {}, "missing": [], "counted": 2}
    cell = {"findings": [{"gate": "trial-failed", "verdict": "warn", "evidence": evidence}]}
    stored = json.dumps({"schema_version": 6, "cells": [cell]}).encode()
    [read] = json.loads(converted(stored))["cells"]
    assert read["findings"][0]["evidence"] == {"failed": {}, "missing": [], "included": 2}
