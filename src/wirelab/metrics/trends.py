"""Metrics of trials that last for hours: what grows, and the least growth that would have shown."""

from __future__ import annotations

from wirelab.metrics import told
from wirelab.metrics.definition import Definition
from wirelab.metrics.pattern import KeyPattern
from wirelab.model.metrics import Disturbed
from wirelab.words.translation import N_

_LEAST = N_(
    "The smallest slope that this window would have shown in four cases of five: a slower leak "
    "cannot be seen in it."
)

TRENDS: tuple[Definition, ...] = (
    Definition(
        key=KeyPattern.of("rss.slope"),
        unit="MB/h",
        disturbed=Disturbed.UPPER_BOUND,
        told=told.TRENDS,
        title=N_("slope of RSS"),
        column=N_("RSS by the hour"),
        meaning=N_(
            "Change of the resident memory of the whole process tree by the hour, after the "
            "warm-up: a line through 64 segments, whose interval allows for their autocorrelation."
        ),
    ),
    Definition(
        key=KeyPattern.of("rss.slope.least"),
        unit="MB/h",
        disturbed=Disturbed.UPPER_BOUND,
        told=told.TRENDS,
        title=N_("smallest slope of RSS that would show"),
        column=N_("would show"),
        meaning=_LEAST,
    ),
    Definition(
        key=KeyPattern.of("descriptors.slope"),
        unit="1/h",
        disturbed=Disturbed.UPPER_BOUND,
        told=told.TRENDS,
        title=N_("slope of open descriptors"),
        column=N_("descriptors by the hour"),
        meaning=N_("Change of the number of open file descriptors by the hour, likewise."),
    ),
    Definition(
        key=KeyPattern.of("descriptors.slope.least"),
        unit="1/h",
        disturbed=Disturbed.UPPER_BOUND,
        told=told.TRENDS,
        title=N_("smallest slope of descriptors that would show"),
        column=N_("would show"),
        meaning=_LEAST,
    ),
    Definition(
        key=KeyPattern.of("threads.slope"),
        unit="1/h",
        disturbed=Disturbed.UPPER_BOUND,
        told=told.TRENDS,
        title=N_("slope of threads"),
        column=N_("threads by the hour"),
        meaning=N_("Change of the number of threads by the hour, likewise."),
    ),
    Definition(
        key=KeyPattern.of("threads.slope.least"),
        unit="1/h",
        disturbed=Disturbed.UPPER_BOUND,
        told=told.TRENDS,
        title=N_("smallest slope of threads that would show"),
        column=N_("would show"),
        meaning=_LEAST,
    ),
    Definition(
        key=KeyPattern.of("{op}.latency.slope"),
        unit="ms/h",
        disturbed=Disturbed.TIME,
        told=told.TRENDS,
        title=N_("slope of {op} latency"),
        column=N_("{op} latency by the hour"),
        meaning=N_("Change of the median service time by the hour, likewise, of quiet time."),
    ),
    Definition(
        key=KeyPattern.of("{op}.latency.slope.least"),
        unit="ms/h",
        disturbed=Disturbed.TIME,
        told=told.TRENDS,
        title=N_("smallest slope of {op} latency that would show"),
        column=N_("would show"),
        meaning=_LEAST,
    ),
    Definition(
        key=KeyPattern.of("connections.opened.count"),
        unit="count",
        disturbed=Disturbed.COUNT,
        told=told.TRENDS,
        title=N_("connections opened"),
        column=N_("opened"),
        meaning=N_(
            "Connections that the service accepted within the window, by its own count: of a "
            "client that has connected before, those by which it connected again."
        ),
    ),
)
