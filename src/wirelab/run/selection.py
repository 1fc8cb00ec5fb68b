"""What is to be measured: a selection of the catalog becomes a run folder with its plan."""

from __future__ import annotations

import datetime
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import wirelab
from wirelab import doctor
from wirelab.catalog import ContenderEntry, SuiteEntry
from wirelab.model.own import OUR_OWN, Own
from wirelab.model.run import Disclosure, Run
from wirelab.model.units import Scalar
from wirelab.plan.order import PlanChoice, plan
from wirelab.run.staging import Stages
from wirelab.samples.run_folder import RunFolder


@dataclass(frozen=True)
class Selection:
    """What the user asked for, in names that the catalog knows."""

    scenarios: Sequence[str]
    contenders: Sequence[ContenderEntry]
    profile: str
    settings: Mapping[str, Scalar]
    seed: int
    generators: Sequence[str] = ()
    trials: int | None = None
    own: Own = OUR_OWN


def begin(
    suite: SuiteEntry, selection: Selection, stages: Stages, results: Path, repository: Path
) -> RunFolder:
    """Make the folder of a new run, with its plan and its disclosure."""
    available = [stages.participants[entry.name].manifest for entry in stages.available]
    choice = PlanChoice(
        selection.profile,
        selection.seed,
        selection.settings,
        selection.generators,
        selection.trials,
        {name: list(found.barred) for name, found in stages.participants.items()},
    )
    now = datetime.datetime.now(datetime.UTC)
    folder = _new_folder(results, f"{now:%Y%m%d-%H%M%S}-{suite.name}-{selection.profile}")
    folder.write_run(
        Run(
            id=folder.path.name,
            suite=suite.name,
            suite_title=suite.manifest.title,
            profile=selection.profile,
            metrics=suite.manifest.metrics,
            scenarios={
                name: choice.as_asked(suite.manifest.scenarios[name])
                for name in selection.scenarios
            },
            programs=stages.programs,
            generators={name: suite.manifest.generators[name] for name in selection.generators},
            participants=stages.participants,
            elsewhere={
                entry.name: str(entry.folder)
                for entry in selection.contenders
                if entry.name not in suite.contenders
            },
            suite_folder="" if suite.folder.parent == repository / "suites" else str(suite.folder),
            plan=plan(suite.manifest, selection.scenarios, available, choice),
            disclosure=Disclosure(
                started_at=now.isoformat(timespec="seconds"),
                wirelab=wirelab.__version__,
                git_revision=_revision(repository),
                host=doctor.disclosure(),
                command_line=["wl", *sys.argv[1:]],
                seed=selection.seed,
                load_before=list(os.getloadavg()),
                own=selection.own,
            ),
        )
    )
    return folder


def _new_folder(results: Path, name: str) -> RunFolder:
    for number in range(1, 100):
        path = results / (name if number == 1 else f"{name}-{number}")
        try:
            path.mkdir(parents=True)
        except FileExistsError:
            continue
        return RunFolder(path)
    raise FileExistsError(f"{results / name} and 98 more like it exist")


def _revision(repository: Path) -> str:
    """Commit of the repository, marked when files differ from it; empty outside of git."""
    try:
        described = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--abbrev=12"],
            cwd=repository,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return ""
    return described.stdout.strip()
