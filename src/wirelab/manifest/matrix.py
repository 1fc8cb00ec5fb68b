"""Steps of a matrix: one for each combination of its values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from wirelab.manifest.names import must_exist
from wirelab.manifest.problems import Key

MATRIX = "matrix"

MOST_STEPS = 1000

_BRACES = re.compile(r"\{([^{}]*)\}")
_PLACE = re.compile(r"([A-Za-z0-9_-]+)(:,)?")
_PARAMETERS = "parameters"

Values = dict[str, Any]


class MatrixError(Exception):
    """A matrix that makes no steps: the key below that of the step, and why."""

    def __init__(self, key: Key, message: str) -> None:
        super().__init__(message)
        self.key = key
        self.message = message


def steps_of(name: str, table: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The steps of a table with a matrix, by name and in order; raises MatrixError."""
    combinations = _combinations(table[MATRIX])
    used: set[str] = set()
    steps: dict[str, dict[str, Any]] = {}
    for values in combinations:
        filling = _Filling(values, used)
        step = filling.text((), name)
        if step in steps:
            raise MatrixError(
                (), f"makes two steps {step}: put every value that differs into the name"
            )
        steps[step] = filling.table(table)
    for value in combinations[0]:
        if value not in used:
            raise MatrixError((MATRIX,), f'nothing uses the value "{value}": write {{{value}}}')
    return steps


def _combinations(matrix: Any) -> list[Values]:
    if not isinstance(matrix, Mapping) or not matrix:
        raise MatrixError(
            (MATRIX,), "expected a table of lists with values, such as { keys = [50, 200] }"
        )
    axes = [_axis(name, values) for name, values in matrix.items()]
    names = [name for axis in axes for name in axis[0]]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise MatrixError((MATRIX,), f'two values are called "{twice}"')
    number = 1
    for axis in axes:
        number *= len(axis)
    if number > MOST_STEPS:
        raise MatrixError((MATRIX,), f"makes {number:,} steps, and {MOST_STEPS:,} is the most")
    return [{k: v for part in parts for k, v in part.items()} for parts in product(*axes)]


def _axis(name: str, values: Any) -> list[Values]:
    """Each value of a list with its name; several that go together with theirs."""
    key: Key = (MATRIX, name)
    if not isinstance(values, list) or not values:
        raise MatrixError(key, "expected a list with values, such as [50, 200]")
    axis = [value if isinstance(value, dict) else {name: value} for value in values]
    for number, row in enumerate(axis):
        if not row or row.keys() != axis[0].keys():
            named = ", ".join(axis[0])
            raise MatrixError((*key, number), f"expected values of the same names: {named}")
        if not all(isinstance(value, bool | int | float | str) for value in row.values()):
            raise MatrixError((*key, number), "expected a number, a text, true or false")
    return axis


class _Filling:
    """One combination, filled in; ``used`` gathers the names of values that were."""

    def __init__(self, values: Values, used: set[str]) -> None:
        self._values = values
        self._used = used

    def table(self, table: Mapping[str, Any]) -> dict[str, Any]:
        """The step itself."""
        return {k: self._value((k,), v) for k, v in table.items() if k != MATRIX}

    def text(self, key: Key, text: str) -> str:
        """``text`` with each value in its place."""
        for found in _BRACES.finditer(text):
            self._must_be_known(key, found[1])
        return _BRACES.sub(lambda found: self._shown(key, found[1]), text)

    def _value(self, key: Key, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {k: self._value((*key, k), v) for k, v in value.items()}
        if not isinstance(value, str):
            return value
        whole = _BRACES.fullmatch(value)
        if whole and whole[1] in self._values:
            self._used.add(whole[1])
            return self._values[whole[1]]
        # Braces in a parameter may be the worker's own, as those of http_path are.
        return value if key[0] == _PARAMETERS else self.text(key, value)

    def _must_be_known(self, key: Key, inner: str) -> None:
        place = _PLACE.fullmatch(inner)
        if place is None:
            raise MatrixError(key, f'expected {{NAME}} or {{NAME:,}}, found "{{{inner}}}"')
        for _key, message in must_exist(key, "value of the matrix", place[1], self._values):
            raise MatrixError(key, message)

    def _shown(self, key: Key, inner: str) -> str:
        name, _, grouped = inner.partition(":")
        value = self._values[name]
        self._used.add(name)
        if isinstance(value, bool):
            return str(value).lower()
        if not grouped:
            return str(value)
        if isinstance(value, str):
            raise MatrixError(key, f'{{{inner}}} is for numbers, and {name} is "{value}"')
        return f"{value:,}"


def expanded(key: Key, steps: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Each step with the name that it is written under and its own; raises MatrixError."""
    for written, table in steps.items():
        if isinstance(table, Mapping) and MATRIX in table:
            try:
                made = steps_of(written, table)
            except MatrixError as error:
                raise MatrixError((*key, written, *error.key), error.message) from None
            yield from ((written, name, step) for name, step in made.items())
        elif _BRACES.search(written):
            raise MatrixError(
                (*key, written), "a name with values between braces needs a matrix that has them"
            )
        else:
            yield written, written, table
