"""Visits to servers of the user's own: looked at before anything is measured, left as found after.

The stand-in of a server is started alone, once for each scenario, because the data that clients ask
for may differ between scenarios. What it finds and does is kept in ``run.json``, what it was told
and said in ``targets/`` of the run's folder.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from wirelab.model.disclosure import NOT_FOREIGN
from wirelab.model.mistake import MistakeError
from wirelab.model.own import OwnServerFindings
from wirelab.model.planned import PlannedTrial
from wirelab.model.trial import RoleRecord
from wirelab.processes.guardian import Guardian, session_of
from wirelab.processes.interrupts import uninterrupted
from wirelab.run.session import SetupsOfTrials
from wirelab.samples.run_folder import RunFolder
from wirelab.trial.failure import TrialError
from wirelab.trial.roles import Roles
from wirelab.trial.setup import TrialSetup
from wirelab.trial.sockets import waiting_at

Task = Literal["check", "remove"]


class NotMeasuredError(MistakeError):
    """A server of the user's own cannot be measured against; nothing was measured."""


@dataclass(frozen=True)
class _Visit:
    program: str
    role: str
    trial: PlannedTrial
    setup: TrialSetup


@contextmanager
def visited(
    folder: RunFolder, setups: SetupsOfTrials, say: Callable[[str], None]
) -> Iterator[None]:
    """Have the servers of the user's own made ready, and left as they were found.

    Raises NotMeasuredError, in the words of the stand-in, for one that cannot be measured against.
    With ``--fill``, what lies there under our name is removed whatever becomes of the run.
    """
    own = folder.read_run().disclosure.own
    if not own.targets:
        yield
        return
    visits = list(_visits(folder, setups))
    try:
        for visit in visits:
            _note(folder, visit.program, _carried_out(visit, folder, "check"))
            _note_process(folder, visit)
        yield
    finally:
        if own.fill:
            for visit in visits:
                _clear(visit, folder, say)


def _clear(visit: _Visit, folder: RunFolder, say: Callable[[str], None]) -> None:
    """Remove what is ours; where that fails it is said, and what was measured is kept."""
    try:
        _note(folder, visit.program, _carried_out(visit, folder, "remove"))
    except NotMeasuredError as error:
        say(f"nothing could be removed from your server for {visit.program}: {error}")


def _visits(folder: RunFolder, setups: SetupsOfTrials) -> Iterator[_Visit]:
    """A visit for each server and scenario of the plan."""
    run = folder.read_run()
    seen = set()
    for trial in run.plan:
        setup = setups.of(trial, session_of(run.id))
        for role, target in setup.targets.items():
            if (key := (target.program, trial.scenario)) not in seen:
                seen.add(key)
                yield _Visit(target.program, role, trial, setup)


def _carried_out(visit: _Visit, folder: RunFolder, task: Task) -> RoleRecord:
    """Record of the stand-in when it had done its task."""
    target = replace(visit.setup.targets[visit.role], task=task)
    setup = replace(visit.setup, targets={visit.role: target})
    kept = folder.target(f"{visit.trial.scenario}-{visit.program}-{task}")
    folder.begin_anew(kept)
    mark = f"{setup.run}/{kept.name}"
    sandboxes = setup.sandboxes()
    roles = Roles(visit.trial, setup, mark, kept, sandboxes=sandboxes)
    with Guardian(setup.run):
        try:
            _until_done(roles, visit.role, setup)
        except TrialError as error:
            said = [one["message"] for one in roles.records[visit.role].errors]
            raise NotMeasuredError(said[-1] if said else _unsaid(error, kept)) from None
        finally:
            with uninterrupted():
                roles.end_all()
                roles.close()
                if sandboxes is not None:
                    sandboxes.close()
    return roles.records[visit.role]


def _until_done(roles: Roles, role: str, setup: TrialSetup) -> None:
    limit = setup.scenario.ready_limit
    worker = roles.start(role)
    if not roles.wait(lambda: bool(roles.records[role].ready), worker.started_ns + limit):
        raise TrialError("never-ready", f"{role} was not ready in {limit / 1e9:g} s", role)
    worker.stop()
    within = time.monotonic_ns() + setup.scenario.stop_limit
    roles.wait(lambda: not worker.running, within)


def _unsaid(error: TrialError, kept: Path) -> str:
    return f"your server could not be looked at: {error.detail} (see {kept})"


def _note_process(folder: RunFolder, visit: _Visit) -> None:
    """Disclose that a server which is on this machine is no foreign demand."""
    address = visit.setup.targets[visit.role].address
    said = [f"{visit.program} at {address}: {pid}" for pid in sorted(waiting_at(address))]
    run = folder.read_run()
    host = run.disclosure.host
    if said := [one for one in said if one not in host.get(NOT_FOREIGN, [])]:
        told = {**host, NOT_FOREIGN: [*host.get(NOT_FOREIGN, []), *said]}
        disclosure = run.disclosure.model_copy(update={"host": told})
        folder.write_run(run.model_copy(update={"disclosure": disclosure}))


def _note(folder: RunFolder, program: str, record: RoleRecord) -> None:
    """Keep what was found and done with what the run discloses."""
    run = folder.read_run()
    library: dict[str, Any] = record.ready["library"]
    facts: dict[str, Any] = record.ready["facts"]
    before = run.disclosure.own.found.get(program)
    found = before or OwnServerFindings(
        product=library["name"],
        version=library["version"],
        counter=facts.get("counter", ""),
    )
    done = {
        "written": found.written + facts.get("written", 0),
        "removed": found.removed + facts.get("removed", 0),
    }
    own = run.disclosure.own
    all_found = {**own.found, program: found.model_copy(update=done)}
    disclosure = run.disclosure.model_copy(
        update={"own": own.model_copy(update={"found": all_found})}
    )
    folder.write_run(run.model_copy(update={"disclosure": disclosure}))
