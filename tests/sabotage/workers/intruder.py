"""A client that tries what a sandbox is to refuse, and says in its facts what came of it.

``intruder.py NAME``: ``honest`` tries nothing, ``daemon`` leaves a process that broke all ties,
``signals`` ends by a signal, ``nests`` leaves folders deeper than one can recurse, and ``shared``
meets its server in ``/dev/shm``. ``WIRELAB_INTRUDER``
has the victims, as the test has prepared them. Without a sandbox nothing is tried.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import platform
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from reference import Reference, read_spec

MEETING = Path("/dev/shm/meeting")
PIECE = bytes(1 << 20)
MOST_PIECES = 3 << 10
DEEP = 3000

KEYCTL = {"x86_64": 250, "aarch64": 219}
SEARCH, READ, OF_THE_SESSION = 10, 11, -3


def append(path: Path) -> str:
    with path.open("ab") as file:
        file.write(b" ")
    return "written"


def filled(folder: Path) -> str:
    """Number of MiB that could be written there."""
    pieces = 0
    try:
        with (folder / "filling").open("wb") as file:
            while pieces < MOST_PIECES:
                file.write(PIECE)
                file.flush()
                pieces += 1
    except OSError:
        pass
    finally:
        (folder / "filling").unlink(missing_ok=True)
    return str(pieces)


def connected(port: int) -> str:
    with socket.create_connection(("127.0.0.1", port), timeout=5):
        return "connected"


def closed_files(folder: Path) -> list[str]:
    """Files that can be read here, and that not everybody can read."""
    found = []
    for parent, _, files in os.walk(folder):
        for path in (Path(parent, name) for name in files):
            if not path.is_symlink() and not path.stat().st_mode & 0o004:
                with contextlib.suppress(OSError):
                    path.open("rb").close()
                    found.append(str(path))
    return found


def killed(pid: int) -> str:
    os.kill(pid, signal.SIGKILL)
    return "killed"


def keyctl(*arguments: int | bytes | ctypes.Array[ctypes.c_char] | None) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    number = KEYCTL[platform.machine()]
    numbers = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    said = int(libc.syscall(ctypes.c_long(number), *numbers))
    if said == -1:
        raise OSError(ctypes.get_errno(), "keyctl")
    return said


def secret_key(name: str) -> str:
    """A key of the session in which wirelab was started."""
    key = keyctl(SEARCH, OF_THE_SESSION, b"user", name.encode(), 0)
    content = ctypes.create_string_buffer(100)
    return content.raw[: keyctl(READ, key, content, len(content))].decode()


def namespaces() -> str:
    made = subprocess.run(["unshare", "--user", "--map-root-user", "true"], check=False)
    if made.returncode != 0:
        raise PermissionError
    return "made"


def nest(folder: Path) -> None:
    """Leave folders in folders, and come back."""
    before = Path.cwd()
    os.chdir(folder)
    for _ in range(DEEP):
        os.mkdir("x")  # noqa: PTH102 - a whole path would be too long
        os.chdir("x")
    os.chdir(before)


def status() -> dict[str, str]:
    lines = Path("/proc/self/status").read_text().splitlines()
    return dict(line.split(":", 1) for line in lines)


def attempts(spec: dict[str, Any], victims: dict[str, Any]) -> dict[str, Callable[[], str]]:
    trial = Path(spec["paths"]["scratch"]).parent
    return {
        "change-sources": lambda: append(Path(__file__)),
        "change-verifier": lambda: append(Path(__file__).parents[1] / "verify.py"),
        "change-system": lambda: append(Path("/etc/hostname")),
        "change-interpreter": lambda: append(Path(sys.base_prefix) / "intruder"),
        "read-results": lambda: Path(victims["result"]).read_text(),
        "list-results": lambda: str(list(Path(victims["result"]).parents[1].iterdir())),
        "edit-own-record": lambda: append(trial / "client.events.jsonl"),
        "list-optional": lambda: str(
            [
                path.name
                for path in Path("/opt").iterdir()
                if not Path(sys.base_prefix).is_relative_to(path)
            ]
        ),
        "read-closed": lambda: str(closed_files(Path("/sys"))),
        "read-modules": lambda: str(list(Path("/sys/module").iterdir())),
        "read-firmware": lambda: str(list(Path("/sys/firmware").iterdir())),
        "read-home": lambda: Path(victims["secret"]).read_text(),
        "read-beside-runtime": lambda: Path(victims["beside"]).read_text(),
        "reach-host": lambda: connected(victims["port"]),
        "kill-foreign": lambda: killed(victims["pid"]),
        "kill-core": lambda: killed(os.getppid()),
        "read-key": lambda: secret_key(victims["key"]),
        "read-passwords": lambda: Path("/etc/shadow").read_text(),
        "change-kernel": lambda: append(Path("/proc/sys/kernel/core_pattern")),
        "change-network": lambda: append(Path("/proc/sys/net/core/somaxconn")),
        "make-namespaces": namespaces,
        "read-keeper": lambda: str(Path("/proc/1/exe").readlink()),
        "fill-tmp": lambda: filled(Path("/tmp")),
        "fill-home": lambda: filled(Path.home()),
        "fill-dev": lambda: filled(Path("/dev")),
        "fill-results": lambda: filled(trial.parents[1]),
        "see-processes": lambda: str(sum(path.name.isdigit() for path in Path("/proc").iterdir())),
        "core-limit": lambda: str(resource.getrlimit(resource.RLIMIT_CORE)),
        "user": lambda: str(os.getuid()),
        "capabilities": lambda: status()["CapEff"].strip() + status()["CapBnd"].strip(),
        "no-new-privileges": status()["NoNewPrivs"].strip,
        "own-address": lambda: socket.gethostbyname(socket.gethostname()),
        "groups": Path("/proc/self/cgroup").read_text,
        "write-scratch": lambda: append(Path(spec["paths"]["scratch"]) / "own"),
    }


def tried(attempt: Callable[[], str]) -> str:
    try:
        return attempt()
    except OSError as error:
        return type(error).__name__


def daemon() -> None:
    """Leave a process with nothing of its parent's but the sandbox."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for stream in range(3):
                os.close(stream)
            os.execve(sys.executable, [sys.executable, "-c", "import time; time.sleep(300)"], {})
        os._exit(0)
    os.wait()


class Intruder(Reference):
    """Honest but for what it tries before it is ready."""

    def say_ready(self, **fields: Any) -> None:
        name, role = sys.argv[1], self.spec["role"]
        if name == "intruder" and role == "client":
            assert os.getppid() == 1, "it would do harm here"
            victims = json.loads(os.environ["WIRELAB_INTRUDER"])
            found = {n: tried(a) for n, a in attempts(self.spec, victims).items()}
            fields["facts"] = found
        if name == "nests":
            paths = self.spec["paths"]
            nest(Path(paths["scratch"]))
            nest(Path(paths["samples"]).parent)
        if name == "daemon":
            daemon()
        if name == "shared" and role == "server":
            fields["facts"] = {**fields.get("facts", {}), "met": MEETING.exists()}
            MEETING.write_text("here")
        if name == "shared" and role == "client":
            fields["facts"] = {"met": MEETING.read_text()}
        super().say_ready(**fields)
        if name == "signals":
            os.kill(os.getpid(), signal.SIGSEGV)
            time.sleep(10)


if __name__ == "__main__":
    Intruder(read_spec()).run()
