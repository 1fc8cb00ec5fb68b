"""A run of any suite of the tree in little, from its manifests: figures made up, all of it valid.

Every contender of the suite is in every step of every scenario that it names. Suites whose reports
need more than that (answers, searches, counts) have samples of their own beside this one.
"""

from __future__ import annotations

import json
from pathlib import Path

from codec_sample import sample as codec
from messaging_sample import sample as messaging
from report_build import cell, metric, participant, result
from report_sample import sample as opcua
from websocket_sample import sample as websocket

from wirelab.catalog import SuiteEntry, find_catalog
from wirelab.cells.ranks import ranked, rankings
from wirelab.model.result import Cell, Metric, Result
from wirelab.model.run import Participant, Run
from wirelab.model.suite import Scenario

ROOT = Path(__file__).parents[2]
LEVELS = ("mean", "p50", "p90", "p95", "p99", "max")


def suites() -> list[str]:
    """Every suite of the tree."""
    return sorted(find_catalog(ROOT).suites)


def sample_of(suite: str) -> Result:
    """The sample of a suite: its own where it has one, or one made from its manifests."""
    own = {
        "codec": codec,
        "messaging": messaging,
        "opcua": lambda: opcua()[0],
        "websocket": websocket,
    }
    return own[suite]() if suite in own else from_manifests(suite)


def from_manifests(suite: str) -> Result:
    """The suite's contenders in each of its scenarios with a load."""
    entry = find_catalog(ROOT).suite(suite)
    loads = {name: s for name, s in entry.manifest.scenarios.items() if s.kind == "load"}
    cells = [
        _cell(suite, name, step, contender)
        for name, scenario in loads.items()
        for contender in _contenders(entry, name)
        for step in ["", *scenario.steps]
    ]
    filled = [
        one.model_copy(update={"metrics": _metrics(loads[one.scenario], at)})
        for at, one in enumerate(cells)
    ]
    people = {name: _participant(entry, name) for name in entry.contenders}
    return result(
        ranked(filled, loads, {name: person.manifest for name, person in people.items()}),
        scenarios=loads,
        participants=people,
        suite=suite,
        suite_title=entry.manifest.title,
        run=f"20260102-030405-{suite}-quick",
    )


def write_run(folder: Path, found: Result) -> Path:
    """The folder of a run as the command line reads it: the plan, and the result."""
    run = Run(
        id=found.run,
        suite=found.suite,
        suite_title=found.suite_title,
        profile=found.profile,
        scenarios=found.scenarios,
        programs=found.programs,
        participants=found.participants,
        plan=[],
        disclosure=found.disclosure,
    )
    folder.mkdir(exist_ok=True)
    (folder / "run.json").write_text(run.model_dump_json(), "utf-8")
    (folder / "result.json").write_text(found.model_dump_json(), "utf-8")
    (folder / "series.json").write_text(json.dumps({"cells": {}}), "utf-8")
    return folder


def _contenders(entry: SuiteEntry, scenario: str) -> list[str]:
    return [
        name
        for name, found in sorted(entry.contenders.items())
        if not found.manifest.scenarios or scenario in found.manifest.scenarios
    ]


def _participant(entry: SuiteEntry, name: str) -> Participant:
    return participant(name).model_copy(update={"manifest": entry.contenders[name].manifest})


def _cell(suite: str, scenario: str, step: str, contender: str) -> Cell:
    made = cell(contender, scenario_name=scenario)
    place = "/".join(part for part in (suite, scenario, step, contender) if part)
    return made.model_copy(update={"id": place, "suite": suite, "step": step, "statuses": {}})


def _metrics(scenario: Scenario, at: int) -> dict[str, Metric]:
    found = {ranking.metric: _about(10 + at, "ms") for ranking in rankings(scenario)}
    for operation in scenario.operations:
        for clock in ("latency", "response"):
            found |= {f"{operation}.{clock}.{level}": _about(10 + at, "ms") for level in LEVELS}
        found[f"{operation}.rate"] = _about(100 + at, "op/s")
        found[f"{operation}.error.count"] = metric(0, "count")
    found |= {"cpu.mean": _about(5 + at, "%"), "rss.max": _about(60 + at, "MB")}
    return found


def _about(value: float, unit: str) -> Metric:
    each = [value * share for share in (0.98, 1.0, 1.02)]
    return metric(value, unit, (each[0], each[-1]), 3000, each)
