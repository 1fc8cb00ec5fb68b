"""Two native values that swap what they hold, while each stays the object that it is."""

from __future__ import annotations

from typing import Any

from codec_harness.forms import field_names


def swap(one: Any, other: Any) -> None:
    """Give each of two values of a shape what the other one holds."""
    if isinstance(one, list):
        one[:], other[:] = other[:], one[:]
    elif isinstance(one, dict):
        _trade_entries(one, other)
    else:
        for name in field_names(one):
            held = getattr(one, name)
            setattr(one, name, getattr(other, name))
            setattr(other, name, held)


def _trade_entries(one: dict[Any, Any], other: dict[Any, Any]) -> None:
    if one.keys() == other.keys():
        for key, held in one.items():
            one[key], other[key] = other[key], held
        return
    held = dict(one)
    one.clear()
    one.update(other)
    other.clear()
    other.update(held)
