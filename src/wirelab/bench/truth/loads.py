"""Loads of known truth: scenarios of the suite, the servers that take part, and what each takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wirelab.bench.truth.runs import HOSTS, NEIGHBOUR, QUIET

STEP = "all"
_INDEPENDENT = ("constant", "stalls", "bimodal", "heavy")
_SHORT = ("constant", "stalls", "bimodal")
"""A paced tick waits for the one before it, which is to be over by then most of the time."""

_QUEUES = ("queue-47", "queue-67")


@dataclass(frozen=True)
class KnownLoad:
    """A scenario of the suite with the servers that take part in it."""

    scenario: str
    servers: Sequence[str]
    quick_minutes: float
    """Minutes that the two trials of a server take, roughly."""
    minutes: float
    """The same of four trials in the profile ``publish``."""
    trials_beside: int
    """Included trials beside the neighbour, which leave about 40 % of the time quiet."""
    operation: str = "request"
    closed: bool = False
    step: str = STEP

    @property
    def prefix(self) -> str:
        """Figures of the duration whose truth is known; a closed loop has no intended times."""
        return f"{self.operation}.{'latency' if self.closed else 'response'}"

    def takes(self, profile: str, host: str) -> float:
        """Minutes of a server, roughly."""
        if profile != "publish":
            return self.quick_minutes
        return self.minutes * (self.trials_beside / 4 if host == NEIGHBOUR else 1)


OPEN = KnownLoad("open", (*_INDEPENDENT, *_QUEUES), 1.3, 4.7, trials_beside=10)
FAST = KnownLoad("fast", _INDEPENDENT, 0.5, 1.2, trials_beside=4)
CLOSED = KnownLoad("closed", _INDEPENDENT, 1.2, 6.0, trials_beside=4, closed=True)
PACED = KnownLoad("paced", _SHORT, 1.3, 6.0, trials_beside=8, step="")
FANOUT = KnownLoad("fanout", _INDEPENDENT, 0.9, 2.2, trials_beside=10, operation="delivery")

_LOADS = (OPEN, FAST, CLOSED, FANOUT, PACED)

_FIRST = (
    *((FAST, "heavy"), (FANOUT, "stalls"), (OPEN, "queue-47")),
    *((OPEN, "queue-67"), (CLOSED, "bimodal"), (PACED, "constant")),
)
"""Each load and each distribution once, in less than half an hour."""

Case = tuple[KnownLoad, str, str]
"""A load, a server and a host."""

SMOKE: Sequence[Case] = (
    *((OPEN, "stalls", QUIET), (OPEN, "queue-47", QUIET)),
    (FANOUT, "bimodal", QUIET),
)


def cases() -> Iterator[Case]:
    """All of them, the most telling ones first; of a server the quiet host before the other."""
    for host in HOSTS:
        yield from ((load, server, host) for load, server in _FIRST)
    for load in _LOADS:
        for server in load.servers:
            if (load, server) not in _FIRST:
                yield from ((load, server, host) for host in HOSTS)
