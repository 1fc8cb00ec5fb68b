"""Checks of a server: bad clients, another instance beside it, a crash and a restart."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Sequence

from . import leftovers
from .abuse import AbusiveClient
from .conversation import check_end, check_events, stop
from .process import Process
from .samples import check_samples
from .sockets import CONNECT_S, listens, waits
from .trial import CheckedTrial, CheckedTrials
from .verdict import Check, first_failure, verdict

_POLL_S = 0.01

_INPUT_ENDED = "end of input before start"


def check_being_a_server(trials: CheckedTrials) -> list[Check]:
    """Check that a server bears its clients, and ends with its input; one that breaks is asked no
    more.

    Nothing else is asked of a server that was started again, so its input may end. One that
    does not come so far is started for that.
    """
    if trials.worker.measured:
        return []
    checks = _check_instances(trials)
    if _INPUT_ENDED not in {check.name for check in checks}:
        with trials.trial() as alone:
            checks.append(_check_input_ended(alone))
    return checks


def _check_instances(trials: CheckedTrials) -> list[Check]:
    """One instance that is abused, and one beside it that is killed and started again."""
    with trials.trial() as first:
        if first.ready is None:
            words = first.process.last_words()
            return [Check("second start", "fail", f"not ready when it was started again{words}")]
        checks = [_check_abuse(first)]
        if checks[0].outcome == "fail":
            return checks  # what is no server any more says nothing of the rest
        with trials.trial() as second:
            checks.append(_check_beside(first, second))
            if second.ready is not None:
                checks.append(_check_crash(second))
        if second.ready is not None:
            checks += _check_restart(trials, _listen_of(second))
        checks += _check_stop_while_serving(first)
    return checks


def _client(trial: CheckedTrial) -> AbusiveClient:
    return AbusiveClient((trial.ready or {}).get("endpoint", ""))


def _listen_of(trial: CheckedTrial) -> str:
    host, port = _client(trial).address
    return f"{host}:{port}"


def _let_in(trial: CheckedTrial, connections: Sequence[socket.socket]) -> None:
    """Wait until the server has accepted all of them, and has had time to begin to serve them."""
    deadline = time.monotonic() + CONNECT_S
    while any(map(waits, connections)) and time.monotonic() < deadline:
        time.sleep(_POLL_S)
    time.sleep(trial.limits.settle_s)


def _trouble(trial: CheckedTrial) -> str:
    """The reason why the server does not serve any more; empty when it does."""
    trouble = ""
    try:
        _client(trial).greet().close()
    except OSError as error:
        trouble = f"no further client is served: {error}"
    # A process that is about to end closes its sockets first.
    code = trial.process.wait(trial.limits.settle_s if trouble else 0)
    return trouble if code is None else f"exit {code}{trial.process.last_words()}"


def _check_abuse(trial: CheckedTrial) -> Check:
    """Neither the server nor a process of it ends for what a client sends."""
    client, process = _client(trial), trial.process
    before = leftovers.members(process.pid, process.trial)
    with client.half_a_request():
        time.sleep(trial.limits.settle_s)
        before &= leftovers.members(process.pid, process.trial)
        tried = 0
        for what, act in client.abuses():
            tried += 1
            # That it fails is the server's good right; that the next client fails is not.
            with contextlib.suppress(OSError):
                act()
            if trouble := _trouble(trial):
                return Check("abuse", "fail", f"after {what}: {trouble}")
        time.sleep(trial.limits.settle_s)
        trouble = _trouble(trial)
    findings = [f"after all of it: {trouble}"] if trouble else []
    if gone := before - leftovers.members(process.pid, process.trial):
        findings.append(f"{len(gone)} of its processes ended{process.last_words()}")
    return verdict("abuse", findings, f"serves after {tried} abuses")


def _check_beside(first: CheckedTrial, second: CheckedTrial) -> Check:
    """A second instance gets a port of its own and leaves the first alone."""
    if second.ready is None:
        words = second.process.last_words()
        return Check("beside", "fail", f"a second instance did not get ready{words}")
    ports = [_client(trial).address[1] for trial in (first, second)]
    findings = []
    if ports[0] == ports[1]:
        findings.append(f"both instances say port {ports[0]}")
    elif not listens(second.process.pid, second.process.trial, ports[1]):
        findings.append(f"the second instance does not listen on port {ports[1]} itself")
    for name, trial in (("first", first), ("second", second)):
        if trouble := _trouble(trial):
            findings.append(f"the {name} of two instances: {trouble}")
    return verdict("beside", findings, f"two instances, ports {ports[0]} and {ports[1]}")


def _check_crash(trial: CheckedTrial) -> Check:
    """The processes that the worker started end by themselves when its own is killed."""
    with contextlib.ExitStack() as connections, contextlib.suppress(OSError):
        # Connections that it has taken keep its port busy for a while; those that wait do not.
        _let_in(trial, [connections.enter_context(_client(trial).greet()) for _ in range(2)])
        left = trial.process.kill(trial.limits.children_leave_s)
        findings = [f"still running: {line}" for line in left]
        return verdict("killed", findings, "no process is left")
    return Check("killed", "n/a", "no client could be served before")


def _check_restart(trials: CheckedTrials, listen: str) -> list[Check]:
    """The core starts a killed server again at the port that it had; then its input ends."""
    with trials.trial(listen=listen) as trial:
        if trial.ready is None:
            words = trial.process.last_words()
            return [Check("restart", "fail", f"not ready at {listen}, where it was killed{words}")]
        findings = []
        if _listen_of(trial) != listen:
            findings.append(f"listens at {_listen_of(trial)}, not at {listen} as it was told")
        if trouble := _trouble(trial):
            findings.append(trouble)
        checks = [verdict("restart", findings, f"listens at {listen} again")]
        return [*checks, _check_input_ended(trial)]


def _check_input_ended(trial: CheckedTrial) -> Check:
    """The end of input, before any start: a server is told of none."""
    trial.stop(Process.end_input)
    ended = check_end(trial, _INPUT_ENDED, "when its input ended")
    return first_failure([ended, check_samples(trial, _INPUT_ENDED)])


def _check_stop_while_serving(trial: CheckedTrial) -> list[Check]:
    """`stop` while clients are connected, and what was said meanwhile."""
    with contextlib.ExitStack() as connections:
        with contextlib.suppress(OSError):
            half = connections.enter_context(_client(trial).half_a_request())
            greeted = [connections.enter_context(_client(trial).greet()) for _ in range(2)]
            # Whom it has not let in yet, it does not serve.
            _let_in(trial, [half, *greeted])
        trial.stop(stop)
    asked = "when told to stop with clients connected"
    said = check_events(trial)
    return [
        check_end(trial, "stop while serving", asked),
        Check("clean output", said.outcome, said.detail),
    ]
