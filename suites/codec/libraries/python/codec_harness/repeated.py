"""The loop of an operation, in code of its own, and single results out of the same code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from codec_harness import loops

Produce = Callable[[Any], Any]


class Repeated:
    """A loop on values, whose code has seen no other types.

    A codec that asks the interpreter who calls it is told the same in a batch and in an audit:
    ``Folded`` and ``Encoded`` have single results made by that code.
    """

    def __init__(
        self, loop: loops.Loop, name: str, values: list[Any], called: Sequence[Any]
    ) -> None:
        self._loop = loops.fresh_copy(loop, name)
        self.values = values
        self.called = called
        self.most = 0
        """The most iterations so far: those of a batch."""

    def __call__(self, iterations: int) -> int:
        """Do so many iterations, and return their checksum."""
        self.most = max(self.most, iterations)
        return self.repeat(iterations, self.values, self.called)

    def repeat(self, iterations: int, values: Sequence[Any], called: Sequence[Any]) -> int:
        """Run the loop on any values."""
        return self._loop(iterations, values, *called)


class Folded(Repeated):
    """A loop that hands each result to the last of what it calls."""

    def once(self, value: Any) -> Any:
        """The result of one iteration."""
        kept: list[Any] = []

        def keep(result: Any) -> int:
            kept.append(result)
            return 0

        self.repeat(1, [value], [*self.called[:-1], keep])
        return kept[0]


class Encoded(Repeated):
    """A loop that leaves its last result in the last of what it is given."""

    def once(self, value: Any) -> Any:
        """The result of one iteration."""
        last: list[Any] = []
        self.repeat(1, [value], [*self.called[:-1], last])
        return last[0]
