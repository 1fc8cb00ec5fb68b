"""Runs of the repository's own suites, by the command line of a user.

Contenders go through the main scenario of their suite with the profile ``check``: one of each
language every time, the others in turn. One of each language goes through what else the profile
``smoke`` has. Other tests run beside them, so that nothing is asserted about time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

import jsonschema

from cli.command_lines import said
from e2e.building import QUICKLY_BEGUN
from e2e.conftest import MEASURED
from reports_of_runs import MARKDOWN, with_reports
from wirelab.build import tools
from wirelab.processes import leftovers

REPOSITORY = Path(__file__).parents[2]
WITHIN_S = 3600

APART = ("env",)
"""A program that starts a run in a process of its own, as a user's shell does."""

Json = dict[str, Any]


def run_suite(
    here: Path,
    suite: str,
    *options: str,
    ends_with: Collection[int] = MEASURED,
    reports: Collection[str] = MARKDOWN,
    launcher: Sequence[str | Path] = (),
) -> Path:
    """``wl run`` of a suite with results below ``here``; the folder of the only run there."""
    told = run_below(launcher, here, suite, *options, ends_with=ends_with, reports=reports)
    (run,) = (here / "results").iterdir()
    written = [str(path) for path in run.glob("report-*")]
    assert len(written) >= len(reports) > 0, written
    untold = [path for path in written if path not in told.splitlines()]
    assert not untold, untold
    return run


def run_below(
    launcher: Sequence[str | Path],
    here: Path,
    suite: str,
    *options: str,
    ends_with: Collection[int] = MEASURED,
    reports: Collection[str] = MARKDOWN,
) -> str:
    """``wl run`` of a suite in ``here``, started by another program; its output.

    Without such a program, it runs in this process, which has loaded everything already.
    """
    words = with_reports(["run", suite, *options], reports)
    if launcher:
        ended = subprocess.run(
            [*launcher, sys.executable, "-m", "wirelab", *words],
            cwd=here,
            env={**os.environ, **QUICKLY_BEGUN},
            capture_output=True,
            text=True,
            timeout=WITHIN_S,
            check=False,
        )
    else:
        ended = said(*words, cwd=here, **QUICKLY_BEGUN)
    assert ended.returncode in ends_with, ended.stdout + ended.stderr
    return ended.stdout


def only(option: str, names: Iterable[str]) -> list[str]:
    """``option`` for each of the names."""
    return [word for name in names for word in (option, name)]


def result_of(run: Path) -> Json:
    """``result.json`` of a run."""
    loaded: Json = json.loads((run / "result.json").read_text("utf-8"))
    return loaded


def keeps_its_schema(result: Json) -> None:
    """Fail where a result is not as its schema says: all of it but its cells, and of these one with
    steps and one without of each scenario, since it takes a second for each megabyte.
    """
    schema = json.loads((REPOSITORY / "schema" / "result.schema.json").read_text("utf-8"))
    kinds = {(cell["scenario"], bool(cell["step"])): cell for cell in result["cells"]}
    assert kinds, "a result without cells"
    jsonschema.validate({**result, "cells": [*kinds.values()]}, schema)


def records_of(run: Path) -> dict[str, Json]:
    """The record of every trial that was planned, by the trial's name."""
    planned = {trial["id"] for trial in json.loads((run / "run.json").read_text("utf-8"))["plan"]}
    assert planned
    found = {path.parent.name: path for path in run.glob("trials/*/trial.json")}
    assert set(found) == planned
    return {name: json.loads(path.read_text("utf-8")) for name, path in found.items()}


def left_of(*runs: Path) -> set[int]:
    """Processes of these runs that are still there; of one run at least.

    Runs of a suite that begin in the same second have one name: their trials tell them apart.
    """
    known = {(run.name, trial) for run in runs for trial in records_of(run)}
    assert known, "no run was asked about"

    def is_of_these(mark: str) -> bool:
        return (mark.partition("/")[0], mark.rpartition("/")[2]) in known

    return leftovers.marked(is_of_these)


def no_trial_failed(run: Path) -> None:
    """Fail where a planned trial has no record, failed, or gave a wrong answer."""
    failed = {
        name: (record["status"], record["detail"], record["wrong_answers"])
        for name, record in records_of(run).items()
        if record["status"] != "ok" or record["wrong_answers"]
    }
    # Said by hand: pytest rewrites assertions of test modules alone.
    assert not failed, failed


def cells_of(result: Json, scenario: str, step: str | None = None) -> list[Json]:
    """Cells of a scenario, of all its steps or of one; there is one at least."""
    found = [
        cell
        for cell in result["cells"]
        if cell["scenario"] == scenario and step in (None, cell["step"])
    ]
    assert found, (scenario, step)
    return found


def available(result: Json, scenario: str = "") -> set[str]:
    """Contenders that ran, or of them those whose manifests let them take part in a scenario."""
    ran = {name: p for name, p in result["participants"].items() if not p["unavailable"]}
    chosen = {name: participant["manifest"]["scenarios"] for name, participant in ran.items()}
    return {name for name in ran if not (scenario and chosen[name]) or scenario in chosen[name]}


def languages_of(result: Json, names: Iterable[str]) -> set[str]:
    """The languages of these contenders."""
    return {result["participants"][name]["manifest"]["language"] for name in names}


def everybody_took_part_or_says_why_not(result: Json, asked_for: Collection[str]) -> None:
    """Fail where one who was ``asked_for`` has vanished, has no figures without a reason of its own
    manifest, or has no part in the scenarios; and where anybody else is there but a yardstick.

    No Debian package provides dotnet: where it is missing, so are contenders that are built by it;
    and of those whose packages no lock file pins, no source of NuGet may have them. Nobody brings
    folders from outside of the tree. Those that need several processors may have too few.
    """
    manifests = {name: found["manifest"] for name, found in result["participants"].items()}
    yardsticks = {name for name, manifest in manifests.items() if manifest["reference"]}
    assert asked_for, "nobody was asked for"
    vanished, uninvited = set(asked_for) - {*manifests}, {*manifests} - {*asked_for, *yardsticks}
    assert not vanished, vanished
    assert not uninvited, uninvited
    nowhere = {name for name, manifest in manifests.items() if manifest["unavailable"]["en"]}
    if tools.DOTNET.find() is None:
        nowhere |= {name for name, m in manifests.items() if m["build"]["kind"] == "dotnet"}
    nowhere |= {
        name
        for name, found in result["participants"].items()
        if found["unavailable"].startswith(f"it needs {manifests[name]['processors']} processors")
    }
    missing = {n: p["unavailable"] for n, p in result["participants"].items() if p["unavailable"]}
    nowhere |= {name for name in missing if manifests[name]["build"]["pinned"] == "version"}
    nowhere |= {name for name, manifest in manifests.items() if manifest["build"]["brought"]}
    assert set(missing) == nowhere, missing
    ran = {cell["scenario"] for cell in result["cells"]}
    asked = set().union(*(available(result, scenario) for scenario in ran))
    unlike = asked ^ {cell["contender"] for cell in result["cells"]}
    assert not unlike, unlike


def accused(result: Json, gates: set[str], *, beside: str = "") -> dict[str, list[str]]:
    """By cell: which of these gates accuse it; the scenario ``beside`` is left out."""
    assert result["cells"]
    return {
        cell["id"]: sorted(spoken)
        for cell in result["cells"]
        if cell["scenario"] != beside
        and (spoken := gates & {f["gate"] for f in cell["findings"] if f["verdict"] != "valid"})
    }
