"""A treatment of one server by what a scenario does to it: how it works, and how it is proved."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Treatment:
    """A server that treats what a scenario does to it, and the plain one it is held against.

    ``counts`` are told of both; ``proof_count`` is the one that shows the treatment at work, or
    with ``by_load`` the load that it is meant for. ``outcomes`` is an operation of which it is told
    how it went for each user.
    """

    scenario: str
    untreated: str
    treated: str
    about: tuple[str, str, str]
    counts: tuple[str, ...]
    proof_count: str
    shown: str
    not_shown: str
    ratios: tuple[str, ...]
    by_load: bool = False
    outcomes: str = ""


COST = ("total.cpu.mean", "total.rss.max")
TIMES = (
    *("rtt.response.p50", "rtt.response.p99"),
    *("delivery.response.p50", "delivery.response.p99"),
)
