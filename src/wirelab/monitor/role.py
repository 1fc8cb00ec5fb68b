"""One role of a trial as the monitor reads it: its processes, and the account of its group.

The kernel books on a control group whatever its members use, however short they live. Without one
the sum over the processes that were seen is the figure. The account grows with the clock tick of
the kernel (4 ms at 250 Hz) and not with each instruction.
"""

from __future__ import annotations

from wirelab.cgroups.group import account_ns
from wirelab.monitor.proc_files import OpenFiles, ProcFile
from wirelab.monitor.process_tree import ProcessTree, Reading


class WatchedRole:
    """A role and the account of its processor time, where there is one."""

    def __init__(self, files: OpenFiles) -> None:
        self._files = files
        self._account: ProcFile | None = None
        self.tree = ProcessTree(files)

    def book_on(self, account: str) -> None:
        """Take processor time from this file from now on; raises OSError where it is not there."""
        if self._account is None:
            self._account = self._files.open(account)

    def read(self, *, slowly: bool) -> Reading:
        """Figures now; an account that cannot be read any more is an error."""
        reading = self.tree.read(slowly=slowly)
        if self._account is not None:
            reading.cpu_ns = account_ns(self._account.read())
        return reading
