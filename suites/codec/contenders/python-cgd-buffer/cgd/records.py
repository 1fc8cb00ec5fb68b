"""Classes, whose fields follow each other."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import Any, TypeVar

from cgd.kinds import Put, ValueKind

T = TypeVar("T")


def record(build: Callable[..., T], **kinds: ValueKind[Any]) -> ValueKind[T]:
    """Objects with these fields, in this order, which ``build`` takes by position.

    TypeError without a field: a list of records of no bytes could claim any length.
    """
    if not kinds:
        raise TypeError("a record needs a field")
    runs = list(_runs(kinds))
    if len(runs) == 1 and len(kinds[runs[0][0]].layout) == 1:
        return _row(build, runs[0], "".join(kind.layout for kind in kinds.values()))
    parts = [_part(names, kinds) for names in runs]
    writes = [(attrgetter(*names), part.write) for names, part in zip(runs, parts, strict=True)]
    reads = [(part.read, len(names) == 1) for names, part in zip(runs, parts, strict=True)]

    def write(value: T, put: Put) -> None:
        for get, write_part in writes:
            write_part(get(value), put)

    def read(data: Any, at: int) -> tuple[T, int]:
        values: list[Any] = []
        for read_part, alone in reads:
            part, at = read_part(data, at)
            if alone:
                values.append(part)
            else:
                values += part
        return build(*values), at

    return ValueKind(write, read, sum(kind.smallest for kind in kinds.values()))


def _runs(kinds: dict[str, ValueKind[Any]]) -> Iterator[tuple[str, ...]]:
    """Neighbouring primitives together, everything else alone."""
    for primitive, names in groupby(kinds, lambda name: len(kinds[name].layout) == 1):
        if primitive:
            yield tuple(names)
        else:
            yield from ((name,) for name in names)


def _row(build: Callable[..., T], names: tuple[str, ...], letters: str) -> ValueKind[T]:
    """Nothing but primitives: one call of struct for all of them."""
    layout = struct.Struct(f"<{letters}")
    pack, unpack, size = layout.pack, layout.unpack_from, layout.size
    get: Callable[[Any], Any] = attrgetter(*names)

    def fields(value: T) -> tuple[Any, ...]:
        return (get(value),)

    def write(value: T, put: Put) -> None:
        put(pack(*row(value)))

    def read(data: Any, at: int) -> tuple[T, int]:
        return build(*unpack(data, at)), at + size

    row = get if len(names) > 1 else fields
    return ValueKind(write, read, size, letters, build, row)


def _part(names: tuple[str, ...], kinds: dict[str, ValueKind[Any]]) -> ValueKind[Any]:
    """One field, or the tuple of some neighbouring primitives."""
    if len(names) == 1:
        return kinds[names[0]]
    layout = struct.Struct("<" + "".join(kinds[name].layout for name in names))
    pack, unpack, size = layout.pack, layout.unpack_from, layout.size

    def write(values: tuple[Any, ...], put: Put) -> None:
        put(pack(*values))

    def read(data: Any, at: int) -> tuple[tuple[Any, ...], int]:
        return unpack(data, at), at + size

    return ValueKind(write, read, size)
