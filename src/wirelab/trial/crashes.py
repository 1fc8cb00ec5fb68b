"""Places to look at after a role failed: its log, and the commands to start it by hand."""

from __future__ import annotations

import shlex

from wirelab.conform.last_words import last_words
from wirelab.model.parameters import OF_THE_CORE
from wirelab.model.run import Run
from wirelab.model.several import role_of
from wirelab.model.trial import TrialRecord, TrialStatus
from wirelab.samples.run_folder import RunFolder


def log_of(record: TrialRecord) -> str:
    """The log of the role that failed, or of its first process, from the run's folder; empty where
    none did.
    """
    processes = record.processes_of(record.role)
    if record.status is not TrialStatus.FAILED or not processes or not processes[0].log:
        return ""
    return f"trials/{record.planned.id}/{processes[0].log}"


def check_by_hand(run: Run, record: TrialRecord) -> str:
    """The check that plays the core for the role that failed, where it is the contender's.

    The spec of a trial leads to its files and to roles that have ended, so the check makes both
    anew.
    """
    planned = record.planned
    scenario = run.scenarios[planned.scenario]
    role = role_of(record.role, scenario.roles)
    if not role or not scenario.roles[role].is_contenders:
        return ""
    elsewhere = run.elsewhere.get(planned.contender)
    words = ["./wl", "conform"]
    if elsewhere:
        words += [elsewhere, "--suite", run.suite_folder or planned.suite]
    else:
        suite = run.suite_folder or f"suites/{planned.suite}"
        words.append(f"{suite}/contenders/{planned.contender}")
    words += ["--scenario", planned.scenario]
    words += ["--variant", planned.variant] if planned.variant else []
    words += ["--role", role]
    for name, value in _asked_for(run, record).items():
        said = str(value).lower() if isinstance(value, bool) else str(value)
        words += ["--set", f"{name}={said}"]
    return shlex.join(words)


def _asked_for(run: Run, record: TrialRecord) -> dict[str, object]:
    """Parameters that neither the scenario, the variant nor the contender gives by itself."""
    planned = record.planned
    scenario = run.scenarios[planned.scenario]
    known: dict[str, object] = {**scenario.parameters}
    if planned.variant:
        known |= scenario.variants[planned.variant].parameters
    known |= run.participants[planned.contender].manifest.tuning
    return {
        name: value
        for name, value in planned.parameters.items()
        if name not in OF_THE_CORE and known.get(name) != value
    }


def places_to_look(folder: RunFolder, record: TrialRecord) -> tuple[str, ...]:
    """Lines for a terminal, in the order in which they help."""
    log = log_of(record)
    if not log:
        return ()
    run = folder.read_run()
    by_hand = check_by_hand(run, record)
    [process, *_] = record.processes_of(record.role)
    sandbox = shlex.join(["./wl", "shell", str(folder.path), record.planned.id, process.role])
    return (
        f"log: {folder.path / log}",
        *((f"by hand: {by_hand}",) if by_hand else ()),
        # The check goes without: a file that only a sandbox hides is there for it.
        *((f"its sandbox: {sandbox}",) if run.disclosure.sandbox else ()),
        f"was started as: {shlex.join(process.command)}",
        *_said_by_others(folder, record),
    )


def _said_by_others(folder: RunFolder, record: TrialRecord) -> list[str]:
    """The last words of each other role: a server may say why its client got no answer."""
    failed = record.processes_of(record.role)
    return [
        f"{name} wrote to {folder.path / 'trials' / record.planned.id / one.log}: {words}"
        for name, one in record.roles.items()
        if one not in failed and one.log and (words := last_words(one.stderr_tail))
    ]
