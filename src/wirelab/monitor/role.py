"""One role of a trial as the monitor reads it: its processes, their scheduling, and the account of
its group.

The kernel books on a control group whatever its members use, however short they live. Without one
the sum over the processes that were seen is the figure. The account grows with the clock tick of
the kernel (4 ms at 250 Hz) and not with each instruction.
"""

from __future__ import annotations

from wirelab.cgroups.group import account_ns
from wirelab.monitor.proc_files import OpenFiles, ProcFile
from wirelab.monitor.process_tree import ProcessTree, Reading
from wirelab.monitor.scheduling import Deviation, ScheduledThreads


class WatchedRole:
    """A role and the account of its processor time, where there is one."""

    def __init__(self, files: OpenFiles) -> None:
        self._files = files
        self._account: ProcFile | None = None
        self._scheduled = ScheduledThreads()
        self.tree = ProcessTree(files)

    def given_to(self, keeper: int) -> None:
        """Compare the scheduling of its threads with that of its keeper, which it inherits."""
        self._scheduled.given_to(keeper)

    def look_at_scheduling(self) -> None:
        """Look at priority and processors of some of its threads."""
        self._scheduled.look(self.tree.threads())

    def book_on(self, account: str) -> None:
        """Take processor time from this file from now on; raises OSError where it is not there."""
        if self._account is None:
            self._account = self._files.open(account)

    def read(self, *, slowly: bool) -> Reading:
        """Figures now; an account that cannot be read any more is an error."""
        reading = self.tree.read(slowly=slowly)
        if self._account is not None:
            reading.cpu_ns = account_ns(self._account.read())
        reading.threads_raised = self._scheduled.count(Deviation.RAISED)
        reading.threads_lowered = self._scheduled.count(Deviation.LOWERED)
        reading.threads_elsewhere = self._scheduled.count(Deviation.ELSEWHERE)
        reading.threads_narrowed = self._scheduled.count(Deviation.NARROWED)
        return reading
