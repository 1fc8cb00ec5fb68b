"""Runs stored in an earlier format are read as what they were."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from synthetic import Client, load_run
from wirelab.model.load import Closed, Cycle, Load, Microbenchmark, Open, Paced
from wirelab.model.run import Run
from wirelab.samples.conversion import VERSION
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
    assert json.loads((folder / "run.json").read_text())["schema_version"] == VERSION
    assert RunFolder(folder).read_run() == run


@pytest.mark.parametrize("version", [0, VERSION + 1, "two"])
def test_a_later_format_is_named(folder: Path, version: object) -> None:
    run = json.loads((folder / "run.json").read_text()) | {"schema_version": version}
    (folder / "run.json").write_text(json.dumps(run))
    with pytest.raises(UnreadableFileError, match=rf"schema_version {version}, and 1 to {VERSION}"):
        RunFolder(folder).read_run()


def test_both_formats_say_their_version() -> None:
    assert Run.model_fields["schema_version"].default == VERSION
