"""One look of the monitor: the host and every role at one moment."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any

from wirelab.monitor.host import HostReading
from wirelab.monitor.process_tree import Reading

PERIOD_NS = 100_000_000
"""From look to look."""


@dataclass(frozen=True, slots=True)
class Look:
    """One look of the monitor; execution is cumulative."""

    at_ns: int
    host: HostReading
    roles: Mapping[str, Reading]
    foreign_ran_ns: int
    """Execution of processes that are neither the trial's nor wirelab's nor the kernel's."""
    foreign_ran_unplaced_ns: int
    """The same, of processes that had been missed, before they were found."""
    foreign_processes: int
    kernel_ran_ns: int
    """Execution of the kernel's own threads."""

    def line(self) -> bytes:
        """The look as a line."""
        roles = {role: _of_role(reading) for role, reading in self.roles.items()}
        said = [self.at_ns, _of_host(self.host), roles, *_others(self)]
        return json.dumps(said).encode() + b"\n"

    @staticmethod
    def of(line: bytes) -> Look:
        """The look that a line tells of; raises ValueError for one that was cut off."""
        at_ns, host, roles, *others = json.loads(line)
        of_host: list[Any] = [tuple(one) if isinstance(one, list) else one for one in host]
        reading = HostReading(*of_host)
        return Look(at_ns, reading, {role: Reading(*r) for role, r in roles.items()}, *others)


# ``astuple`` copies all that it finds, ten times a second.
_of_role = attrgetter(*(field.name for field in fields(Reading)))
_of_host = attrgetter(*(field.name for field in fields(HostReading)))
_others = attrgetter(*(field.name for field in fields(Look)[3:]))
