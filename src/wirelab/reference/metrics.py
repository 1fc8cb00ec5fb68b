"""The page of all metrics of the core, written from the catalogue."""

from __future__ import annotations

from collections.abc import Sequence

from wirelab.metrics.capacity import CAPACITY
from wirelab.metrics.definition import Definition
from wirelab.metrics.deliveries import DELIVERIES
from wirelab.metrics.faults import FAULTS
from wirelab.metrics.microbenchmark import MICROBENCHMARK
from wirelab.metrics.operations import OPERATIONS
from wirelab.metrics.resources import RESOURCES
from wirelab.metrics.steps import STEPS
from wirelab.metrics.trends import TRENDS
from wirelab.metrics.wire import WIRE
from wirelab.model.metrics import Disturbed
from wirelab.reference.page import FOLDER, WRITTEN, rows

PAGE = FOLDER / "metrics.md"

_PARTS: dict[str, Sequence[Definition]] = {
    "Operations": OPERATIONS,
    "Steps of a closed loop": STEPS,
    "The wire": WIRE,
    "Deliveries": DELIVERIES,
    "Faults": FAULTS,
    "Resources": RESOURCES,
    "Trends over hours": TRENDS,
    "Capacity": CAPACITY,
    "Microbenchmarks": MICROBENCHMARK,
}

_ON_A_BUSY_HOST = {
    Disturbed.TIME: "grows",
    Disturbed.COUNT: "zero stands",
    Disturbed.UPPER_BOUND: "an upper bound",
    Disturbed.NOTHING: "stays",
}

_BETTER = {"lower": "less", "higher": "more", "neither": "–"}

_HEAD = f"""\
{WRITTEN.format(source="src/wirelab/metrics")}
# Metrics

Every metric of the core, by its key: the name that `rankings`, `bounds` and `result.json` use.
`{{op}}` is an operation of the scenario, `{{role}}` one of its roles, `{{mark}}` a number of
operations that the scenario names, `{{kind}}` a kind of the operation, `{{stat}}` a statistic
(`mean`, `p50` to `p99.9`, `max`), as far as the metric has them. A suite may declare metrics of its
own; `./wl list SUITE` shows them.

*Better* says which of two figures is better; *where* says which scenarios have the metric. *Busy
host* says what other programs of the machine do to a figure. It *grows* (or a rate falls). Or *zero
stands*, and any other count may be the host's. Or the true figure is at most this one (*an upper
bound*). Or it *stays* what it is.
"""


def page() -> str:
    """All metrics of the core, a section for each part of the catalogue."""
    return _HEAD + "".join(f"\n## {title}\n\n{_table(part)}" for title, part in _PARTS.items())


def _table(definitions: Sequence[Definition]) -> str:
    head = ("key", "unit", "better", "busy host", "where", "meaning")
    return rows(head, map(_row, definitions))


def _row(definition: Definition) -> tuple[str, ...]:
    return (
        f"`{definition.key}`",
        definition.unit,
        _BETTER[definition.better],
        _ON_A_BUSY_HOST[definition.disturbed],
        definition.told.of,
        str(definition.meaning),
    )
