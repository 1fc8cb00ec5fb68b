"""Multi-gets as SQL: a table a set, its keys in one array, the order restored by the client."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from kv_harness.client import Key, Row
from kv_harness.data import BINS

_COLUMNS = ", ".join(BINS)


@dataclass(frozen=True, slots=True)
class Select:
    """One statement for a multi-get: several sets are one round trip, by UNION ALL."""

    text: str
    arrays: tuple[list[str], ...]
    """The keys of each set, without repetitions: a condition finds a row once."""
    order: Sequence[Hashable]
    """Begin of a row, for each key asked."""
    head: int
    """Columns before the bins: the key, and before it the set where there are several."""

    def in_order(self, rows: Iterable[Sequence[Any]]) -> list[Row | None]:
        """A row for each key asked; ``rows`` come as the database found them."""
        found: dict[Hashable, Row]
        if self.head == 1:
            found = {row[0]: tuple(row[1:]) for row in rows}
        else:
            found = {tuple(row[:2]): tuple(row[2:]) for row in rows}
        return [found.get(key) for key in self.order]


class FoundRows(NamedTuple):
    """Rows of a multi-get that the database found, in its own order."""

    asked: Select
    rows: Sequence[Sequence[Any]]


def select(keys: Sequence[Key], placeholder: Callable[[int], str]) -> Select:
    """The statement for ``keys``; ``placeholder`` names its n-th argument, from 1."""
    sets: dict[int, dict[str, None]] = {}
    for chosen, key in keys:
        sets.setdefault(chosen, {})[key] = None
    alone = len(sets) == 1
    parts = [
        f"SELECT {'' if alone else f'{chosen} AS chosen, '}key, {_COLUMNS} "
        f"FROM wirelab.set_{chosen} WHERE key = ANY({placeholder(n)})"
        for n, chosen in enumerate(sets, 1)
    ]
    return Select(
        text=" UNION ALL ".join(parts),
        arrays=tuple(list(distinct) for distinct in sets.values()),
        order=[key for _, key in keys] if alone else list(keys),
        head=1 if alone else 2,
    )
