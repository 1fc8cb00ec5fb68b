"""Values of tags: what each has in a generation, and in a write."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha512
from typing import Any

MODULUS = 2**31
TAG_STEP = 7919
GENERATION_STEP = 104729
FIRST_DOUBLE = 1000
FIRST_STRING = 1800
MEASURE_SEQUENCE = 1_000_000
PREFLIGHT_SEQUENCE = 900_000
FURTHEST = 50
"""Generations after a read in which a value is looked for that is too new for it."""

_STEP_INVERSE = pow(GENERATION_STEP, -1, MODULUS)
_A_DIGEST = 16
"""A digest has the numbers of this many tags."""

Values = Sequence[Any]
Tags = Sequence[int]
Value = int | float | str


class TagValues:
    """The values of tags: those of a generation depend on the secret of the trial, those of a write
    on its sequence number alone, for the client has to know them."""

    def __init__(self, secret: str) -> None:
        key = bytes.fromhex(secret)

        @lru_cache(maxsize=4096)
        def numbers(generation: int, part: int) -> tuple[int, ...]:
            message = struct.pack("<QI", generation, part)
            return struct.unpack("<16I", sha512(key + message).digest())

        self._numbers = numbers

    def expected(self, tag: int, origin: int) -> Value:
        """The value of ``tag`` in a generation, or in a write with that sequence number."""
        return _typed(tag, self._number(tag, origin))

    def differences(self, values: Values, tags: Tags, origin: int) -> list[int]:
        """Tags whose value is not that of ``origin``."""
        return [tag for tag in tags if not _same(values[tag], self.expected(tag, origin))]

    def origin_of(self, values: Values, tags: Tags, held: range) -> int | None:
        """The generation or the write that most of nine tags, spread over all types, belong to;
        generations are looked for among those that ``held``, then among all before them, then
        among some after."""
        spread = sorted({tags[position * (len(tags) - 1) // 8] for position in range(9)})
        given = [(tag, _number_in(tag, values[tag])) for tag in spread]
        known = [(tag, number) for tag, number in given if number is not None]
        found = [origin for tag, number in known if (origin := _write_of(tag, number)) is not None]
        if 2 * len(found) > len(known):
            return max(found, key=found.count)
        later = range(held.stop, held.stop + FURTHEST)
        for generations in (held, range(held.start), later):
            found += [
                generation
                for generation in reversed(generations)
                for tag, number in known
                if self._number(tag, generation) == number
            ]
            if found:
                break
        return max(found, key=found.count) if found else None

    def _number(self, tag: int, origin: int) -> int:
        if origin >= PREFLIGHT_SEQUENCE:
            return (tag * TAG_STEP + origin * GENERATION_STEP) % MODULUS
        if origin < 0:
            return -1  # before the first generation there was none
        return self._numbers(origin, tag // _A_DIGEST)[tag % _A_DIGEST] % MODULUS


def sequence_of(phase: str, tick: int) -> int:
    """The sequence number of a write."""
    return (MEASURE_SEQUENCE if phase == "measure" else PREFLIGHT_SEQUENCE) + tick


def origin_in_words(sequence: int) -> str:
    """A generation or a write as findings name it."""
    if sequence >= MEASURE_SEQUENCE:
        return f"the write of tick {sequence - MEASURE_SEQUENCE}"
    if sequence >= PREFLIGHT_SEQUENCE:
        return f"preflight write {sequence - PREFLIGHT_SEQUENCE}"
    return f"generation {sequence}"


def _typed(tag: int, number: int) -> Value:
    if tag < FIRST_DOUBLE:
        return number
    if tag < FIRST_STRING:
        return number / 1000.0
    return f"tag{tag:04d}-{number:010d}"


def _same(value: Any, wanted: Value) -> bool:
    """Equal in value and type, as far as JSON carries types.

    JSON has one kind of number, and the shortest form of 5.0 is 5: an integer stands for a
    Double of the same value. The other way round it does not, and a boolean never does.
    """
    alike = type(value) is type(wanted) or (type(value) is int and type(wanted) is float)
    return alike and bool(value == wanted)


def _number_in(tag: int, value: Any) -> int | None:
    """The number that a value is made of; None where it is no value of ``tag``."""
    if isinstance(value, str) and value[8:].isdecimal():
        number = int(value[8:])
    elif type(value) is int and tag < FIRST_DOUBLE:
        number = value
    elif type(value) in (int, float) and abs(value) < MODULUS:
        number = round(value * 1000)
    else:
        return None
    return number if _same(value, _typed(tag, number)) else None


def _write_of(tag: int, number: int) -> int | None:
    """The sequence number of the write that sets ``tag`` to this number; None: no write does."""
    sequence = (number - tag * TAG_STEP) * _STEP_INVERSE % MODULUS
    return sequence if PREFLIGHT_SEQUENCE <= sequence < 2 * MEASURE_SEQUENCE else None
