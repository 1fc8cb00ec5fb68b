"""Values that nobody has seen before: those of a pool with some fields that were drawn just now."""

from __future__ import annotations

import copy
import random
import string
from collections import Counter
from collections.abc import Iterator
from operator import itemgetter
from typing import Any

_FIELDS, _FIELDS_UNLIKE_ANY = 2, 4
"""Fields of a value that are drawn: who looks at some of them misses these. The second is of those
that are to be unlike any, which only some of them can be.
"""

_LOW_BITS = 7
"""An integer of any width that differs in these alone is one of that width as well."""

_ENDS = {
    "c": (-(1 << 7), (1 << 7) - 1),
    "uc": (0, (1 << 8) - 1),
    "i16": (-(1 << 15), (1 << 15) - 1),
    "u16": (0, (1 << 16) - 1),
    "u32": (0, (1 << 32) - 1),
    "id": (0, (1 << 32) - 1),
    "i64": (-(1 << 63), (1 << 63) - 1),
    "sent": (-(1 << 63), (1 << 63) - 1),
    "time": (-(1 << 63), (1 << 63) - 1),
    "u64": (0, (1 << 64) - 1),
}
_I32 = (-(1 << 31), (1 << 31) - 1)
"""The least and the greatest integer of each field, and of all others: those of lists, too, which
are below 100 in the pools.
"""

_SINGLE, _PARTS = "f", 256
"""The field that is a float of 32 bits, which hold as many parts of a whole exactly."""

_AWKWARD = ('"', "\\", "\n", "\t", "\x1f", "\0", "/", "\u2028", "é", "e\u0301", "한", "😀")
"""Characters that a format may have to escape, to write in several bytes, or to take for the end of
a text; and two that look alike, which are not the same text.
"""

_LONG = 300
"""More letters, or elements, than a byte can count."""

_DRAW = random.SystemRandom()

Place = tuple[Any, Any]
"""The holder of a field, and the key or place that it is held at."""


def drawn(neutral: Any) -> Any:
    """A copy of a neutral value with other fields. About a half are as long as they were.

    The others have what no value of a pool has: a codec may be made for those alone. So may it be
    for the lengths of lists and the keys of maps, of which one is another, too.
    """
    value = copy.deepcopy(neutral)
    places = list(_leaves(value))
    is_unlike_any = _is_so()
    fields = _FIELDS_UNLIKE_ANY if is_unlike_any else _FIELDS
    for holder, key in _chosen(places, fields):
        field = holder[key]
        holder[key] = _unlike_any(key, field) if is_unlike_any else _as_long(field)
    if is_unlike_any:
        _reshape(value)
    return value


def _is_so() -> bool:
    """Once in two times."""
    return _DRAW.random() < 0.5


def _leaves(value: Any) -> Iterator[Place]:
    """The holder of each field, and the key or place it is held at."""
    for key, one in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(one, dict | list):
            yield from _leaves(one)
        else:
            yield value, key


def _chosen(places: list[Place], fields: int) -> list[Place]:
    """Some of the places, of as many names as there are: most fields of some shapes have one name,
    and the others are to have their turn as well.
    """
    before: Counter[Any] = Counter()
    ranked = []
    for place in _DRAW.sample(places, len(places)):
        holder, key = place
        name = key if isinstance(holder, dict) else None
        ranked.append((before[name], place))
        before[name] += 1
    ranked.sort(key=itemgetter(0))
    return [place for _, place in ranked[:fields]]


def _lists(value: Any) -> Iterator[list[Any]]:
    """A value, if it is a list, and all lists within it."""
    if isinstance(value, list):
        yield value
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _lists(one)


def _is_map(value: Any) -> bool:
    """Whether the keys of a value are data: of no other shape are all fields lists of integers."""
    return isinstance(value, dict) and all(
        isinstance(one, list) and all(isinstance(number, int) for number in one)
        for one in value.values()
    )


def _reshape(value: Any) -> None:
    """Give a map another key, or a list another length: none, or more than a byte can count."""
    if _is_map(value) and _is_so():
        value[_text()] = value.pop(_DRAW.choice(list(value)))
        return
    for chosen in _DRAW.sample(lists := list(_lists(value)), min(1, len(lists))):
        if _is_so():
            chosen.clear()
        else:
            chosen += [copy.deepcopy(_DRAW.choice(chosen)) for _ in range(_LONG - len(chosen))]


def _as_long(field: Any) -> Any:
    """Another value that takes as much room in the usual formats."""
    if isinstance(field, bool):
        return not field
    if isinstance(field, int):
        return field ^ _DRAW.randint(1, _LOW_BITS)
    if isinstance(field, float):
        return -field or 0.25  # exact wherever the field was
    return _with_another_letter(field) if field else _text()


def _unlike_any(key: Any, field: Any) -> Any:
    if isinstance(field, bool):
        return not field
    if isinstance(field, int):
        least, most = _ENDS.get(key, _I32)
        return _DRAW.choice((least, most, _DRAW.randint(least, most)))
    return _fraction(key) if isinstance(field, float) else _text()


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
