"""Something of the user's own in the place of wirelab's: servers, and an interpreter."""

from __future__ import annotations

from typing import Any

from pydantic import Field, model_validator

from wirelab.model.units import Name, Strict


class RequestCount(Strict):
    """Requests that a server of the user's own counted during a trial."""

    requests: int
    counter: str = Field(description="by its own name")


class OwnServerFindings(Strict):
    """Findings about a server of the user's own, and actions taken there."""

    product: str
    version: str
    written: int = Field(default=0, description="records written before the run, with --fill")
    removed: int = Field(default=0, description="records removed after it")
    counter: str = Field(default="", description="its own that showed the requests; empty: none")


class Own(Strict):
    """Parts that the user has put in the place of wirelab's own."""

    targets: dict[Name, str] = Field(
        default={}, description="HOST:PORT[/PATH] of a server instead of a service of the suite"
    )
    items: list[str] = Field(default=[], description="what is read there, as the user listed it")
    fill: bool = Field(default=False, description="our records may be written there, and removed")
    found: dict[Name, OwnServerFindings] = Field(
        default={}, description="on those servers, by service"
    )
    python: str = Field(default="", description="interpreter that Python contenders run on")

    @model_validator(mode="before")
    @classmethod
    def _of_before_there_were_several(cls, given: Any) -> Any:
        """Take a stored one whose only server was none at all."""
        if isinstance(given, dict) and not given.get("target", "-"):
            return {key: value for key, value in given.items() if key != "target"}
        return given


OUR_OWN = Own()
"""Nothing."""
