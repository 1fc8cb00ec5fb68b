"""Connections that neutral services accepted within the window, by their own count."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import ValidationError

from wirelab.cells.estimate import Estimate
from wirelab.cells.figures import NOT_MEASURED, total
from wirelab.cells.recorded import RecordedTrial
from wirelab.cells.window import Window
from wirelab.model.events import Served
from wirelab.model.scenario import Scenario

CONNECTIONS = "connections"
"""Name under which a neutral service counts them among the items of ``served``."""


def connections_opened(trial: RecordedTrial, scenario: Scenario, window: Window) -> int | None:
    """The most connections that were opened within the window; None where nobody counts them."""
    services = [name for name, role in scenario.roles.items() if role.service]
    counted = [_opened(trial.files.events("served", name), window) for name in services]
    known = [one for one in counted if one is not None]
    return sum(known) if known else None


def connection_metrics(trials: Sequence[int | None], scenario: Scenario) -> dict[str, Estimate]:
    """Connections opened, of all trials; beside trends alone, where clients keep what they have."""
    if not scenario.trends:
        return {}
    known = [one for one in trials if one is not None]
    counted = total(known) if len(known) == len(trials) else Estimate.absent(NOT_MEASURED)
    return {"connections.opened.count": counted}


def _opened(events: Iterable[dict[str, Any]], window: Window) -> int | None:
    """From the last count before the window to the first after it; None where one of them lacks,
    or where the service has begun anew between them."""
    counts = [(at, count) for at, count in map(_count, events) if at is not None]
    before = [count for at, count in counts if at <= window.begin_ns]
    within = [count for at, count in counts if window.begin_ns < at < window.end_ns]
    after = [count for at, count in counts if at >= window.end_ns]
    if not before or not after:
        return None
    seen = [before[-1], *within, after[0]]
    return None if sorted(seen) != seen else seen[-1] - seen[0]


def _count(event: dict[str, Any]) -> tuple[int | None, int]:
    """The time of a count, and the connections; no time where it does not tell both."""
    try:
        said = Served.model_validate(event)
    except ValidationError:
        return None, 0
    if CONNECTIONS not in said.items:
        return None, 0
    return said.monotonic_ns, said.items[CONNECTIONS]
