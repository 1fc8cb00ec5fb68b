"""All checks of a worker: a whole life, being stopped, and specs that cannot be used."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from .answers import check_answers, check_preflight, check_published, check_values
from .batches import check_batches, check_judged
from .closed import check_steps
from .contract import CONTRACT, SECOND, Json
from .conversation import (
    check_end,
    check_events,
    check_nothing_done,
    check_ready,
    check_runtime,
    stop,
)
from .expected import check_expected
from .intervals import check_intervals
from .limits import CheckLimits
from .partners import Partners
from .process import Process
from .samples import check_clock, check_samples
from .schedule import check_schedule
from .serving import check_being_a_server
from .spec import make_spec
from .starting import scratch_of
from .trial import CheckedTrials, trials_of
from .verdict import Check, first_failure, verdict
from .worker import CheckedWorker

_LONG = 6000
_LONG_WITHOUT_TICKS = 1_000_000
"""Ticks of a schedule that no check waits for the end of; a closed loop does not wait for them."""

_OTHER_CONTRACT = "other contract"
_UNKNOWN = CONTRACT + 1

Part = Callable[[CheckedTrials], list[Check]]
"""Some of the checks that follow the first trial, which is a whole life."""


def check_being_stopped(trials: CheckedTrials) -> list[Check]:
    """`stop` and the end of input, in the middle of a long schedule.

    A server has no schedule: its ends are those of its own checks.
    """
    return list(_ends(trials, early=False)) if trials.worker.measured else []


def check_being_stopped_early(trials: CheckedTrials) -> list[Check]:
    """The same before any start."""
    return list(_ends(trials, early=True)) if trials.worker.measured else []


def _ends(trials: CheckedTrials, *, early: bool) -> Iterator[Check]:
    worker = trials.worker
    ways: list[tuple[str, str, Callable[[Process], None]]] = [
        ("stop", "when told to stop", stop),
        ("end of input", "when its input ended", Process.end_input),
    ]
    for name, asked, tell in ways:
        with trials.trial(_LONG_WITHOUT_TICKS if worker.is_closed else _LONG) as trial:
            if not early:
                trial.start()
                time.sleep(0.5 if worker.is_closed else _some_ticks_s(worker))
            trial.stop(tell)
            full = f"{name} before start" if early else name
            verdicts = [check_end(trial, full, asked), check_samples(trial, full)]
            if not early:
                verdicts.append(check_schedule(trial, full, whole=False))
                verdicts.append(check_steps(trial, full, whole=False))
        yield first_failure(verdicts)


def _some_ticks_s(worker: CheckedWorker) -> float:
    return 0.1 + max(0.4, 4.5 * worker.period_ns / SECOND)


def check_bad_specs(trials: CheckedTrials) -> list[Check]:
    """Specs that cannot be used, all at once: a non-zero exit, and no hang.

    In the spec of another contract nothing else is wrong, and its partners are there: a worker
    that does not look at ``contract`` gets ready.
    """
    worker = trials.worker
    limit_s = min(worker.ready_ns / SECOND, trials.limits.gives_up_s)
    with trials.partners() as partners, contextlib.ExitStack() as stack:
        processes = {}
        for name in ("no spec", "spec missing", "spec garbage", _OTHER_CONTRACT):
            scratch, trial = scratch_of(worker, trials.folder)
            path = scratch / "spec.json"
            if name == "spec garbage":
                path.write_bytes(b"\x00 this is no spec {")
            elif name == _OTHER_CONTRACT:
                path.write_text(json.dumps(_of_other_contract(worker, trial, scratch, partners)))
            process = Process(worker, None if name == "no spec" else path, scratch, trial)
            stack.callback(lambda process: trials.left.extend(process.end()), process)
            processes[name] = process
        deadline = time.monotonic() + limit_s
        # Whoever gets ready has taken the spec for one, and waits for a start from now on.
        ready = {
            name: p.event("ready", deadline - time.monotonic()) for name, p in processes.items()
        }
        codes = {
            name: p.wait(0 if ready[name] else deadline - time.monotonic())
            for name, p in processes.items()
        }
        partners.must_run(0)
    return [_given_up(name, codes[name], ready[name], limit_s) for name in processes]


def _of_other_contract(
    worker: CheckedWorker, trial: str, scratch: Path, partners: Partners
) -> Json:
    count = worker.ticks if worker.measured else 0
    spec = make_spec(worker, trial, scratch, count, partners.endpoints, partners.facts)
    return {**spec, "contract": _UNKNOWN}


def _given_up(name: str, code: int | None, ready: Json | None, limit_s: float) -> Check:
    if ready is not None:
        of_what = f"contract {_UNKNOWN}" if name == _OTHER_CONTRACT else "nothing it can use"
        return Check(name, "fail", f"says ready to a spec of {of_what}")
    if code is None:
        return Check(name, "fail", f"hangs instead of giving up: still there after {limit_s:g} s")
    if code == 0:
        return Check(name, "fail", "exit 0, as if it had worked")
    return Check(name, "pass", f"exit {code}")


_PATIENT = CheckLimits()

PARTS: tuple[Part, ...] = (
    check_being_stopped,
    check_being_stopped_early,
    check_being_a_server,
    check_bad_specs,
)


def check(
    worker: CheckedWorker, *, parts: Sequence[Part] = PARTS, limits: CheckLimits = _PATIENT
) -> list[Check]:
    """A whole life of ``worker``, then ``parts``; CannotCheckError when it cannot be started.

    A worker that does not get ready is not asked anything further, and one that is not ``whole``
    neither.
    """
    with trials_of(worker, limits) as trials:
        checks = _check_whole_life(trials)
        if worker.whole and checks[0].outcome == "pass":
            checks += [found for part in parts for found in part(trials)]
    checks.append(verdict("leftovers", [f"left running: {line}" for line in trials.left], "none"))
    if worker.left_out:
        what = f"left to the core, which plays them: {', '.join(worker.left_out)}"
        checks.append(Check("faults", "n/a", what))
    return checks


def _check_whole_life(trials: CheckedTrials) -> list[Check]:
    """A whole schedule (a server: until told to stop), and everything it wrote."""
    worker = trials.worker
    count = worker.ticks if worker.measured else 0
    with trials.trial(count) as trial:
        checks = [check_ready(trial)]
        if trial.ready is None:
            checks.append(check_events(trial))
        elif worker.measured:
            checks.append(check_preflight(trial))
            trial.start()
            trial.conclude(worker.schedule_ns(count) / SECOND)
            checks += [check_events(trial), check_runtime(trial)]
            checks.append(check_end(trial, "done", "after its schedule"))
            checks += [check_samples(trial), check_schedule(trial), check_clock(trial)]
            checks += [] if (told := check_steps(trial)).outcome == "n/a" else [told]
            checks += [check_answers(trial), check_published(trial), check_values(trial)]
            checks += [check_expected(trial)] if worker.is_to_fail else []
            checks += [check_intervals(trial), check_batches(trial), check_judged(trial)]
        else:
            time.sleep(trials.limits.serving_s)
            trial.stop(stop)
            checks += [check_events(trial), check_runtime(trial)]
            checks += [check_end(trial, "stop", "when told to stop")]
            checks += [check_nothing_done(trial), check_samples(trial)]
    return checks
