"""A finding of the doctor about one thing."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from wirelab.model.units import Strict


class Health(StrEnum):
    """Whether figures of this machine can be trusted in one respect."""

    OK = "ok"
    WARN = "warn"
    BAD = "bad"


class Examined(Strict):
    """One thing about the machine, and what can be done about it."""

    name: str = Field(description="stable, such as clock-source")
    health: Health
    found: str
    advice: str = Field(default="", description="what to do; empty: nothing")
