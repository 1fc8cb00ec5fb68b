"""Metrics that only steps of closed loops have."""

from __future__ import annotations

from wirelab.metrics import told
from wirelab.metrics.definition import Definition, Extent
from wirelab.metrics.pattern import KeyPattern
from wirelab.model.metrics import Disturbed
from wirelab.words.translation import N_

STEPS: tuple[Definition, ...] = (
    Definition(
        key=KeyPattern.of("step.elapsed"),
        unit="s",
        better="lower",
        extent=Extent.OF_A_TRIAL,
        disturbed=Disturbed.TIME,
        told=told.STEPS,
        title=N_("time of the step"),
        column=N_("time of the step"),
        meaning=N_(
            "Closed loop: from where the step began, everybody connected and settled, until the "
            "last of its operations had ended, deliveries included."
        ),
    ),
    Definition(
        key=KeyPattern.of("{op}.elapsed.{mark}"),
        unit="s",
        better="lower",
        disturbed=Disturbed.TIME,
        told=told.STEPS,
        title=N_("{op}: time until {stat} were done"),
        column="{stat}",
        meaning=N_(
            "Closed loop: from where the step began until so many of these operations were "
            "completed, over all users; of connecting, from the first attempt."
        ),
    ),
    Definition(
        key=KeyPattern.of("{op}.elapsed"),
        unit="s",
        better="lower",
        extent=Extent.OF_A_TRIAL,
        disturbed=Disturbed.TIME,
        told=told.JOINING,
        title=N_("{op}: time until everybody was there"),
        column=N_("everybody there"),
        meaning=N_(
            "Closed loop: how long it took until all users of the step had joined, one after the "
            "other, those of the steps before it included."
        ),
    ),
    Definition(
        key=KeyPattern.of("{op}.elapsed.summed"),
        unit="s",
        better="lower",
        extent=Extent.OF_A_TRIAL,
        disturbed=Disturbed.TIME,
        told=told.JOINING,
        title=N_("{op}: time until everybody was there, and of the step"),
        column=N_("with the step"),
        meaning=N_(
            "Closed loop: the time in which all users joined and the time of the step, summed: "
            "what a clock tells that runs through both."
        ),
    ),
    Definition(
        key=KeyPattern.of("{op}.first"),
        unit="ms",
        better="lower",
        extent=Extent.OF_A_TRIAL,
        disturbed=Disturbed.TIME,
        told=told.ASKED,
        title=N_("{op}, first user"),
        column=N_("first user"),
        meaning=N_(
            "How long the user who connected first took for its part of the step; mean of trials."
        ),
    ),
    Definition(
        key=KeyPattern.of("{op}.last"),
        unit="ms",
        better="lower",
        extent=Extent.OF_A_TRIAL,
        disturbed=Disturbed.TIME,
        told=told.ASKED,
        title=N_("{op}, last user"),
        column=N_("last user"),
        meaning=N_(
            "How long the user who connected last took for its part of the step; mean of trials."
        ),
    ),
    Definition(
        key=KeyPattern.of("{op}.fairness"),
        unit="ratio",
        better="higher",
        disturbed=Disturbed.TIME,
        told=told.SERVED,
        title=N_("{op} fairness"),
        column=N_("fairness"),
        meaning=N_(
            "Jain's index (DEC-TR-301, 1984) of the rates at which users were served, each the "
            "inverse of its duration: 1 when all are served alike, 1/n when one of n gets "
            "everything. Of rates, because a user who never got everything then counts as 0."
        ),
    ),
)
