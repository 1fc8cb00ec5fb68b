"""Metrics of searches for a capacity, and what bounds of their probes may name besides."""

from __future__ import annotations

from wirelab.metrics import told
from wirelab.metrics.definition import Definition, Extent
from wirelab.metrics.pattern import KeyPattern
from wirelab.model.metrics import Disturbed
from wirelab.words.translation import N_

CAPACITY: tuple[Definition, ...] = (
    Definition(
        key=KeyPattern.of("capacity.verified"),
        unit="{load}",
        better="higher",
        # A load that held is held: lateness helps no bound to hold.
        disturbed=Disturbed.COUNT,
        told=told.PROBES,
        title=N_("capacity verified"),
        column=N_("held"),
        meaning=N_(
            "The highest load that held every bound of the scenario; a mean over the searches."
        ),
    ),
    Definition(
        key=KeyPattern.of("capacity.failed"),
        unit="{load}",
        # A load that failed may have been the host's.
        disturbed=Disturbed.COUNT,
        told=told.PROBES,
        title=N_("capacity failed"),
        column=N_("did not hold"),
        meaning=N_("The lowest load above it that did not; the capacity lies between the two."),
    ),
    Definition(
        key=KeyPattern.of("{op}.disconnected.count"),
        unit="count",
        better="lower",
        extent=Extent.SUM,
        disturbed=Disturbed.COUNT,
        told=told.PROBES,
        title=N_("{op} disconnected"),
        column=N_("disconnected"),
        meaning=N_("Operations that failed because their connection was lost."),
    ),
)
