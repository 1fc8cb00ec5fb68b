"""A role that is another program: started with its data, answering, ended, and what goes wrong."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path
from typing import Any

import pytest
from test_python_worker import worker_of

from wirelab import conform
from wirelab_sdk import server_program

SERVER = """
import signal, socket, sys
listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
signal.signal(signal.SIGINT, lambda *_: sys.exit(0))
while True:
    connection, _ = listener.accept()
    connection.sendall(b"version 7\\n")
    connection.close()
"""

BODY = """
    import signal, sys
    from pathlib import Path
    from wirelab_sdk.server_program import *

    class Greeter(ServerProgram):
        name = "greeter"

        async def commands(self, port, folder):
            (folder / "started").write_text("once")
            if FAULT == "exits":
                return [ProgramCommand((sys.executable, "-c", "import sys; sys.exit(3)"))]
            if FAULT == "hangs" and not (folder / "hung").exists():
                (folder / "hung").touch()
                return [ProgramCommand((sys.executable, "-c", "import time; time.sleep(60)"))]
            if FAULT == "missing":
                return [ProgramCommand((find_program("no-such-program"),))]
            words = (sys.executable, "-c", SERVER, str(port))
            return [ProgramCommand(words, {"GREETING": "yes"}, leave=signal.SIGINT)]

        async def version(self, port):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            said = await reader.readline()
            writer.close()
            return said.decode().split()[1]

        async def fill(self, port):
            if FAULT == "unfilled":
                raise ServerProgramError("3 of 4 records are there")
            return {"records": 4}

        async def runtime(self, port):
            return {"heap_bytes": 4096, "heap_kind": "its own figure"}

        def endpoint(self, port):
            return f"127.0.0.1:{port}"

    async def role(worker):
        await serve(worker, Greeter())

    main(role)
"""


def worker(tmp_path: Path, fault: str = "") -> conform.CheckedWorker:
    body = BODY.replace("FAULT", repr(fault)).replace("SERVER", repr(SERVER))
    # Who hangs is waited for; everybody else has time on a busy machine.
    seconds = 12 if fault == "hangs" else 30
    return worker_of(tmp_path, body, role="server", measured=False, ready_ns=seconds * 10**9)


def life(tmp_path: Path, fault: str) -> tuple[list[dict[str, Any]], int | None]:
    """The events of one life, and its exit code; it is told to stop when it is ready."""
    subject = worker(tmp_path, fault)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    path = scratch / "spec.json"
    path.write_text(json.dumps(conform.make_spec(subject, "life", scratch, 0, {}, {})))
    process = conform.Process(subject, path, scratch, f"program-{os.getpid()}")
    try:
        if process.event("ready", 30):
            process.event("runtime", 3)
            process.send(command="stop")
        code = process.wait(10)
    finally:
        process.end()
    return [event for _, event in process.events], code


def last(events: list[dict[str, Any]]) -> dict[str, Any]:
    """Last words of the program about itself."""
    return [event for event in events if event["event"] == "runtime"][-1]


def test_a_program_is_filled_before_it_is_ready_and_ended(tmp_path: Path) -> None:
    events, code = life(tmp_path, "")
    ready = next(event for event in events if event["event"] == "ready")
    assert ready["library"] == {"name": "greeter", "version": "7"}
    assert ready["facts"] == {"records": 4}
    # Once a second, and the program is asked when it is ready.
    assert {"heap_bytes": 4096, "heap_kind": "its own figure"}.items() <= last(events).items()
    host, port = ready["endpoint"].split(":")
    assert code == 0
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((host, int(port)))


def test_a_program_that_hangs_is_started_again(tmp_path: Path) -> None:
    events, code = life(tmp_path, "hangs")
    assert "ready" in {event["event"] for event in events}
    assert code == 0


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("exits", "greeter did not start at 127.0.0.1:0: it ended with exit code 3"),
        ("missing", "no-such-program is not in"),
        ("unfilled", "3 of 4 records are there"),
    ],
)
def test_a_program_that_cannot_serve_says_why(tmp_path: Path, fault: str, message: str) -> None:
    events, code = life(tmp_path, fault)
    assert code == 1
    assert "ready" not in {event["event"] for event in events}
    (error,) = [event for event in events if event["event"] == "error"]
    assert error["scope"] == "fatal"
    assert message in error["message"]


def test_only_root_becomes_somebody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert "--reuid" not in server_program.as_user("postgres")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    words = server_program.as_user("postgres")
    assert words[words.index("--reuid") + 1] == "postgres"
    assert "--clear-groups" in words
    assert "--reuid" not in server_program.as_user("")
