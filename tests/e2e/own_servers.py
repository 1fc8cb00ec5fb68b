"""Servers as a user has them: started by a test, with data of others on them."""

from __future__ import annotations

import contextlib
import json
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cli.command_lines import said
from reports_of_runs import with_reports

HOST = "127.0.0.1"
PASSWORD = "not-to-be-found-anywhere"
"""Looked for in results, where it must not be."""
_PATIENCE_S = 120.0


def measured(
    here: Path,
    suite: str,
    scenario: str,
    contender: str,
    secrets: Mapping[str, str],
    *more: str,
) -> subprocess.CompletedProcess[str]:
    """The smallest run of a contender, results below ``here``."""
    words = ["run", suite, "--scenario", scenario, "--profile", "check", "--seed", "1"]
    words += ["--contender", contender, *more]
    return said(*with_reports(words), cwd=here, **secrets, COLUMNS="1000")


def only(here: Path, pattern: str) -> dict[str, Any]:
    """The only file of a run."""
    (file,) = here.glob(f"results/*/{pattern}")
    loaded: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return loaded


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def running(
    command: list[str], port: int, user: str = "", environment: Mapping[str, str] | None = None
) -> Iterator[str]:
    """The address of a server that was started by ``command``; it is ended afterwards."""
    as_user = ["setpriv", "--reuid", user, "--regid", user, "--clear-groups"] if user else []
    process = subprocess.Popen(
        [*as_user, *command],
        cwd="/",
        env={**os.environ, **(environment or {})},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(process, port)
        yield f"{HOST}:{port}"
    finally:
        process.terminate()
        process.wait(_PATIENCE_S)


def _wait_for(process: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    while process.poll() is None and time.monotonic() < deadline:
        with contextlib.suppress(OSError), socket.create_connection((HOST, port), 1):
            return
        time.sleep(0.05)
    raise AssertionError(f"{process.args!r} does not answer at port {port}")


def _wait_until(command: list[str]) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    while subprocess.run(command, capture_output=True, check=False).returncode != 0:
        assert time.monotonic() < deadline, f"{command} has not succeeded in {_PATIENCE_S:g} s"
        time.sleep(0.05)


@contextlib.contextmanager
def redis_server() -> Iterator[str]:
    """A Redis that asks for a password."""
    port = free_port()
    words = ["redis-server", "--bind", HOST, "--port", str(port), "--requirepass", PASSWORD]
    with running([*words, "--save", "", "--dir", "/tmp"], port) as address:
        yield address


@contextlib.contextmanager
def memcached() -> Iterator[str]:
    """A memcached."""
    port = free_port()
    with running(["memcached", "-l", HOST, "-p", str(port), "-u", "nobody"], port) as address:
        yield address


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """A PostgreSQL whose user ``me`` has a password."""
    port, user = free_port(), "postgres" if os.geteuid() == 0 else ""
    folder = Path(tempfile.mkdtemp(prefix="wirelab-postgres-"))
    secret = folder / "secret"
    secret.write_text(PASSWORD)
    (binaries,) = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1:]
    try:
        if user:
            for path in (folder, secret):
                os.chown(path, pwd.getpwnam(user).pw_uid, pwd.getpwnam(user).pw_gid)
        data = str(folder / "data")
        words = [str(binaries / "initdb"), "-D", data, "-U", "me", "--auth", "scram-sha-256"]
        with_secret = [*words, "--pwfile", str(secret), "--no-sync"]
        as_user = ["setpriv", "--reuid", user, "--regid", user, "--clear-groups"] if user else []
        subprocess.run([*as_user, *with_secret], check=True, capture_output=True, cwd="/")
        server = [str(binaries / "postgres"), "-D", data, "-h", HOST, "-p", str(port), "-k", ""]
        with running(server, port, user) as address:
            # It listens before it lets anybody in.
            _wait_until([str(binaries / "pg_isready"), "-h", HOST, "-p", str(port)])
            yield address
    finally:
        shutil.rmtree(folder, ignore_errors=True)
