"""The monitor of a trial: a process that looks at every role and at the host ten times a second.

Started by the core as ``python -m wirelab.monitor.process CORE NETWORK BESIDE...``, with the ids of
the core, of a process in whose network the roles are, and of processes that are no foreign demand
with all below them, with lines of JSON for what it is to know on its
standard input (``role`` and ``keeper``: everything below that process is of the role; ``account``:
the file of its control group that has its processor time; ``end``), and a line of JSON a look on
its standard output. It ends with ``end`` or with the core, and in no other case without an error:
nothing that it could not see is passed over.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import sys
import time

from wirelab.monitor.census import BESIDE, BESIDE_VARIABLE, CORE, FOREIGN, KERNEL, ThreadCensus
from wirelab.monitor.execution import Execution
from wirelab.monitor.host import HostFiles
from wirelab.monitor.look import PERIOD_NS, Look
from wirelab.monitor.proc_files import OpenFiles, raise_limit
from wirelab.monitor.role import WatchedRole

_SLOW_EVERY = 20
_DEAF_TO = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class MonitoredSubjects:
    """Subjects of the monitor."""

    def __init__(self, core: int, network_of: int, *beside: int) -> None:
        files = OpenFiles(raise_limit())
        self._files = files
        named = os.environ.get(BESIDE_VARIABLE, "")
        self._census = ThreadCensus(core, [*beside, *([int(named)] if named.isdecimal() else [])])
        self._roles = {CORE: WatchedRole(files)}
        self._others = {FOREIGN: Execution(files), KERNEL: Execution(files)}
        self._host = HostFiles(network_of)
        self._looks = 0

    def introduce(self, role: str, keeper: int, account: str) -> None:
        """Count what is below ``keeper`` as ``role``, whose account is that file; empty: none."""
        self._census.introduce(role, keeper)
        watched = self._roles.setdefault(role, WatchedRole(self._files))
        watched.given_to(keeper)
        if account:
            watched.book_on(account)

    def look_around(self) -> None:
        """Find who is there."""
        self._census.look()

    def look_at_scheduling(self) -> None:
        """Look at what priority and which processors threads of roles have."""
        for watched in self._roles.values():
            watched.look_at_scheduling()

    def look(self, *, last: bool) -> Look:
        """Figures now, of those whom the last look around found."""
        for one in self._census.arrived():
            if one.owner == BESIDE:
                continue
            if one.owner in self._others:
                # Who is found by a thread that is not its first one was there before.
                lately = one.given_lately and one.pid == one.tid
                given = lately if self._looks else None
                self._others[one.owner].add(one.pid, given_lately=given)
            else:
                self._roles[one.owner].tree.add(one.pid, one.tid)
        slowly = last or self._looks % _SLOW_EVERY == 0
        self._looks += 1
        host = self._host.read()
        for execution in self._others.values():
            execution.look()
        roles = {role: watched.read(slowly=slowly) for role, watched in self._roles.items()}
        foreign, kernel = (self._others[who] for who in (FOREIGN, KERNEL))
        return Look(
            at_ns=time.monotonic_ns(),
            host=host,
            roles=roles,
            foreign_ran_ns=foreign.placed_ns,
            foreign_ran_unplaced_ns=foreign.unplaced_ns,
            foreign_processes=foreign.processes,
            kernel_ran_ns=kernel.placed_ns,
        )


class Core:
    """Messages of the core on standard input."""

    def __init__(self, watch: MonitoredSubjects) -> None:
        self._watch = watch
        self._waiting = select.poll()
        self._waiting.register(0, select.POLLIN)
        self._rest = b""
        self.said_end = False
        self.gone = False

    @property
    def over(self) -> bool:
        """Whether there is nothing more to look at."""
        return self.said_end or self.gone

    def listen(self, until_ns: int) -> None:
        """Hear what has been said, and go on listening until then or the end."""
        while not self.over:
            left_ms = max(0, until_ns - time.monotonic_ns()) / 1e6
            if not self._waiting.poll(left_ms):
                return
            said = os.read(0, 1 << 16)
            self.gone = not said
            *lines, self._rest = (self._rest + said).split(b"\n")
            for line in lines:
                self._hear(json.loads(line))

    def _hear(self, said: dict[str, object]) -> None:
        if "end" in said:
            self.said_end = True
        else:
            self._watch.introduce(
                str(said["role"]), int(str(said["keeper"])), str(said.get("account", ""))
            )


def main() -> None:
    """Look until the core says that it is enough."""
    for number in _DEAF_TO:
        signal.signal(number, lambda *_: None)
    gc.disable()  # nothing here refers to itself, and nothing may take its time
    watch = MonitoredSubjects(*map(int, sys.argv[1:]))
    core = Core(watch)
    following_ns = time.monotonic_ns()
    while not core.gone:
        last = core.said_end
        watch.look_around()
        core.listen(0)  # whoever was there was introduced before
        os.write(1, watch.look(last=last).line())
        if last:
            return
        following_ns = max(following_ns + PERIOD_NS, time.monotonic_ns())
        core.listen(following_ns - _some_time())
        watch.look_at_scheduling()
        core.listen(following_ns)


def _some_time() -> int:
    """A part of a period that nobody can foresee: what is due at ticks has their period."""
    return int.from_bytes(os.urandom(4), "little") * PERIOD_NS >> 32


if __name__ == "__main__":
    main()
