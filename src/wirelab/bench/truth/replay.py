"""The truth: latencies as the server decided them, and as it answered.

Every request is taken at its intended time and waits for those before it where the load or the
server makes it wait. Then it is kept for as long as the server's log says was decided for it; or it
is answered when the log says so, as long after its intended time as it really was after the
generator had handed it over. So what the generator is late by is in neither. The second is what a
ruler is to find; the first is what it would find if nothing disturbed the host and no server were
ever late by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from wirelab.bench.truth.server_log import Ints, Requests

_ONE_BY_ONE = ("queue", "work")
_STALLS = "stalls"

Released = Callable[[int], int]
"""The time at which what is due is answered."""


def decided_latencies(requests: Requests, facts: Mapping[str, Any], *, closed: bool) -> Ints:
    """Time of each request in ns, from its intended time to the answer that was decided."""
    if facts["rule"] in _ONE_BY_ONE:
        return _of_one_queue(requests)
    return _of_lanes(requests, released(facts), closed=closed)


def answered_latencies(requests: Requests, facts: Mapping[str, Any], *, closed: bool) -> Ints:
    """Time of each request in ns, from its intended time to the answer that was given."""
    if facts["rule"] in _ONE_BY_ONE:
        came = requests.arrived - requests.started
        served = replace(
            requests, intended=requests.intended + came, decided=requests.answered - requests.turn
        )
        found: Ints = _of_one_queue(served) + came
        return found
    # A stall is in the time that it took.
    taken = replace(requests, decided=requests.answered - requests.started)
    return _of_lanes(taken, _at_once, closed=closed)


def utilisation(requests: Requests, facts: Mapping[str, Any]) -> float:
    """Share of its time that the server's only queue has work; 0 where requests do not wait for
    each other."""
    if facts["rule"] not in _ONE_BY_ONE or len(requests) < 2:
        return 0.0
    return float(requests.decided.sum()) / float(requests.intended[-1] - requests.intended[0])


def released(facts: Mapping[str, Any]) -> Released:
    """At once, or when the stall is over that something is due in."""
    if facts["rule"] != _STALLS:
        return _at_once
    since, every, stall = (int(facts[key]) for key in ("stalls_from_ns", "every_ns", "stall_ns"))

    def after_stall(due: int) -> int:
        into = (due - since) % every
        return due - into + stall if into < stall else due

    return after_stall


def _at_once(due: int) -> int:
    return due


def _of_lanes(requests: Requests, released: Released, *, closed: bool) -> Ints:
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
