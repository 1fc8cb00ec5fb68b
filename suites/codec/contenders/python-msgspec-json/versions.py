"""The record of ``evolution`` and what changes make of it, as msgspec's users declare them."""

from __future__ import annotations

from enum import Enum
from typing import Any

import msgspec


class UrgencyLevel(Enum):
    """Urgency of a reading."""

    NONE = "none"
    LOW = "low"
    HIGH = "high"


class WiderLevel(Enum):
    """The same with a value more."""

    NONE = "none"
    LOW = "low"
    HIGH = "high"
    CRITICAL = "critical"


class Base(msgspec.Struct, kw_only=True):
    """A reading; its note may be left out."""

    sensor: int
    name: str
    note: str | None = None
    count: int
    level: UrgencyLevel


class Added(Base, kw_only=True):
    """One more that may be left out."""

    unit: str | None = None


class Removed(msgspec.Struct):
    """Without the note."""

    sensor: int
    name: str
    count: int
    level: UrgencyLevel


class Reordered(msgspec.Struct, kw_only=True):
    """In another order."""

    count: int
    name: str
    note: str | None = None
    sensor: int
    level: UrgencyLevel


class Renamed(msgspec.Struct, kw_only=True):
    """With a title in the place of the name."""

    sensor: int
    title: str
    note: str | None = None
    count: int
    level: UrgencyLevel


class Retyped(msgspec.Struct, kw_only=True):
    """With a count in words."""

    sensor: int
    name: str
    note: str | None = None
    count: str
    level: UrgencyLevel


class Enumeration(msgspec.Struct, kw_only=True):
    """With the wider enumeration."""

    sensor: int
    name: str
    note: str | None = None
    count: int
    level: WiderLevel


class Required(Base, kw_only=True):
    """One more that must be there."""

    zone: str


VERSIONS: dict[str, Any] = {
    "base": Base,
    "added": Added,
    "removed": Removed,
    "reordered": Reordered,
    "renamed": Renamed,
    "widened": Base,
    "retyped": Retyped,
    "enumeration": Enumeration,
    "required": Required,
}
"""An int of Python has no width: the version ``widened`` is the first one."""
