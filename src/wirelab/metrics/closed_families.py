"""Families of metrics that only steps of closed loops have."""

from __future__ import annotations

from wirelab.metrics.family import Family, family
from wirelab.words.translation import N_

CLOSED: tuple[Family, ...] = (
    family(
        r"step\.elapsed",
        N_("time of the step"),
        N_("time of the step"),
        N_(
            "Closed loop: from where the step began, everybody connected and settled, until the "
            "last of its operations had ended, deliveries included."
        ),
    ),
    family(
        r"(?P<op>[a-z0-9-]+)\.elapsed\.(?P<stat>[0-9]+)",
        N_("{op}: time until {stat} were done"),
        "{stat}",
        N_(
            "Closed loop: from where the step began until so many of these operations were "
            "completed, over all users; of connecting, from the first attempt."
        ),
    ),
    family(
        r"(?P<op>[a-z0-9-]+)\.first",
        N_("{op}, first user"),
        N_("first user"),
        N_("How long the user who connected first took for its part of the step; mean of trials."),
    ),
    family(
        r"(?P<op>[a-z0-9-]+)\.last",
        N_("{op}, last user"),
        N_("last user"),
        N_("How long the user who connected last took for its part of the step; mean of trials."),
    ),
    family(
        r"(?P<op>[a-z0-9-]+)\.fairness",
        N_("{op} fairness"),
        N_("fairness"),
        N_(
            "Jain's index (DEC-TR-301, 1984) of the rates at which users were served, each the "
            "inverse of its duration: 1 when all are served alike, 1/n when one of n gets "
            "everything. Of rates, because a user who never got everything then counts as 0."
        ),
    ),
)
