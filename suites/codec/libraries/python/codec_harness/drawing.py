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

_WIDE, _WIDEST = 1 << 32, (1 << 63) - 1
"""Beyond the first an integer is one of 64 bits, as large as the second one at the most. A double
has not all of them.
"""

_SINGLE, _PARTS = "f", 256
"""The field that is a float of 32 bits, which hold as many parts of a whole exactly."""

_AWKWARD = ('"', "\\", "\n", "\t", "\x1f", "/", "\u2028", "é", "한", "😀")
"""Characters that a format may have to escape, or to write in several bytes."""

_LONG = 300
"""More letters than a byte can count."""

_DRAW = random.SystemRandom()


def drawn(neutral: Any) -> Any:
    """A copy of a neutral value with other fields, of which about a half are as long as they were.

    The others have what no value of a pool has: a codec may be made for those alone.
    """
    value = copy.deepcopy(neutral)
    places = [place for place in _leaves(value) if place[0][place[1]] != ""]
    for holder, key in _DRAW.sample(places, min(_FIELDS, len(places))):
        holder[key] = _another(key, holder[key])
    return value


def _leaves(value: Any) -> Iterator[tuple[Any, Any]]:
    """The holder of each field, and the key or place it is held at."""
    for key, one in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(one, dict | list):
            yield from _leaves(one)
        else:
            yield value, key


def _another(key: Any, field: Any) -> Any:
    if isinstance(field, bool):
        return not field
    is_unlike_any = _DRAW.random() < 0.5
    if isinstance(field, int):
        if is_unlike_any and abs(field) >= _WIDE:
            return _DRAW.randint(_WIDE, _WIDEST) * (-1 if field < 0 else 1)
        return field ^ _DRAW.randint(1, _LOW_BITS)
    if isinstance(field, float):
        return _fraction(key) if is_unlike_any else -field or 0.25  # exact wherever the field was
    return _text() if is_unlike_any else _with_another_letter(field)


def _fraction(key: Any) -> float:
    """A number that takes all digits of its type."""
    if key == _SINGLE:
        return _DRAW.randrange(1, _PARTS * _PARTS) / _PARTS
    return _DRAW.uniform(-1e9, 1e9)


def _text() -> str:
    """A text of letters and of what is awkward, long or short."""
    letters = _DRAW.choices(string.ascii_letters, k=_DRAW.choice((1, _LONG)))
    parts = [*letters, *_DRAW.sample(_AWKWARD, len(_AWKWARD))]
    _DRAW.shuffle(parts)
    return "".join(parts)


def _with_another_letter(field: str) -> str:
    place = _DRAW.randrange(len(field))
    letters = [letter for letter in string.ascii_letters if letter != field[place]]
    return field[:place] + _DRAW.choice(letters) + field[place + 1 :]
