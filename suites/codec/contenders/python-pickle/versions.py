"""The record of ``evolution`` as programs of each version would have it: one class, one name.

pickle writes where a class is found and looks there when it reads, so that old and new code in one
process have to take turns in being the module ``readings``.
"""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass, field, make_dataclass
from enum import Enum
from types import ModuleType
from typing import Any

_MODULE = "readings"
_LEVELS = ("none", "low", "high")
_OPTIONAL = ("note", "unit")

_BASE = {"sensor": int, "name": str, "note": str | None, "count": int, "level": Enum}
_FIELDS: dict[str, dict[str, Any]] = {
    "base": _BASE,
    "added": {**_BASE, "unit": str | None},
    "removed": {name: kind for name, kind in _BASE.items() if name != "note"},
    "reordered": {name: _BASE[name] for name in ("count", "name", "note", "sensor", "level")},
    "renamed": {"title" if name == "name" else name: kind for name, kind in _BASE.items()},
    "widened": _BASE,
    "retyped": {**_BASE, "count": str},
    "enumeration": _BASE,
    "required": {**_BASE, "zone": str},
}


@dataclass(frozen=True, slots=True)
class Version:
    """The module as one version of the program has it."""

    module: ModuleType

    @classmethod
    def of(cls, name: str) -> Version:
        """The module of a version."""
        module = ModuleType(_MODULE)
        levels = (*_LEVELS, "critical") if name == "enumeration" else _LEVELS
        members = [(level.upper(), level) for level in levels]
        module.Level = Enum("Level", members, module=_MODULE)  # type: ignore[attr-defined]
        fields = [
            (one, kind, field(default=None)) if one in _OPTIONAL else (one, kind)
            for one, kind in _FIELDS[name].items()
        ]
        made = make_dataclass("Reading", fields, kw_only=True)
        made.__module__ = _MODULE
        module.Reading = made  # type: ignore[attr-defined]
        return cls(module)

    def enter(self) -> None:
        """Be the module that pickle finds."""
        sys.modules[_MODULE] = self.module

    def native(self, value: dict[str, Any]) -> Any:
        """An object of the class."""
        return self.module.Reading(**{**value, "level": self.module.Level(value["level"])})

    def neutral(self, value: Any) -> dict[str, Any]:
        """A dictionary again; AttributeError where a field is not there."""
        return {**asdict(value), "level": value.level.value}
