"""The holder of a lock, as it is told to somebody who waits for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from wirelab.build.lock import locked

HOLDS = """
import fcntl, sys
file = open(sys.argv[1], "a")
fcntl.flock(file, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


def test_nothing_that_steers_a_terminal_comes_from_the_command_of_a_holder(tmp_path: Path) -> None:
    file, said = tmp_path / "lock", list[str]()
    holder = subprocess.Popen(
        ["\x1b[31mred\n", "-S", "-c", HOLDS, str(file)],
        executable=sys.executable,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def heard(line: str) -> None:
        said.append(line)
        holder.communicate()  # it ends with its input, and the lock is free

    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    with locked(file, heard, "crates"):
        assert holder.returncode == 0
    (line,) = said
    assert line.isprintable()
    assert "which works on crates; this goes on" in line
