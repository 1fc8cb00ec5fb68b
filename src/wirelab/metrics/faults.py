"""Metrics of what a caller saw of a fault."""

from __future__ import annotations

from wirelab.metrics import told
from wirelab.metrics.definition import Definition
from wirelab.metrics.pattern import KeyPattern
from wirelab.model.metrics import Disturbed
from wirelab.words.translation import N_

FAULTS: tuple[Definition, ...] = (
    Definition(
        key=KeyPattern.of("fault.error.time"),
        unit="ms",
        better="lower",
        disturbed=Disturbed.TIME,
        told=told.FAULTS,
        title=N_("time to the error"),
        column=N_("time to error"),
        meaning=N_(
            "From the fault (or the call, where there is none) to the error the caller sees."
        ),
    ),
    Definition(
        key=KeyPattern.of("fault.block.time"),
        unit="ms",
        better="lower",
        disturbed=Disturbed.TIME,
        told=told.FAULTS,
        title=N_("longest block"),
        column=N_("longest block"),
        meaning=N_(
            "The longest call since the fault, from its start to its end, whatever came of it."
        ),
    ),
    Definition(
        key=KeyPattern.of("fault.late.count"),
        unit="count",
        better="lower",
        disturbed=Disturbed.COUNT,
        told=told.FAULTS,
        title=N_("late ticks"),
        column=N_("late ticks"),
        meaning=N_(
            "Ticks since the fault whose operation ended after its deadline, or, without one, "
            "after it was due again."
        ),
    ),
    Definition(
        key=KeyPattern.of("fault.outage.time"),
        unit="ms",
        better="lower",
        disturbed=Disturbed.TIME,
        told=told.FAULTS,
        title=N_("outage"),
        column=N_("outage"),
        meaning=N_("From the fault to the first operation that succeeded on time."),
    ),
)
