"""The life of a server: ready where it says, no records, an end when told to."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from conform_servers import (
    LINES,
    STOP_S,
    WHITEBOARD,
    failures,
    line_server,
    lived,
    served,
    server,
)
from to_check import workers

from wirelab.run.checking import WantedChecks

LIVES = {"abuse", "beside", "killed", "restart", "stop while serving", "clean output"}
"""Checks of a server alone; that it ends with its input is asked of everybody."""


@pytest.fixture
def taken() -> Iterator[int]:
    """A port on which this process listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


@pytest.mark.parametrize("contender", [LINES, WHITEBOARD], ids=["lines", "frames"])
def test_the_honest_server_passes(contender: Path) -> None:
    found = served(server(contender))
    assert failures(found) == {}
    asked = LIVES | {"end of input before start"}
    assert {name for name in asked if found[name].outcome != "pass"} == set()
    # Frames are broken, too, where the endpoint speaks WebSocket.
    abuses = int(found["abuse"].detail.removeprefix("serves after ").removesuffix(" abuses"))
    assert (abuses == 2) if contender == LINES else (abuses > 10)


def test_only_servers_are_abused() -> None:
    [client] = workers(LINES, WantedChecks(scenario="s1"))
    assert not LIVES & set(served(client))


READY = "say_ready(self, **fields)"


@pytest.mark.parametrize(
    ("fields", "name", "words"),
    [
        ("endpoint='tcp://127.0.0.1:0'", "ready", "no port that was really got"),
        ("endpoint='tcp://127.0.0.1:1'", "ready", "takes no connection"),
        ("endpoint='tcp://127.0.0.1:66000'", "ready", "no port that was really got"),
        ("facts=[1]", "events", "facts must be dict"),
    ],
)
def test_what_ready_says_must_be_so(tmp_path: Path, fields: str, name: str, words: str) -> None:
    body = f"super().say_ready(**{{**fields, **dict({fields})}})"
    assert words in failures(lived(line_server(tmp_path, READY, body)))[name]


def test_the_socket_must_be_the_worker_s(tmp_path: Path, taken: int) -> None:
    body = f"super().say_ready(**{{**fields, 'endpoint': 'tcp://127.0.0.1:{taken}'}})"
    found = failures(lived(line_server(tmp_path, READY, body)))
    assert "a process that is not the worker's" in found["ready"]


def test_a_child_of_the_worker_may_listen(tmp_path: Path) -> None:
    # As cluster workers do: the parent opens the socket, and the child alone has it afterwards.
    change = """
import os
def serve_in_a_child(self):
    host, _, port = self.spec["listen"].partition(":")
    listener = socket.create_server((host, int(port)))
    port = listener.getsockname()[1]
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.close(writing)
        threading.Thread(target=lambda: (os.read(reading, 1), os._exit(0))).start()
        kept = []
        while True:
            kept.append(listener.accept())
    listener.close()
    os.close(reading)
    self.say_ready(endpoint=f"tcp://{host}:{port}")
    while (command := self.command(None)) is None or command["command"] != "stop":
        pass
Reference.serve = serve_in_a_child
"""
    assert failures(served(line_server(tmp_path, change=change))) == {}


@pytest.mark.parametrize(
    ("step", "body", "name", "words"),
    [
        ("say_done(self)", "self.count = 3; super().say_done()", "done", "records is 3"),
        ("say_done(self)", "self.answer_count = 1; super().say_done()", "done", "answers is 1"),
        ("say_done(self)", "self.checksum = 7; super().say_done()", "done", "'00000007'"),
        ("finish(self)", "super().finish(); sys.exit(4)", "stop", "exit 4 after done"),
        ("finish(self)", "super().finish(); time.sleep(9)", "stop", f"running after {STOP_S} s"),
        ("finish(self)", "time.sleep(9)", "stop", "no done within 4 s when told to stop"),
        ("finish(self)", "pass", "stop", "exit 0 without done"),
        (
            "say_ready(self, **fields)",
            "super().say_ready(**fields); self.emit('runtime', monotonic_ns=1, heap_bytes=2)",
            "runtime",
            "heap_bytes without heap_kind",
        ),
        (
            "command(self, timeout_s)",
            "return super().command(timeout_s) if select.select([0], [], []) and "
            "(self.commands or os.read(0, 0) or self.peek()) else None\n"
            "    def peek(self):\n"
            "        data = os.read(0, 65536)\n"
            "        self.commands += data\n"
            "        time.sleep(0 if data else 9)\n"
            "        return data",
            "end of input before start",
            "no done within 4 s when its input ended",
        ),
    ],
)
def test_stopping_is_done_as_the_contract_says(
    tmp_path: Path, step: str, body: str, name: str, words: str
) -> None:
    asked = served if name == "end of input before start" else lived
    assert words in failures(asked(line_server(tmp_path, step, body)))[name]


def test_a_server_that_starts_only_once_is_caught(tmp_path: Path) -> None:
    once = tmp_path / "once"
    body = f"Path({str(once)!r}).touch(exist_ok=False); super().serve()"
    found = failures(served(line_server(tmp_path, "serve(self)", body)))
    assert "FileExistsError" in found["second start"]
    assert "FileExistsError" in found["end of input before start"]


def test_the_end_of_its_input_is_asked_of_the_server_that_was_started_again(
    tmp_path: Path,
) -> None:
    starts = tmp_path / "starts"
    change = f"open({str(starts)!r}, 'a').write('x')"
    assert failures(served(line_server(tmp_path, change=change))) == {}
    # A whole life, one that is abused, one beside it, and that again.
    assert starts.read_text() == "xxxx"


def test_a_server_that_breaks_is_asked_for_its_end_all_the_same(tmp_path: Path) -> None:
    change = (
        "Connection.handle = lambda self: self.rfile.read(1) and os._exit(3)\n"
        "Reference.finish = lambda self: time.sleep(9) if not self.commands else None"
    )
    found = failures(served(line_server(tmp_path, change=change)))
    assert "no done within 4 s when its input ended" in found["end of input before start"]
    assert "exit 3" in found["abuse"]
