"""Whether two cells, or two runs, are alike enough to be compared, and what differs."""

from __future__ import annotations

from typing import Any

from wirelab.compare.comparison import Difference
from wirelab.model.own import Own
from wirelab.model.result import Cell, Result

_CODE = "code."


def unlike(old: Cell, new: Cell, old_run: Result, new_run: Result) -> str:
    """Code of what makes two cells of one name unlike; empty when they are alike."""
    if old.mode != new.mode:
        return "mode-differs"
    if old.parameters != new.parameters:
        return "parameters-differ"
    if _work(old, old_run) != _work(new, new_run):
        return "scenario-differs"
    return ""


def _work(cell: Cell, run: Result) -> dict[str, Any]:
    """The work that the scenario asks of a contender; its length and number of trials are no part
    of it.
    """
    scenario = run.scenarios[cell.scenario]
    work = scenario.model_dump(include={"roles"})
    work |= {"kind": scenario.kind, "load": scenario.played.model_dump()}
    work["operations"] = {
        name: operation.model_dump(include={"every", "items", "deadline", "due"})
        for name, operation in scenario.operations.items()
    }
    variant = scenario.variants.get(cell.variant)
    if not scenario.is_scheduled and (step := scenario.steps.get(cell.step)) is not None:
        # Of an open loop a step is a load; of a closed one it is work, and its time a figure.
        work["step"] = step.model_dump(exclude={"title"})
    work["faults"] = [fault.model_dump() for fault in variant.faults] if variant else []
    return work


def same_length(cell: Cell, old_run: Result, new_run: Result) -> bool:
    """Whether a trial of the cell lasts as long in both runs."""
    lengths = []
    for run in (old_run, new_run):
        scenario = run.scenarios[cell.scenario]
        variant = scenario.variants.get(cell.variant)
        measure = scenario.profiles[run.profile]
        own = (variant.count, 0) if variant and variant.count else (measure.count, measure.warmup)
        lengths.append((*own, measure.ramp))
    return lengths[0] == lengths[1]


def code_changed(contender: str, old: Result, new: Result) -> bool:
    """True where the contender's own folder is not the same in both runs."""
    hashes = [run.participants[contender].folder_hash for run in (old, new)]
    return hashes[0] != hashes[1]


def differences(old: Result, new: Result) -> list[Difference]:
    """The rest that changed between the runs: host, wirelab, libraries, services, code."""
    before, after = _surroundings(old), _surroundings(new)
    here_and_there = before.keys() & after.keys()
    return [
        Difference(what=what, old=before.get(what), new=after.get(what))
        for what in sorted(before.keys() | after.keys())
        if before.get(what) != after.get(what)
        # Code that is in one of the runs alone has not changed.
        and (what in here_and_there or not what.startswith(_CODE))
    ]


def _surroundings(run: Result) -> dict[str, Any]:
    host = {
        f"host.{key}": value
        for key, value in run.disclosure.host.items()
        if isinstance(value, (str, int, float, bool))
    }
    libraries = {
        f"library.{name}": f"{p.manifest.library.name} {p.manifest.library.version}"
        for name, p in run.participants.items()
    }
    services = {
        f"service.{name}": " ".join(str(facts.get(k, "")) for k in ("name", "version")).strip()
        for name, facts in run.services.items()
    }
    code = {
        f"{_CODE}{name}": p.folder_hash for name, p in run.participants.items() if p.folder_hash
    }
    runtimes = {f"runtime.{name}": said for name, said in run.runtimes.items()}
    sandbox = run.disclosure.sandbox
    confined = {} if sandbox is None else {"sandbox": sandbox or "none"}
    accounts = run.disclosure.accounts
    if accounts is not None:
        confined |= {f"accounts.{key}": value for key, value in accounts if key != "reason"}
    written_to = ", ".join(run.file_system_types)
    return {
        "wirelab": run.disclosure.wirelab,
        "wirelab.revision": run.disclosure.git_revision,
        "profile": run.profile,
        **confined,
        **({"file_system": written_to} if written_to else {}),
        **_own(run.disclosure.own),
        **code,
        **runtimes,
        **host,
        **libraries,
        **services,
    }


def _own(own: Own) -> dict[str, Any]:
    """Parts that the user has put in the place of wirelab's own."""
    servers = {f"own.target.{service}": address for service, address in own.targets.items()}
    found = {f"own.found.{service}": f"{f.product} {f.version}" for service, f in own.found.items()}
    items = {"own.items": ", ".join(own.items)} if own.items else {}
    python = {"own.python": own.python} if own.python else {}
    return {**servers, **found, **items, **python}
