"""The begin of a run: what was asked for becomes a folder with its plan and its disclosure."""

from __future__ import annotations

import datetime
import os
import sys
from pathlib import Path

import wirelab
from wirelab import doctor
from wirelab.model.disclosure import Disclosure
from wirelab.model.run import Run
from wirelab.plan.make_up import make_up_of
from wirelab.plan.order import plan
from wirelab.run.revision import revision
from wirelab.run.setups import TrialSetups
from wirelab.samples.new_folder import new_folder
from wirelab.samples.run_folder import RunFolder


def begin(setups: TrialSetups, results: Path, repository: Path) -> RunFolder:
    """Make the folder of a new run."""
    suite, selection = setups.suite, setups.selection
    available = [setups.participants[entry.name].manifest for entry in setups.available]
    barred = {name: list(found.barred) for name, found in setups.participants.items()}
    now = datetime.datetime.now(datetime.UTC)
    scenarios = {
        name: selection.as_asked(name, suite.manifest.scenarios[name])
        for name in selection.scenarios
    }
    variants = {name: found.barred_variants for name, found in setups.participants.items()}
    trials = plan(suite.manifest, available, selection, barred, variants)
    folder = RunFolder(new_folder(results, f"{now:%Y%m%d-%H%M%S}-{suite.name}-{selection.profile}"))
    folder.write_run(
        Run(
            id=folder.path.name,
            suite=suite.name,
            suite_title=suite.manifest.title,
            profile=selection.profile,
            metrics=suite.manifest.metrics,
            modes=suite.manifest.modes,
            scenarios=scenarios,
            settings=dict(selection.settings),
            trials=selection.trials,
            until=selection.until,
            make_up=make_up_of(trials, scenarios, selection.until, selection.make_up_ns),
            services=setups.services,
            generators={name: suite.manifest.generators[name] for name in selection.generators},
            participants=setups.participants,
            code=setups.code,
            elsewhere={
                entry.name: str(entry.folder)
                for entry in setups.contenders
                if entry.name not in suite.contenders
            },
            suite_folder="" if suite.folder.parent == repository / "suites" else str(suite.folder),
            plan=trials,
            disclosure=Disclosure(
                started_at=now.isoformat(timespec="seconds"),
                wirelab=wirelab.__version__,
                git_revision=revision(repository),
                host=doctor.disclosure(),
                command_line=["wl", *sys.argv[1:]],
                seed=selection.seed,
                load_before=list(os.getloadavg()),
                own=selection.own,
                sandbox=setups.confinement.program,
                unconfined=setups.confinement.reason,
                unconfined_builds=setups.unconfined_builds,
                keyed=setups.keyed,
                unforeseen=setups.unforeseen,
                granted=setups.confinement.granted,
                accounts=setups.accounts,
            ),
        )
    )
    return folder
