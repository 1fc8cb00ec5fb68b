"""Costs of owning a contender, as its builder read them: which there are, and who has the least."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wirelab.model.participant import Ownership, Participant
from wirelab.report.context import Context
from wirelab.words import numbers
from wirelab.words.translation import N_


@dataclass(frozen=True)
class CostRow:
    """A figure of ownership. ``judged``: less of it is better."""

    key: str
    label: str
    value: Callable[[Ownership], int | None]
    shown: Callable[[int], str]
    judged: bool = True


def _count(value: int) -> str:
    return f"{value:,}"


def _with_runtime(own: Ownership) -> int | None:
    return None if own.runtime_bytes is None else own.install_bytes + own.runtime_bytes


COSTS = (
    CostRow("size", N_("install size"), lambda own: own.install_bytes, numbers.size),
    CostRow("image", N_("install size with the runtime"), _with_runtime, numbers.size),
    CostRow("direct", N_("number of direct dependencies"), lambda own: _depend(own, True), _count),
    CostRow(
        "transitive",
        N_("number of transitive dependencies"),
        lambda own: _depend(own, False),
        _count,
    ),
    CostRow("lines", N_("number of code lines"), lambda own: own.lines, _count, judged=False),
    CostRow(
        "worker",
        N_("number of code lines with the suite's libraries"),
        lambda own: own.worker_lines,
        _count,
        judged=False,
    ),
    CostRow(
        "common",
        N_("number of code lines for connection and helpers"),
        lambda own: own.common_lines,
        _count,
        judged=False,
    ),
)

_NEARER = {"image": "size", "common": "lines"}
"""Costs that are nearer to what a study counts than the one of its name, which is in the value."""

_MAY_BE_UNKNOWN = ("image", "worker", "common")
"""Costs that results of before do not have."""


def _depend(own: Ownership, direct: bool) -> int:
    return sum(dependency.direct is direct for dependency in own.dependencies)


def cost_of(participant: Participant, key: str) -> int | None:
    """A figure of ownership; None when the contender was not built."""
    cost = next(cost for cost in COSTS if cost.key == key)
    return cost.value(participant.ownership) if participant.ownership else None


def cheapest(context: Context, key: str) -> set[str]:
    """The contenders that share the smallest figure as it is printed; empty with fewer than two,
    and for a figure that is told but not judged. Yardsticks are no choice, and take no part."""
    cost = next(cost for cost in COSTS if cost.key == key)
    known = {
        name: value
        for name in context.contenders
        if name not in context.references
        and (value := cost_of(context.participant(name), key)) is not None
    }
    if len(known) < 2 or not cost.judged:
        return set()
    smallest = cost.shown(min(known.values()))
    return {name for name, value in known.items() if cost.shown(value) == smallest}


def known_costs(context: Context) -> list[CostRow]:
    """The costs of which some contender of the run has a figure."""
    return [cost for cost in COSTS if is_known(context, cost.key)]


def is_known(context: Context, key: str) -> bool:
    """Whether a row has a figure."""
    parts = [context.participant(name) for name in context.measured]
    return key not in _MAY_BE_UNKNOWN or any(cost_of(part, key) is not None for part in parts)


def published_as(context: Context, key: str) -> str:
    """The study's key of what stands beside a cost; empty where another cost is nearer to it."""
    if key in _NEARER:
        return _NEARER[key]
    nearer = any(of == key and is_known(context, own) for own, of in _NEARER.items())
    return "" if nearer else key
