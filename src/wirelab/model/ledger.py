"""A trial's operations held against what a neutral service counted."""

from __future__ import annotations

from pydantic import Field

from wirelab.model.units import Strict


class LedgerEntry(Strict):
    """One operation of a trial, on both sides."""

    claimed: int = Field(
        ge=0, description="fewest items that its good records asked for, or had to write"
    )
    served: int = Field(
        ge=0, description="the most items that the service can have served, or written, meanwhile"
    )
    written: bool = Field(
        default=False, description="both are of what was to be written, which alone lacks"
    )
    at_most: int | None = Field(
        default=None, ge=0, description="most items that its operations may ask for; null: any"
    )
    surely: int = Field(
        default=0,
        ge=0,
        description="the fewest that the service can have served meanwhile, where that is bounded",
    )
