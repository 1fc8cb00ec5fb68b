"""Metrics of the operations of a load: how long, how many, and how many of them failed."""

from __future__ import annotations

from wirelab.metrics import told
from wirelab.metrics.definition import Definition, Extent
from wirelab.metrics.pattern import OF_DURATIONS, KeyPattern
from wirelab.model.metrics import Disturbed
from wirelab.words.translation import N_

OPERATIONS: tuple[Definition, ...] = (
    Definition(
        key=KeyPattern.of("{op}.latency.{stat}", OF_DURATIONS),
        unit="ms",
        better="lower",
        disturbed=Disturbed.TIME,
        told=told.LOADS,
        title=N_("{op} latency {stat}"),
        column="{stat}",
        meaning=N_(
            "Service time: from just before the call into the library until its decoded result "
            "is in the caller's hands."
        ),
    ),
    Definition(
        key=KeyPattern.of("{op}.kind.{kind}.{stat}", OF_DURATIONS),
        unit="ms",
        better="lower",
        disturbed=Disturbed.TIME,
        told=told.OF_KINDS,
        title=N_("{op} latency, {kind}, {stat}"),
        column=N_("{kind} {stat}"),
        meaning=N_(
            "Service time of the operations of one kind alone: which one each of them is, the "
            "suite knows by their turns, and no worker says it."
        ),
    ),
    Definition(
        key=KeyPattern.of("{op}.response.{stat}", OF_DURATIONS),
        unit="ms",
        better="lower",
        disturbed=Disturbed.TIME,
        told=told.SCHEDULED,
        title=N_("{op} response time {stat}"),
        column=N_("response {stat}"),
        meaning=N_(
            "Response time: from the intended time of the tick until the decoded result. It "
            "contains the wait of a call that could not start on time."
        ),
    ),
    Definition(
        key=KeyPattern.of("tick.drift.{stat}", OF_DURATIONS),
        unit="ms",
        better="lower",
        disturbed=Disturbed.TIME,
        told=told.SCHEDULED,
        title=N_("tick drift {stat}"),
        column=N_("drift {stat}"),
        meaning=N_("Actual start of an operation minus its intended time; positive is late."),
    ),
    Definition(
        key=KeyPattern.of("{op}.rate"),
        unit="{item}/s",
        better="higher",
        disturbed=Disturbed.TIME,
        told=told.LOADS,
        title=N_("{op} throughput"),
        column=N_("{op} rate"),
        meaning=N_(
            "Successful operations × items, divided by the scheduled window without warm-up; in a "
            "closed loop by the time that its steps took."
        ),
    ),
    Definition(
        key=KeyPattern.of("{op}.attainment"),
        unit="%",
        better="higher",
        disturbed=Disturbed.COUNT,
        told=told.SCHEDULED,
        title=N_("{op} attainment"),
        column=N_("{op} attained"),
        meaning=N_("Successful operations divided by those the schedule asked for in the window."),
    ),
    Definition(
        key=KeyPattern.of("{op}.miss.count"),
        unit="count",
        better="lower",
        extent=Extent.SUM,
        disturbed=Disturbed.COUNT,
        told=told.LOADS,
        title=N_("{op} deadline misses"),
        column=N_("{op} misses"),
        meaning=N_(
            "Operations due in the window that did not succeed within their deadline, counted "
            "from the intended time; an operation that failed or never came is a miss."
        ),
    ),
    Definition(
        key=KeyPattern.of("{op}.miss.ratio"),
        unit="%",
        better="lower",
        decides=True,
        disturbed=Disturbed.COUNT,
        told=told.LOADS,
        title=N_("{op} miss ratio"),
        column=N_("{op} miss ratio"),
        meaning=N_("Deadline misses divided by the operations due."),
    ),
    Definition(
        key=KeyPattern.of("{op}.syncs"),
        unit="call/{item}",
        better="lower",
        disturbed=Disturbed.NOTHING,
        told=told.SYNC_CALLS,
        title=N_("sync calls to a {op}"),
        column=N_("sync calls"),
        meaning=N_(
            "Calls that wait for the disk (fsync, fdatasync, syncfs, sync, msync with MS_SYNC) by "
            "the role that stores, to each good operation: counted by strace in trials of their "
            "own, in which nothing is timed."
        ),
    ),
    Definition(
        key=KeyPattern.of("{op}.error.count"),
        unit="count",
        better="lower",
        extent=Extent.SUM,
        disturbed=Disturbed.COUNT,
        told=told.OUTCOMES,
        title=N_("{op} errors"),
        column=N_("{op} errors"),
        meaning=N_("Operations in the window with another status than ok."),
    ),
    Definition(
        key=KeyPattern.of("{op}.error.ratio"),
        unit="%",
        better="lower",
        decides=True,
        disturbed=Disturbed.COUNT,
        told=told.LOADS,
        title=N_("{op} error ratio"),
        column=N_("{op} error ratio"),
        meaning=N_("Failed operations divided by the operations done."),
    ),
    Definition(
        key=KeyPattern.of("{op}.cv"),
        unit="%",
        better="lower",
        disturbed=Disturbed.TIME,
        told=told.LOADS,
        title=N_("{op} cv between trials"),
        column=N_("cv ({op} mean)"),
        meaning=N_(
            "Coefficient of variation of the trials' mean service times: their standard "
            "deviation divided by their mean. Small: the trials agree."
        ),
    ),
)
