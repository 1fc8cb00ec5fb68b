"""What a server must bear: each check passes the honest one and fails one that breaches it."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from wirelab import conform
from wirelab.conform import Check, Wanted, Worker, checks

ROOT = Path(__file__).parents[2]
SABOTAGE = ROOT / "tests/sabotage"
LINES = SABOTAGE / "suite/contenders/honest"
WHITEBOARD = SABOTAGE / "websocket/contenders/honest"

LIVES = {"abuse", "beside", "killed", "restart", "stop while serving", "events of all that"}
"""Checks of a server alone."""

LINE_SERVER = """
import socketserver, subprocess, threading
import reference
from reference import *

SLEEPER = [sys.executable, "-c", "import time; time.sleep(300)"]

{change}

class Changed(Reference):
    def {step}:
        {body}

Changed(read_spec()).run()
"""

FRAME_SERVER = """
import os, sys
sys.path.insert(0, {source!r})
import whiteboard, worker
from whiteboard import *

{change}

worker.main(worker.serve)
"""


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No `runtime` of a second is waited for: the tests that need one say it themselves."""
    monkeypatch.setattr(checks, "_SERVING_S", 0.1)


def server(contender: Path) -> Worker:
    """The server of a contender."""
    scenario = "own-server" if contender == LINES else ""
    found = conform.workers(contender, Wanted(scenario=scenario, role="server"))
    return replace(found[0], stop_ns=1_000_000_000)


def line_server(
    tmp_path: Path, step: str = "unused(self)", body: str = "pass", change: str = ""
) -> Worker:
    """The honest server of lines with one step, or something around it, changed."""
    source = tmp_path / "worker.py"
    place = str(SABOTAGE / "workers")
    text = LINE_SERVER.format(change=change, step=step, body=body)
    source.write_text(f"import sys\nsys.path.insert(0, {place!r})\n{text}")
    return replace(server(LINES), command=[sys.executable, str(source)])


def frame_server(tmp_path: Path, change: str) -> Worker:
    """The honest whiteboard with something changed."""
    source = tmp_path / "changed.py"
    place = str(SABOTAGE / "websocket/server")
    source.write_text(FRAME_SERVER.format(source=place, change=change))
    return replace(server(WHITEBOARD), command=[sys.executable, str(source)])


def checked(worker: Worker) -> dict[str, Check]:
    return {check.name: check for check in conform.check(worker)}


def failures(found: dict[str, Check]) -> dict[str, str]:
    return {name: check.detail for name, check in found.items() if check.outcome == "fail"}


