"""Abuse that a server must bear: each check fails a server that does not."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from conform_servers import failures, frame_server, line_server, served

from wirelab.conform import sockets

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
    assert words in failures(served(line_server(tmp_path, change=change)))["abuse"]


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
        "the handshake was answered with 'HTTP/1.1 404 Not Found', not with 101",
    ),
}


@pytest.mark.parametrize("what", FRAMES_ABUSED)
def test_a_server_that_suffers_from_frames_is_caught(tmp_path: Path, what: str) -> None:
    change, words = FRAMES_ABUSED[what]
    assert words in failures(served(frame_server(tmp_path, change)))["abuse"]


def test_a_port_of_its_own_choice_is_caught(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    body = f"super().__init__({{**spec, 'listen': '127.0.0.1:{port}'}})"
    found = failures(served(line_server(tmp_path, "__init__(self, spec)", body)))
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
    found = failures(served(line_server(tmp_path, "__init__(self, spec)", body, change)))
    assert f"both instances say port {port}" in found["beside"]


def test_children_that_outlive_the_worker_are_caught(tmp_path: Path) -> None:
    change = (
        "child = subprocess.Popen(SLEEPER) if 'WIRELAB_SPEC' in os.environ else None\n"
        "import atexit; atexit.register(lambda: child and child.kill())"
    )
    found = failures(served(line_server(tmp_path, change=change)))
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
    found = failures(served(line_server(tmp_path, change=change)))
    assert set(found) == {"restart"}
    assert "where it was killed" in found["restart"]
    assert "Address already in use" in found["restart"]


def test_another_port_than_it_was_told_is_caught(tmp_path: Path) -> None:
    body = "super().__init__({**spec, 'listen': '127.0.0.1:0'})"
    found = failures(served(line_server(tmp_path, "__init__(self, spec)", body)))
    assert set(found) == {"restart"}
    assert "as it was told" in found["restart"]


def test_waiting_for_clients_at_the_end_is_caught(tmp_path: Path) -> None:
    change = "Server.daemon_threads = False; Server.block_on_close = True"
    found = failures(served(line_server(tmp_path, change=change)))
    # Threads that are waited for also end late, on a busy machine, when the input does.
    assert set(found) - {"end of input before start"} == {"stop while serving"}
    assert (
        "no done within 4 s when told to stop with clients connected" in found["stop while serving"]
    )


def test_a_server_that_takes_its_time_is_not_told_to_stop_before_it_has_clients(
    tmp_path: Path,
) -> None:
    change = (
        "take = Server.get_request\n"
        "def late(self):\n"
        "    time.sleep(0.05)\n"
        "    return take(self)\n"
        "Server.get_request = late\n"
        "Server.daemon_threads = False; Server.block_on_close = True"
    )
    found = failures(served(line_server(tmp_path, change=change)))
    assert set(found) == {"stop while serving"}


@pytest.mark.parametrize(
    ("family", "host"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")]
)
def test_a_connection_waits_until_the_server_takes_it(family: int, host: str) -> None:
    try:
        listener = socket.create_server((host, 0), family=family)
    except OSError as error:
        pytest.skip(f"{host} cannot be had here: {error}")
    with listener, socket.create_connection(listener.getsockname()[:2]) as connection:
        assert sockets.waits(connection)
        taken, _ = listener.accept()
        with taken:
            assert not sockets.waits(connection)
        assert not sockets.waits(connection)
    assert not sockets.waits(connection)


def test_words_about_clients_on_standard_output_are_caught(tmp_path: Path) -> None:
    change = "Connection.setup = lambda self: print('hello', flush=True)"
    found = failures(served(line_server(tmp_path, change=change)))
    assert "not an event: b'hello" in found["clean output"]
