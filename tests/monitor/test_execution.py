"""Execution of other processes, each where its own clock says so."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wirelab.monitor.execution import Execution, clock_of
from wirelab.monitor.foreign import TAKEN_NS, disturbed_windows
from wirelab.monitor.look import PERIOD_NS
from wirelab.monitor.proc_files import OpenFiles, ProcFile

MS = 1_000_000
A_LIFE = 3_600_000 * MS
"""Execution of a service since the machine was started."""

Rows = Sequence[Mapping[int, int]]
"""Execution of each process before each look."""


class Host(OpenFiles):
    """Made processes, and looks at them; all were there before the first one."""

    def __init__(self, processes: int) -> None:
        super().__init__(0)
        self.ran = dict.fromkeys(range(1, processes + 1), A_LIFE)
        self.born = dict.fromkeys(self.ran, 0)
        self.execution = Execution(self, self.clock)
        for pid in self.ran:
            self.execution.add(pid, given_lately=None)
        self.placed, self.unplaced = [0], [0]

    def open(self, path: str) -> ProcFile:
        return _OfOneProcess(path, self)

    def clock(self, number: int) -> int:
        """Execution of whoever has the id of a clock."""
        pid = ~(number >> 3)
        if pid not in self.ran:
            raise OSError(22, "Invalid argument")
        return self.ran[pid]

    def give(self, pid: int, ran: int) -> None:
        """End the process that has an id, and give the id to another, which has run so long."""
        self.ran[pid], self.born[pid] = ran, self.born.get(pid, 0) + 1

    def look(self, ran: Mapping[int, int]) -> None:
        """Let processes run, and look."""
        for pid, more in ran.items():
            self.ran[pid] += more
        self.execution.look()
        self.placed.append(self.execution.placed_ns)
        self.unplaced.append(self.execution.unplaced_ns)

    @property
    def windows(self) -> list[list[int]]:
        """Windows that others disturbed, as the numbers of the looks around them."""
        at = np.arange(len(self.placed), dtype=np.int64) * PERIOD_NS
        found = disturbed_windows(at, np.array(self.placed), np.array(self.unplaced))
        numbers: list[list[int]] = (found // PERIOD_NS).tolist()
        return numbers


class _OfOneProcess(ProcFile):
    def __init__(self, path: str, host: Host) -> None:
        super().__init__(path, None, host)
        self._host = host
        self._pid = int(path.split("/")[2])
        self._born = host.born[self._pid]

    def read(self) -> bytes:
        if self._pid not in self._host.ran or self._host.born[self._pid] != self._born:
            raise ProcessLookupError(self._pid)
        return b"there"


RAN = st.dictionaries(st.integers(1, 12), st.integers(1, 20 * MS), max_size=3)


@given(rows=st.lists(RAN, min_size=1, max_size=60))
def test_all_is_charged_once_and_where_it_ran(rows: Rows) -> None:
    host = Host(12)
    for row in rows:
        host.look(row)
    ran = [sum(row.values()) for row in rows]
    assert np.diff(host.placed).tolist() == ran
    assert host.unplaced[-1] == 0
    disturbed = [number for number, one in enumerate(ran, 1) if one > TAKEN_NS]
    assert host.windows == [[number - 1, number] for number in disturbed]


def test_a_process_is_charged_from_its_start_on() -> None:
    host = Host(3)
    host.look({})
    host.give(4, 7 * MS)
    host.execution.add(4, given_lately=True)
    host.look({4: MS})
    assert (host.placed[-1], host.unplaced[-1]) == (8 * MS, 0)
    assert host.execution.processes == 4


def test_what_was_missed_is_charged_to_the_second_before_it_was_found() -> None:
    host = Host(3)
    for _ in range(20):
        host.look({})
    host.give(4, 7 * MS)
    host.execution.add(4, given_lately=False)
    host.look({4: MS})
    assert (host.placed[-1], host.unplaced[-1]) == (MS, 7 * MS)
    assert host.windows == [[11, 21]]


def test_an_id_that_was_passed_over_charges_no_life_again() -> None:
    host = Host(3)
    host.look({2: MS})
    host.execution.add(2, given_lately=True)
    host.look({})
    assert (host.placed[-1], host.execution.processes) == (MS, 3)


@pytest.mark.parametrize("ran", [MS, 2 * A_LIFE])
def test_whoever_is_given_the_id_of_one_that_ended_is_charged_by_nobody(ran: int) -> None:
    """It may be a contender's process, which has run more than the one before."""
    host = Host(3)
    host.look({})
    host.give(2, ran)
    host.look({})
    assert (host.placed[-1], host.execution.processes) == (0, 2)
    host.look({2: 50 * MS})
    assert host.placed[-1] == 0


def test_one_that_is_foreign_again_is_charged_from_its_start_on() -> None:
    host = Host(3)
    host.give(2, 7 * MS)
    host.execution.add(2, given_lately=True)
    host.look({})
    assert (host.placed[-1], host.execution.processes) == (7 * MS, 3)


COMMANDED = """
import subprocess, sys, threading, time
threading.Thread(target=threading.Event().wait, daemon=True).start()
print(flush=True)
for _ in sys.stdin:
    subprocess.run(["true"], check=True)
    until = time.process_time() + 0.02
    while time.process_time() < until: pass
    print(flush=True)
print(time.process_time_ns(), flush=True)
sys.stdin.close()
"""


def test_a_program_that_waits_for_commands_disturbs_only_while_it_does_them() -> None:
    """It forks a short-lived program for each, which is over when the monitor looks again."""
    execution = Execution(OpenFiles(1000))
    commands = {14, 27, 28, 45}
    placed = []
    with subprocess.Popen(
        [sys.executable, "-c", COMMANDED], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdout.readline()
        execution.add(program.pid, given_lately=None)
        for look in range(60):
            if look in commands:
                program.stdin.write(b"\n")
                program.stdin.flush()
                program.stdout.readline()
            execution.look()
            placed.append(execution.placed_ns)
        program.stdin.close()
        said = int(program.stdout.readline())
        assert 80 * MS < said <= time.clock_gettime_ns(clock_of(program.pid))
    execution.look()
    assert execution.processes == 0
    execution.close()
    assert placed[-1] - placed[0] > len(commands) * 20 * MS
    at = np.arange(len(placed), dtype=np.int64) * PERIOD_NS
    windows = disturbed_windows(at, np.array(placed), np.zeros(len(placed), dtype=np.int64))
    assert (windows // PERIOD_NS).tolist() == [[look - 1, look] for look in sorted(commands)]
