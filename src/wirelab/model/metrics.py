"""Metrics that a suite declares in ``suite.toml``, and how a disturbed host changes any metric."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StringConstraints

from wirelab.model.units import Strict, Text

MetricKey = Annotated[
    str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]*(\.[a-z0-9-]+)+$", max_length=64)
]
"""The dotted name of a metric of a suite's own: ``encoded.size``."""


class Disturbed(StrEnum):
    """The effect on a metric of a host that does other work at the same time."""

    TIME = "time"
    """It grows, or a rate falls: somebody waited for a processor, a cache or a disk, and that
    wait is in every duration it fell into."""
    COUNT = "count"
    """A clean result stands, for a disturbance takes no error and no loss away; any other may be
    the host's, for what is late can run into a deadline or overflow a queue."""
    UPPER_BOUND = "upper bound"
    """The true figure is this one or less: what is late is held in memory meanwhile, and nothing
    that the host does takes memory or bytes away."""
    NOTHING = "nothing"
    """It stays as it is: it follows from the program and its data alone, whenever they run."""


def _disturbed(value: Any) -> Any:
    """The effect of that name: TOML knows no enumerations."""
    return Disturbed(value) if value in set(Disturbed) else value


Better = Literal["lower", "higher", "neither"]


class OwnMetric(Strict):
    """A metric of one suite, whose figures its judge gives."""

    unit: str = Field(min_length=1, description="B, ms, tag/s …")
    better: Better = "neither"
    disturbed: Annotated[Disturbed, BeforeValidator(_disturbed)] = Field(
        description="by other work of the host: time: it grows; count: zero stands; upper bound: "
        "the true figure is this or less; nothing: it stays as it is"
    )
    title: Text = Field(description="in a sentence")
    column: Text = Field(description="above a column")
    meaning: Text
