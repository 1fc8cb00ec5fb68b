"""Parts of a trial that can be tried without one."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from synthetic import load_scenario
from wirelab.conform import sockets as conform_sockets
from wirelab.model.parts import Operation
from wirelab.model.planned import PlannedTrial
from wirelab.trial import answers, sockets
from wirelab.trial.event_line import event_in
from wirelab.trial.failure import TrialError
from wirelab.trial.load import load_of
from wirelab.trial.spec import drawn, preflight

SLEEPER = [sys.executable, "-c", "import time; time.sleep(60)"]


def sleeper(mark: str, **more: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(SLEEPER, env={**os.environ, "WIRELAB_TRIAL": mark}, **more)  # type: ignore[call-overload,no-any-return]


# ---------------------------------------------------------------- verification


def test_ticks_whose_answers_are_wanted_are_due_and_in_the_window(
    planned_trial: PlannedTrial,
) -> None:
    operations = {
        "read": Operation(code=1, preflight=2),
        "write": Operation(code=2, every=10, preflight=0),
    }
    assert preflight(operations) == {"read": 2}
    chosen = drawn(operations, load_of(planned_trial, load_scenario()).verified_ticks())
    assert len(chosen["read"]) >= 3
    assert all(tick >= 30 for ticks in chosen.values() for tick in ticks)
    assert chosen["write"]
    assert all(tick % 10 == 0 for tick in chosen["write"])


# ---------------------------------------------------------------- sockets and answers


@pytest.mark.parametrize(
    ("endpoint", "address"),
    [
        ("opc.tcp://127.0.0.1:4840", ("127.0.0.1", 4840)),
        ("http://[::1]:80/path", ("::1", 80)),
        ("127.0.0.1:9", ("127.0.0.1", 9)),
        ("unix:/tmp/socket", None),
        ("", None),
        ("tcp://127.0.0.1:65535", ("127.0.0.1", 65535)),
        ("tcp://127.0.0.1:65536", None),
        ("tcp://127.0.0.1:" + "1" * 5000, None),
    ],
)
def test_addresses_are_read_from_endpoints(endpoint: str, address: tuple[str, int] | None) -> None:
    assert sockets.address_of(endpoint) == address


@pytest.mark.parametrize("address_of", [sockets.address_of, conform_sockets.address_of])
def test_an_endpoint_of_nothing_but_digits_is_read_at_once(
    address_of: Callable[[str], tuple[str, int] | None],
) -> None:
    # A search that begins anew at each digit would take minutes.
    assert address_of("1" * 65_000) is None
    assert address_of("//127.0.0.1:" + "1" * 65_000) is None


def test_an_endpoint_that_is_too_long_is_no_event() -> None:
    ready = {"event": "ready", "contract": 2, "monotonic_ns": 1, "endpoint": "1" * 2049}
    with pytest.raises(TrialError, match="endpoint: String should have at most 2048"):
        event_in(json.dumps(ready).encode(), 3000, "client")


def test_the_owner_of_a_listening_socket_is_known() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert sockets.owns_port(os.getpid(), port) is True
        stranger = sleeper("run-s/trial-1")
        try:
            assert sockets.owns_port(stranger.pid, port) is False
        finally:
            stranger.kill()
            stranger.wait()


def test_a_descendant_in_a_network_of_its_own_hides_no_listening_socket() -> None:
    elsewhere = subprocess.Popen(
        ["unshare", "--user", "--map-root-user", "--net", "--", *SLEEPER], stderr=subprocess.DEVNULL
    )
    try:
        while elsewhere.poll() is None and same_network(elsewhere.pid):
            time.sleep(0.01)
        if elsewhere.poll() is not None:
            pytest.skip("this machine lets nobody have a network of their own")
        with socket.create_server(("127.0.0.1", 0)) as server:
            assert sockets.owns_port(os.getpid(), server.getsockname()[1]) is True
    finally:
        elsewhere.kill()
        elsewhere.wait()


def same_network(pid: int) -> bool:
    with contextlib.suppress(OSError):  # it has just ended
        return Path("/proc/self/ns/net").samefile(f"/proc/{pid}/ns/net")
    return False


def test_answers_must_be_what_done_says(tmp_path: Path) -> None:
    path = tmp_path / "client.answers.jsonl"
    path.write_bytes(b'{"a": 1}\n')
    answers.check_integrity(path, "client", 1, "5C47A1FA")
    with pytest.raises(TrialError, match="answer-count"):
        answers.check_integrity(path, "client", 2, "5C47A1FA")
    with pytest.raises(TrialError, match="answer-checksum"):
        answers.check_integrity(path, "client", 1, "00000000")


def test_a_broken_answer_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "client.answers.jsonl"
    path.write_bytes(b'{"a": 1}\n[1]\n')
    with pytest.raises(TrialError, match=r"client\.answers\.jsonl:2"):
        answers.read_answers(path, "client")
