"""The truth: latencies as the server decided them, had nothing disturbed it or the generator.

Neither the times at which requests really came nor those at which they were answered are in it:
both are the host's as well. Every request is taken at its intended time, waits for those before it
where the load or the server makes it wait, and is kept for as long as the server's log says was
decided for it. What the server really did is told beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from wirelab.bench.truth.server_log import Ints, Requests

_ONE_BY_ONE = ("queue", "work")
_STALLS = "stalls"

_Released = Callable[[int], int]


def true_latencies(requests: Requests, facts: Mapping[str, Any], *, closed: bool) -> Ints:
    """Time of each request in ns, from its intended time to the answer that was decided."""
    if facts["rule"] in _ONE_BY_ONE:
        return _of_one_queue(requests)
    return _of_lanes(requests, _released(facts), closed=closed)


def utilisation(requests: Requests, facts: Mapping[str, Any]) -> float:
    """Share of its time that the server's only queue has work; 0 where requests do not wait for
    each other."""
    if facts["rule"] not in _ONE_BY_ONE or len(requests) < 2:
        return 0.0
    return float(requests.decided.sum()) / float(requests.intended[-1] - requests.intended[0])


def _released(facts: Mapping[str, Any]) -> _Released:
    """The time at which what is due is answered."""
    if facts["rule"] != _STALLS:
        return lambda due: due
    since, every, stall = (int(facts[key]) for key in ("stalls_from_ns", "every_ns", "stall_ns"))

    def after_stall(due: int) -> int:
        into = (due - since) % every
        return due - into + stall if into < stall else due

    return after_stall


def _of_lanes(requests: Requests, released: _Released, *, closed: bool) -> Ints:
    """Requests of a connection follow each other; in a closed loop without a pause."""
    ended: dict[int, int] = {}
    found = np.empty(len(requests), dtype=np.int64)
    columns = (requests.intended, requests.connection, requests.decided)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for number, (intended, lane, decided) in enumerate(rows):
        before = ended.get(lane, intended)
        begin = before if closed else max(intended, before)
        ended[lane] = released(begin + decided)
        found[number] = ended[lane] - (begin if closed else intended)
    return found


def _of_one_queue(requests: Requests) -> Ints:
    """First in, first out (Lindley): work begins as a request comes, or as the one before ends."""
    done = np.cumsum(requests.decided)
    begun = np.maximum.accumulate(requests.intended - (done - requests.decided))
    found: Ints = begun + done - requests.intended
    return found
