"""The sandbox of a role, opened by hand."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
from collections.abc import Iterator

import pytest

from e2e.guarded import Guarded, confined, measured
from wirelab.sandbox import bubblewrap

pytestmark = [pytest.mark.e2e, pytest.mark.long(1)]


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    yield from measured(Guarded(tmp_path_factory.mktemp("guarded")), "honest")


@confined
def test_a_sandbox_is_opened_by_hand(guarded: Guarded) -> None:
    (trial,) = guarded.run.glob("trials/*-honest")
    looks = 'pwd; id -u; grep -c role "$WIRELAB_SPEC"; ls ..; touch new; ls "$HOME"; exit 7'
    asked = (str(guarded.run), trial.name, "client", "--", "sh", "-c", looks)
    ended = guarded.house.wl("shell", *asked)
    assert ended.returncode == 7, ended.stderr
    *seen, last = ended.stdout.split()
    assert seen[:3] == [str(trial / "client"), bubblewrap.USER, "1"]
    files = {"client.answers.jsonl", "client.spec.json"}  # not the core's, nor other roles'
    assert {*seen[3:], last} == {"client", "server"} | files
    assert "Read-only file system" in ended.stderr


@confined
def test_what_is_typed_reaches_who_is_in_the_sandbox(guarded: Guarded) -> None:
    (trial,) = guarded.run.glob("trials/*-honest")
    caught = "import time\ntry: print('waits', flush=True); time.sleep(300)\n"
    caught += "except KeyboardInterrupt: print('caught', flush=True); raise SystemExit(9)"
    asked = (str(guarded.run), trial.name, "client", "--", sys.executable, "-c", caught)
    ours, its = pty.openpty()
    command = guarded.house.command("shell", *asked)
    streams = {"stdin": its, "stdout": its, "stderr": its}
    with subprocess.Popen(
        command, cwd=guarded.house.root, env=guarded.house.environment, **streams
    ) as opened:
        os.close(its)
        seen = _read_until(ours, b"waits")
        os.write(ours, b"\x03")
        seen += _read_until(ours, b"caught")
        assert opened.wait(timeout=60) == 9, seen
    os.close(ours)


def _read_until(terminal: int, expected: bytes) -> bytes:
    """Output of a terminal up to these bytes; all of it where they never come."""
    seen = b""
    while expected not in seen and select.select([terminal], [], [], 60)[0]:
        try:
            seen += os.read(terminal, 4096)
        except OSError:
            break
    return seen