@pytest.fixture
def taken() -> Iterator[int]:
    """A port on which this process listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


@pytest.mark.parametrize("contender", [LINES, WHITEBOARD], ids=["lines", "frames"])
def test_the_honest_server_passes(contender: Path) -> None:
    found = checked(server(contender))
    assert failures(found) == {}
    assert {name for name in LIVES if found[name].outcome != "pass"} == set()


def test_frames_are_broken_where_the_endpoint_speaks_websocket() -> None:
    lines, frames = (checked(server(contender))["abuse"] for contender in (LINES, WHITEBOARD))
    assert lines.detail == "serves after 2 abuses"
    assert int(frames.detail.split()[2]) > 10


def test_only_servers_are_abused() -> None:
    [client] = conform.workers(LINES, Wanted(scenario="s1"))
    assert not LIVES & set(checked(client))


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
    assert words in failures(checked(line_server(tmp_path, READY, body)))[name]


def test_the_socket_must_be_the_worker_s(tmp_path: Path, taken: int) -> None:
    body = f"super().say_ready(**{{**fields, 'endpoint': 'tcp://127.0.0.1:{taken}'}})"
    found = failures(checked(line_server(tmp_path, READY, body)))
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
    assert failures(checked(line_server(tmp_path, change=change))) == {}


@pytest.mark.parametrize(
    ("step", "body", "name", "words"),
    [
        ("say_done(self)", "self.count = 3; super().say_done()", "done", "records is 3"),
        ("say_done(self)", "self.answer_count = 1; super().say_done()", "done", "answers is 1"),
        ("say_done(self)", "self.checksum = 7; super().say_done()", "done", "'00000007'"),
        ("finish(self)", "super().finish(); sys.exit(4)", "stop", "exit 4 after done"),
        ("finish(self)", "super().finish(); time.sleep(9)", "stop", "still running after 1 s"),
        ("finish(self)", "time.sleep(9)", "stop", "no done when told to stop"),
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
            "no done when its input ended",
        ),
    ],
)
def test_stopping_is_done_as_the_contract_says(
    tmp_path: Path, step: str, body: str, name: str, words: str
) -> None:
    assert words in failures(checked(line_server(tmp_path, step, body)))[name]


ABUSED = {
    "ends": (
        "Connection.handle = lambda self: self.rfile.read(1) and os._exit(3)",
        "after random bytes: exit 3",
    ),
    "loses a child": (
        "child = subprocess.Popen(SLEEPER) if __name__ == '__main__' else None\n"
        "Connection.handle = lambda self: self.rfile.read(1) and child.kill()\n"
        "import atexit; atexit.register(child.kill)",
        "1 of its processes ended",
    ),
    "listens no more": (
        "Connection.handle = lambda self: self.rfile.read(1) and self.server.socket.close()",
        "no further client is served",
    ),
}


@pytest.mark.parametrize("what", ABUSED)
def test_a_server_that_suffers_from_its_clients_is_caught(tmp_path: Path, what: str) -> None:
    change, words = ABUSED[what]
    assert words in failures(checked(line_server(tmp_path, change=change)))["abuse"]


FRAMES_ABUSED = {
    "text that is no JSON": (
        "hear = Member._hear\n"
        "def strict(self, opcode, payload):\n"
        "    try: json.loads(payload) if opcode == TEXT else None\n"
        "    except ValueError: os._exit(5)\n"
        "    hear(self, opcode, payload)\n"
        "Member._hear = strict",
        "after the text b'': exit 5",
    ),
    "a frame too large": (
        "feed = Frames.feed\n"
        "def hungry(self, data):\n"
        "    if data[1:2] == b'\\xff': os._exit(6)\n"
        "    return feed(self, data)\n"
        "Frames.feed = hungry",
        "after a frame of 2^63 bytes: exit 6",
    ),
    "deaf to the next client": (
        "upgrade = Whiteboard.upgrade\n"
        "Whiteboard.left = 3\n"
        "def rarely(self, member, answer):\n"
        "    self.left -= 1\n"
        "    if self.left > 0: upgrade(self, member, answer)\n"
        "Whiteboard.upgrade = rarely",
        "no further client is served: timed out",
    ),
    "a refusal for everyone": (
        "Whiteboard.upgrade = lambda self, member, answer: "
        "member.transport.write(b'HTTP/1.1 404 Not Found\\r\\n\\r\\n')",
        "the handshake was answered with 'HTTP/1.1 404 Not Found'",
    ),
}


@pytest.mark.parametrize("what", FRAMES_ABUSED)
def test_a_server_that_suffers_from_frames_is_caught(tmp_path: Path, what: str) -> None:
    change, words = FRAMES_ABUSED[what]
    assert words in failures(checked(frame_server(tmp_path, change)))["abuse"]


def test_a_port_of_its_own_choice_is_caught(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    body = f"super().__init__({{**spec, 'listen': '127.0.0.1:{port}'}})"
    found = failures(checked(line_server(tmp_path, "__init__(self, spec)", body)))
    assert "a second instance did not get ready" in found["beside"]


def test_two_instances_on_one_port_are_caught(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    body = f"super().__init__({{**spec, 'listen': '127.0.0.1:{port}'}})"
    change = (
        "def shared(self):\n"
        "    self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)\n"
        "    socketserver.TCPServer.server_bind(self)\n"
        "Server.server_bind = shared"
    )
    found = failures(checked(line_server(tmp_path, "__init__(self, spec)", body, change)))
    assert f"both instances say port {port}" in found["beside"]


def test_children_that_outlive_the_worker_are_caught(tmp_path: Path) -> None:
    change = (
        "child = subprocess.Popen(SLEEPER) if 'WIRELAB_SPEC' in os.environ else None\n"
        "import atexit; atexit.register(lambda: child and child.kill())"
    )
    found = failures(checked(line_server(tmp_path, change=change)))
    assert set(found) == {"killed"}
    assert "still running: " in found["killed"]
    assert "time.sleep(300)" in found["killed"]
    assert sleepers() == []


def sleepers() -> list[str]:
    """Sleepers that came to this process, or that nobody has ended."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue
        if "time.sleep(300)" in line and int(parent) in (1, os.getpid()):
            found.append(line)
    return found


def test_a_port_that_cannot_be_had_again_is_caught(tmp_path: Path) -> None:
    change = "Server.allow_reuse_address = False"
    found = failures(checked(line_server(tmp_path, change=change)))
    assert set(found) == {"restart"}
    assert "where it was killed" in found["restart"]
    assert "Address already in use" in found["restart"]


def test_another_port_than_it_was_told_is_caught(tmp_path: Path) -> None:
    body = "super().__init__({**spec, 'listen': '127.0.0.1:0'})"
    found = failures(checked(line_server(tmp_path, "__init__(self, spec)", body)))
    assert set(found) == {"restart"}
    assert "as it was told" in found["restart"]


def test_waiting_for_clients_at_the_end_is_caught(tmp_path: Path) -> None:
    change = "Server.daemon_threads = False; Server.block_on_close = True"
    found = failures(checked(line_server(tmp_path, change=change)))
    assert set(found) == {"stop while serving"}
    assert "no done when told to stop with clients connected" in found["stop while serving"]


def test_words_about_clients_on_standard_output_are_caught(tmp_path: Path) -> None:
    change = "Connection.setup = lambda self: print('hello', flush=True)"
    found = failures(checked(line_server(tmp_path, change=change)))
    assert "not an event: b'hello" in found["events of all that"]


def test_a_server_that_starts_only_once_is_caught(tmp_path: Path) -> None:
    once = tmp_path / "once"
    body = f"Path({str(once)!r}).touch(exist_ok=len(self.spec['trial']) < 3); super().serve()"
    found = failures(checked(line_server(tmp_path, "serve(self)", body)))
    assert "FileExistsError" in found["end of input before start"] + found["second start"]
