"""Values that nobody has seen before: those of a pool with some fields that were drawn just now."""

from __future__ import annotations

import copy
import random
import string
from collections.abc import Iterator
from typing import Any

_FIELDS = 2
"""Fields of a value that are drawn: who looks at some of them misses these."""

_LOW_BITS = 7
"""An integer of any width that differs in these alone is one of that width as well."""

_DRAW = random.SystemRandom()


def drawn(neutral: Any) -> Any:
    """A copy of a neutral value with other fields, which are as long as they were."""
    value = copy.deepcopy(neutral)
    places = [place for place in _leaves(value) if place[0][place[1]] != ""]
    for holder, key in _DRAW.sample(places, min(_FIELDS, len(places))):
        holder[key] = _another(holder[key])
    return value


def _leaves(value: Any) -> Iterator[tuple[Any, Any]]:
    """The holder of each field, and the key or place it is held at."""
    for key, one in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(one, dict | list):
            yield from _leaves(one)
        else:
            yield value, key


def _another(field: Any) -> Any:
    if isinstance(field, bool):
        return not field
    if isinstance(field, int):
        return field ^ _DRAW.randint(1, _LOW_BITS)
    if isinstance(field, float):
        return -field or 0.25  # exact wherever the field was
    place = _DRAW.randrange(len(field))
    letters = [letter for letter in string.ascii_letters if letter != field[place]]
    return field[:place] + _DRAW.choice(letters) + field[place + 1 :]
