"""Families of metrics of operations that are repeated in batches."""

from __future__ import annotations

from wirelab.metrics.family import Family, family
from wirelab.words.translation import N_

BATCHES: tuple[Family, ...] = (
    family(
        r"encoded\.size",
        N_("encoded size"),
        N_("encoded"),
        N_("Bytes of the first instance of the data, as the contender encoded it."),
    ),
    family(
        r"encoded\.zstd",
        N_("encoded size after zstd"),
        "zstd",
        N_("The same bytes compressed alone with zstd, level 3, frame header included."),
    ),
    family(
        r"(?P<op>[a-z0-9_-]+)\.time",
        N_("{op} time"),
        "{op}",
        N_(
            "Time of one round: in each process the median of its batches, each divided by its "
            "rounds; over the processes the median of these."
        ),
    ),
    family(
        r"(?P<op>[a-z0-9_-]+)\.instructions",
        N_("{op} instructions"),
        N_("{op} instr"),
        N_(
            "Instructions executed by one round: the difference between two processes, divided by "
            "the difference of their rounds; over the repeats the median."
        ),
    ),
    family(
        r"(?P<op>[a-z0-9_-]+)\.instructions\.spread",
        N_("{op} instructions: spread of the repeats"),
        N_("{op} spread"),
        N_("Largest less smallest count of the repeats, in per cent of their median."),
    ),
    family(
        r"(?P<op>[a-z0-9_-]+)\.allocated",
        N_("{op} allocated"),
        N_("{op} allocated"),
        N_("Bytes allocated on the heap by one round, counted apart from the timed batches."),
    ),
    family(
        r"(?P<op>[a-z0-9_-]+)\.gc\.share",
        N_("{op} GC share"),
        N_("{op} GC"),
        N_("Share of the measured time that pauses of the garbage collector took."),
    ),
    family(
        r"(?P<op>[a-z0-9_-]+)\.warmup",
        N_("{op} warm-up"),
        N_("{op} warm-up"),
        N_("Time spent before measuring: calibrating the rounds, and batches that do not count."),
    ),
    family(
        r"(?P<op>[a-z0-9_-]+)\.outlier\.count",
        N_("{op} outlying batches"),
        N_("{op} outliers"),
        N_(
            "Batches beyond 1.5 quartile distances from the others of their process. They count "
            "like any other."
        ),
    ),
)
