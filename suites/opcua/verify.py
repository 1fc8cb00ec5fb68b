"""Recomputes every value that a client of this suite says it read, and every write it made.

The rules are those of ``README.md``. Standard library only: the core loads this file by path.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from .judging.answers import DueTicks, Json, impossible, is_answer, name_of, short, unasked
from .judging.changes import LEARNT, POLL, LearntChanges
from .judging.reads_and_writes import READ, WRITE, ReadsAndWrites

MOST_FINDINGS = 20
SELDOM = 0.5
"""Share of the polls that fall due at the interval which has to be there on any machine."""


def verify(spec: Json, facts: Json, answers: Iterable[Json]) -> list[str]:
    """Findings in plain language, at most 20; none when every answer is right.

    ``spec`` is the client's, with ``start_ns`` added once it has been started; ``facts`` are
    those of the first role, which is the server's where no certificates are made before it.
    """
    facts = spec.get("facts", {}).get("server", facts)
    given = list(answers)
    kept = [answer for answer in given if is_answer(answer)]
    ticks = DueTicks(spec)
    exchanged, changes = ReadsAndWrites(spec, facts, ticks, kept), LearntChanges(spec, ticks)
    checks = {READ: exchanged.check_read, WRITE: exchanged.check_write}
    checks |= dict.fromkeys(LEARNT, changes.check)
    findings = [f"not an answer: {short(other)}" for other in given if not is_answer(other)]
    findings += unasked(spec["verify"].get("preflight", {}), kept)
    findings += changes.foreseen(kept)
    for answer in kept:
        if len(findings) >= MOST_FINDINGS:
            break
        try:
            check = checks.get(answer["operation"])
            findings += impossible(answer, ticks) or (check(answer) if check else [])
        except (LookupError, RecursionError, TypeError, ValueError) as error:
            findings.append(f"{name_of(answer)}: not an answer as README.md defines it ({error!r})")
    return findings[:MOST_FINDINGS]


def requested(
    spec: Json, operation: str, turns: Sequence[tuple[int, int]]
) -> list[tuple[int, int] | None]:
    """Items that each turn has to be handed: of every change all values. What the other operations
    ask for, their manifest says.
    """
    items = spec["operations"][operation]["items"]
    return [(items, 0) if operation in LEARNT else None for _ in turns]


def claimed(
    spec: Json, operation: str, turns: Sequence[tuple[int, int]]
) -> list[tuple[int, int] | None]:
    """Items that the server has to count at each turn: of polls at least half as many as fall due
    from a tick to the next one, of all else those that the turn is handed.
    """
    if operation != POLL:
        return requested(spec, operation, turns)
    items = spec["operations"][operation]["items"]
    return [(max(items, math.floor(SELDOM * _times(spec) * items)), 0)] * len(turns)


def _times(spec: Json) -> float:
    """Intervals from a tick to the next one."""
    return float(spec["schedule"]["period_ns"] / spec["parameters"]["interval_ns"])


def at_most(
    spec: Json, operation: str, turns: Sequence[tuple[int, int]]
) -> list[tuple[int, int] | None]:
    """Values that may be asked for, or sampled for monitored items, from a tick to the next one: of
    who polls or is told of changes, as many as fall into it at the interval, and a tenth more. Of a
    read, calls: one. Of all else nothing is said.
    """
    if operation == READ:
        return [(1, 0)] * len(turns)
    if operation not in LEARNT:
        return [None] * len(turns)
    items = spec["operations"][operation]["items"]
    return [(math.ceil(1.1 * _times(spec) * items), 0)] * len(turns)
