"""The types that a native value is made of."""

from __future__ import annotations

from typing import Any

from codec_harness.forms import field_names


def kinds_of(value: Any) -> set[type]:
    """The type of a value, and those of everything in it.

    What only looks like a value may make it when somebody asks, which is after the iteration in
    which it was to be made.
    """
    found: set[type] = set()
    _collect(value, found)
    return found


def _collect(value: Any, found: set[type]) -> None:
    found.add(type(value))
    if isinstance(value, dict):
        for key, one in value.items():
            _collect(key, found)
            _collect(one, found)
    elif isinstance(value, list | tuple):
        for one in value:
            _collect(one, found)
    else:
        for name in field_names(value):
            _collect(getattr(value, name), found)
