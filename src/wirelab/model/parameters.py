"""Parameters: the values that workers, verifiers and services of a suite may read."""

from __future__ import annotations

import math
from typing import Literal

from pydantic import Field

from wirelab.model.units import Scalar, Strict

_WORDS = {
    "whole": "a whole number",
    "number": "a number",
    "flag": "true or false",
    "text": "a text",
}


_LEAST, _MOST = -(2**63), 2**63 - 1
"""Whole numbers that every language of a worker takes."""


class Parameter(Strict):
    """A parameter: its value and its meaning."""

    type: Literal["whole", "number", "flag", "text"]
    meaning: str = Field(min_length=1, description="a phrase, with the unit")
    least: int | float | None = Field(default=None, description="of a number")
    most: int | float | None = Field(default=None, description="of a number")
    choices: list[str] = Field(default=[], description="of a text; any when empty")
    fixed: bool = Field(default=False, description="says how something is: --set cannot change it")

    @property
    def expected(self) -> str:
        """Its values in plain words: ``a whole number from 1 to 9``."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        return _WORDS[self.type] + self._range

    @property
    def _range(self) -> str:
        if self.least is not None and self.most is not None:
            return f" from {self.least} to {self.most}"
        if self.least is not None:
            return f" of {self.least} or more"
        return "" if self.most is None else f" of {self.most} or less"

    def takes(self, value: Scalar) -> bool:
        """Whether ``value`` is of its type and within its bounds."""
        match self.type, value:
            case "flag", bool():
                return True
            case (("whole" | "number"), bool()):
                return False
            case "whole", int():
                return _LEAST <= value <= _MOST and self._within(value)
            case "number", int() | float():
                return _is_finite(value) and self._within(value)
            case "text", str():
                return not self.choices or value in self.choices
        return False

    def read(self, text: str) -> Scalar:
        """The value that ``text`` of a command line stands for; ValueError when it is none."""
        value = self._typed(text)
        if not self.takes(value):
            raise ValueError(text)
        return value

    def _typed(self, text: str) -> Scalar:
        match self.type:
            case "flag":
                flags = {"true": True, "false": False}
                if text.lower() not in flags:
                    raise ValueError(text)
                return flags[text.lower()]
            case "whole":
                return int(text)
            case "number":
                return float(text)
            case "text":
                return text

    def _within(self, value: float) -> bool:
        above = self.least is None or value >= self.least
        return above and (self.most is None or value <= self.most)


def _is_finite(value: float) -> bool:
    return _LEAST <= value <= _MOST if isinstance(value, int) else math.isfinite(value)


class SuiteParameter(Parameter):
    """A parameter of a suite, with who gives its value."""

    by: Literal["scenario", "contender"] = Field(
        default="scenario",
        description="who gives its value: a scenario with its variants, steps and profiles, or "
        "contenders in their `[tuning]`",
    )


TARGET = "target"

OF_THE_CORE = {
    TARGET: Parameter(type="text", meaning="HOST:PORT of a server of the user's own (--target)"),
}
"""Parameters that an option of the command line sets, in every suite."""
