"""Audits between batches: values that changed in place, and results that were looked at later.

What an audit must give is the sum of the folds of values in ``shapes/`` (``README.md``, *Audits*),
so nothing that the contender wrote is needed to know it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from . import folds

OTHERWISE, UNKNOWN = 1 << 24, 1 << 20
"""Amounts added to the checksum by each bad input that is not treated as it was in the answers, and
by each value with fields drawn on the spot that does not come back.
"""

AUDITED = ("to_message", "encode", "decode", "from_message", "round_trip")

Json = Mapping[str, Any]


def wrong_audits(step: str, facts: Json, is_asked: bool, batches: Iterable[Json]) -> list[str]:
    """Operations of a step that failed an audit, or never had one although ``is_asked``."""
    measured: set[str] = set()
    audited: set[str] = set()
    found: dict[str, str] = {}
    for batch in batches:
        name = batch["operation"]
        if batch["phase"] == "measure":
            measured.add(name)
        elif batch["phase"] == "audit":
            audited.add(name)
            if told := _wrong(step, facts, name, batch["checksum"]):
                found.setdefault(name, told)
    if is_asked:
        for name in AUDITED:
            if name in measured - audited:
                found[name] = f"{name}: no batch was followed by an audit"
    return list(found.values())


def _wrong(step: str, facts: Json, name: str, checksum: int) -> str:
    strings = str(facts.get("strings", ""))
    instances, twins = folds.of_pool(step, strings), folds.of_twins(step, strings)
    if _changes(name, facts.get("operations", ())):
        kind, wanted, before = "values that had changed in place", twins, instances
    else:
        kind, wanted, before = "results that were looked at later", instances, twins
    expected = sum(wanted) & folds.MASK
    if checksum == expected:
        return ""
    bad, more = divmod((checksum - expected) & folds.MASK, OTHERWISE)
    unknown, rest = divmod(more, UNKNOWN)
    if not rest and (not bad or name == "decode"):
        found = (
            (bad, "bad inputs that it refused at first, or took, were treated otherwise"),
            (unknown, "values that nobody had seen before did not come back"),
        )
        treated = (f"{what} between batches ({count})" for count, what in found if count)
        return f"{name}: {', '.join(treated)}"
    # Each of them is another one than its twin, and counts one more.
    stale = checksum == (sum(before) + len(before)) & folds.MASK
    told = "that of the values before" if stale else f"not {expected}"
    return f"{name}: {kind} gave the checksum {checksum}, {told}"


def _changes(name: str, operations: Iterable[str]) -> bool:
    """Whether what goes in can be changed in place: a library's message cannot."""
    return name != "from_message" and not (name == "encode" and "to_message" in operations)
