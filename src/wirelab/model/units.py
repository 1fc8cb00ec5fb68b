"""Durations, sizes, texts in two languages, and names, as they stand in manifests."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

_UNITS = {"ns": 1, "us": 1_000, "ms": 1_000_000, "s": 1_000_000_000, "min": 60_000_000_000}
_LONGEST = 100 * 24 * 60 * _UNITS["min"]
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(ns|us|ms|s|min)")
_BYTES = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
_SIZE = re.compile(r"(\d{1,7}(?:\.\d+)?)\s*(KiB|MiB|GiB)")


def parse_duration(value: Any) -> int:
    """Nanoseconds of a duration such as ``"100ms"``; raises ValueError with the form expected."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    match = _DURATION.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        raise ValueError('expected a duration such as "100ms", "1.5s" or "2min"')
    nanoseconds = float(match[1]) * _UNITS[match[2]]
    if nanoseconds > _LONGEST:
        raise ValueError("expected a duration below 100 days")
    return round(nanoseconds)


Duration = Annotated[int, BeforeValidator(parse_duration)]
"""Nanoseconds, written ``"100ms"`` in a manifest."""


def parse_size(value: Any) -> int:
    """Bytes of a size such as ``"128MiB"``; raises ValueError with the form expected."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    match = _SIZE.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        raise ValueError('expected a size such as "128MiB" or "4GiB"')
    return round(float(match[1]) * _BYTES[match[2]])


Size = Annotated[int, BeforeValidator(parse_size)]
"""Bytes, written ``"128MiB"`` in a manifest."""

Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=64)]
"""A lower-case name with dashes, safe in a path and in a URL."""

Term = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$", max_length=64)]
"""A subject's name for an operation or a step: ``T1``, ``round_trip``."""

FileName = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9._@+-]*$", max_length=255)
]
"""The name of a file or a folder, which leads nowhere else: no separator, no leading dot."""

OptionalName = Annotated[str, StringConstraints(pattern=r"^([a-z0-9][a-z0-9-]*)?$", max_length=64)]
"""A name, or nothing."""

OptionalTerm = Annotated[
    str, StringConstraints(pattern=r"^([A-Za-z0-9][A-Za-z0-9_-]*)?$", max_length=64)
]
"""A term, or nothing."""

Scalar = bool | int | float | str


class Strict(BaseModel):
    """A model that refuses keys it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Text(Strict):
    """A text in the languages of the reports."""

    en: str
    ko: str = ""

    def of(self, language: str) -> str:
        """The text in ``language``; English where there is no translation."""
        return self.ko if language == "ko" and self.ko else self.en


def _text(value: Any) -> Any:
    return {"en": value} if isinstance(value, str) else value


Words = Annotated[Text, BeforeValidator(_text)]
"""A text that may be written as one English string or as a table ``{ en, ko }``."""

Wording = Annotated[Words, Field(default_factory=lambda: Text(en=""))]
"""The same, where none is an empty one."""
