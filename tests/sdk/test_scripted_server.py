"""Servers on the SDKs: serving until stop, closing, and what keeps one from starting."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest
from scripted_worker import LANGUAGES, PATIENCE_S, compile_worker, read_samples, running


@pytest.fixture(scope="module", params=LANGUAGES)
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that runs the scripted server."""
    return [*compile_worker(request.param, tmp_path_factory.mktemp("classes")), "serve"]


@pytest.mark.parametrize("how", ["stop", "end of input"])
def test_a_server_serves_until_it_is_told_to_stop(
    server: list[str], tmp_path: Path, how: str
) -> None:
    with running(server, tmp_path, role="server") as worker:
        ready = worker.until("ready")
        assert ready["facts"] == {"protocol": "silence"}
        host, port = ready["endpoint"].removeprefix("tcp://").split(":")
        socket.create_connection((host, int(port)), PATIENCE_S).close()
        runtime = worker.until("runtime")
        assert {"heap_bytes", "gc_count", "gc_pause_ns"} <= runtime.keys()
        assert worker.process.poll() is None
        if how == "stop":
            worker.say('{"command": "stop"}')
        else:
            worker.stdin.close()
            worker.process.stdin = None
        done = worker.until("done")
        assert worker.process.wait(PATIENCE_S) == 0
    assert (done["records"], done["answers"], done["checksum"]) == (0, 0, "00000000")
    assert read_samples(tmp_path / "samples") == []


@pytest.mark.parametrize(
    ("close", "said"),
    [("never", "closing was given up"), ("badly", "IOException: as scripted")],
)
def test_a_server_that_does_not_close_ends_all_the_same(
    server: list[str], tmp_path: Path, close: str, said: str
) -> None:
    changes: dict[str, Any] = {"role": "server", "parameters": {"close": close}}
    with running(server, tmp_path, **changes) as worker:
        worker.until("ready")
        worker.say('{"command": "stop"}')
        worker.until("done")
        assert worker.process.wait(PATIENCE_S) == 0
    assert said in worker.stderr()


def test_a_server_whose_port_is_taken_says_so(server: list[str], tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        changes = {"role": "server", "listen": f"127.0.0.1:{taken.getsockname()[1]}"}
        with running(server, tmp_path, **changes) as worker:
            error = worker.until("error")
            assert worker.process.wait(PATIENCE_S) == 1
    assert error["scope"] == "fatal"
    assert error["class"] in {"BindException", "SocketException"}
