"""Metrics of microbenchmarks: of operations that are repeated in batches."""

from __future__ import annotations

from wirelab.metrics import told
from wirelab.metrics.definition import Definition, Extent
from wirelab.metrics.pattern import KeyPattern
from wirelab.model.metrics import Disturbed
from wirelab.words.translation import N_

MICROBENCHMARK: tuple[Definition, ...] = (
    Definition(
        key=KeyPattern.of("{op}.time"),
        unit="ns",
        better="lower",
        disturbed=Disturbed.TIME,
        told=told.TIMED,
        title=N_("{op} time"),
        column="{op}",
        meaning=N_(
            "Time of one iteration: in each process the median of its batches, each divided by its "
            "iterations; over the processes the median of these."
        ),
    ),
    Definition(
        key=KeyPattern.of("{op}.instructions"),
        unit="instr/iteration",
        better="lower",
        decides=True,
        disturbed=Disturbed.NOTHING,
        told=told.INSTRUCTIONS,
        title=N_("{op} instructions"),
        column=N_("{op} instr"),
        meaning=N_(
            "Instructions executed by one iteration: the difference between two processes, divided "
            "by the difference of their iterations; over the repeats the median."
        ),
    ),
    Definition(
        key=KeyPattern.of("{op}.instructions.spread"),
        unit="%",
        disturbed=Disturbed.NOTHING,
        told=told.INSTRUCTIONS,
        title=N_("{op} instructions: spread of the repeats"),
        column=N_("{op} spread"),
        meaning=N_("Largest less smallest count of the repeats, in per cent of their median."),
    ),
    Definition(
        key=KeyPattern.of("{op}.allocated"),
        unit="B",
        better="lower",
        disturbed=Disturbed.NOTHING,
        told=told.TIMED,
        title=N_("{op} allocated"),
        column=N_("{op} allocated"),
        meaning=N_(
            "Bytes allocated on the heap by one iteration, counted apart from the timed batches."
        ),
    ),
    Definition(
        key=KeyPattern.of("{op}.gc.share"),
        unit="%",
        better="lower",
        disturbed=Disturbed.TIME,
        told=told.TIMED,
        title=N_("{op} GC share"),
        column=N_("{op} GC"),
        meaning=N_("Share of the measured time that pauses of the garbage collector took."),
    ),
    Definition(
        key=KeyPattern.of("{op}.warmup"),
        unit="s",
        disturbed=Disturbed.TIME,
        told=told.TIMED,
        title=N_("{op} warm-up"),
        column=N_("{op} warm-up"),
        meaning=N_(
            "Time spent before measuring: calibrating the iterations, and batches that do not "
            "count."
        ),
    ),
    Definition(
        key=KeyPattern.of("{op}.outlier.count"),
        unit="count",
        extent=Extent.SUM,
        disturbed=Disturbed.COUNT,
        told=told.TIMED,
        title=N_("{op} outlying batches"),
        column=N_("{op} outliers"),
        meaning=N_(
            "Batches beyond 1.5 quartile distances from the others of their process. They count "
            "like any other."
        ),
    ),
)
