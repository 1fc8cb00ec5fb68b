"""Trials that were lost to the host, and the rule by which a run makes up for them."""

from __future__ import annotations

from pydantic import Field

from wirelab.model.units import Name, Strict


class MakeUp(Strict):
    """Trials that the host took are run again, in blocks of their own."""

    at_most_ns: int = Field(gt=0, description="what these blocks may take together")


class LostTrials(Strict):
    """Number of a contender's trials that the host took."""

    contender: Name
    trials: int = Field(description="included by plan, and beside a host that was recorded")
    lost: int = Field(description="of them, those of which others disturbed too much")
    set_aside: int = Field(description="of the lost, those made up for: they are in no figure")
    chance: float = Field(
        description="that a host which does not see who is measured takes so many of its trials, "
        "or more: names exchanged within each block"
    )
    more_often: bool = Field(
        description="it takes more of this one's than of the others' of the same blocks"
    )
