"""The definition of a metric: all that is known of it beside its figures."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from itertools import product

from wirelab.metrics.pattern import MAXIMUM, KeyPattern, Slot
from wirelab.metrics.told import MetricScope
from wirelab.model.metrics import Better, Disturbed
from wirelab.model.parts import Operation
from wirelab.model.scenario import Scenario
from wirelab.model.units import Text


class Extent(Enum):
    """Dependence of a metric on the length and the number of trials."""

    OF_AN_OPERATION = auto()
    """A longer trial makes it more certain, and no larger."""
    OF_A_TRIAL = auto()
    """A longer trial alone makes it larger."""
    SUM = auto()
    """The sum over all trials: longer or more of them make it larger."""


@dataclass(frozen=True)
class Definition:
    """A metric: its keys, unit and way, its words, and what it depends on.

    ``title`` stands in a sentence, ``column`` above a column; both may hold ``{op}`` (the
    operation or the role), ``{kind}`` (of an operation) and ``{stat}`` (the statistic or the
    mark). A text is a message of the core's catalogue of translations, or a ``Text`` of a suite.
    ``unit`` may hold ``{item}`` (of the operation) and ``{load}`` (the parameter of a capacity).
    """

    key: KeyPattern
    unit: str
    disturbed: Disturbed
    told: MetricScope
    title: str | Text
    column: str | Text
    meaning: str | Text
    better: Better = "neither"
    extent: Extent = Extent.OF_AN_OPERATION
    decides: bool = False
    """Whether the outcome of a cell rests on it also where nobody is ranked by it."""


@dataclass(frozen=True)
class Named:
    """One metric: a definition with what its slots hold."""

    definition: Definition
    slots: Mapping[Slot, str]

    @property
    def key(self) -> str:
        """Its dotted name."""
        return self.definition.key.fill(self.slots)

    @property
    def subject(self) -> str:
        """The operation or the role it is about; empty where it is about neither."""
        return self.slots.get(Slot.OPERATION) or self.slots.get(Slot.ROLE, "")

    @property
    def level(self) -> str:
        """The statistic or the mark; empty where it has neither."""
        return self.slots.get(Slot.STATISTIC) or self.slots.get(Slot.MARK, "")

    @property
    def kind(self) -> str:
        """The kind of operation it is about; empty where it is about all of them."""
        return self.slots.get(Slot.KIND, "")

    @property
    def grows_with_length(self) -> bool:
        """Whether a longer trial alone makes the figure bigger, as it does any maximum."""
        is_maximum = self.slots.get(Slot.STATISTIC) == MAXIMUM
        return is_maximum or self.definition.extent is not Extent.OF_AN_OPERATION

    def unit_in(self, scenario: Scenario) -> str:
        """Its unit in a scenario."""
        load = scenario.capacity.parameter if scenario.capacity else ""
        return self.definition.unit.format(item=self._item(scenario), load=load)

    def _item(self, scenario: Scenario) -> str:
        """Items that the operation handles; of a role, the items counted in all that it does."""
        if Slot.OPERATION in self.slots:
            return scenario.operations[self.slots[Slot.OPERATION]].item
        counted = [op.item for op in scenario.operations.values() if op.record == "intervals"]
        return counted[-1] if counted else ""


def named_in(definition: Definition, scenario: Scenario) -> Iterator[Named]:
    """The metrics of a definition that a scenario may have."""
    if not definition.told.scenarios(scenario):
        return
    parts = [part for part in definition.key.parts if isinstance(part, Slot)]
    free: list[Slot] = [slot for slot in parts if slot not in _OF_AN_OPERATION]
    bound = [slot for slot in parts if slot in _OF_AN_OPERATION]
    for values in product(*(_fillers(slot, definition, scenario) for slot in free)):
        slots = dict(zip(free, values, strict=True))
        own = (_OF_AN_OPERATION[slot](scenario.operations[slots[Slot.OPERATION]]) for slot in bound)
        for held in product(*own):
            yield Named(definition, {**slots, **dict(zip(bound, held, strict=True))})


_OF_AN_OPERATION: Mapping[Slot, Callable[[Operation], Collection[str]]] = {
    Slot.MARK: lambda operation: [str(mark) for mark in operation.marks],
    Slot.KIND: lambda operation: operation.kinds,
}
"""Slots that hold what an operation of the scenario names."""


def _fillers(slot: Slot, definition: Definition, scenario: Scenario) -> Collection[str]:
    if slot is Slot.STATISTIC:
        return definition.key.statistics
    if slot is Slot.ROLE:
        return definition.told.roles(scenario)
    return [n for n, op in scenario.operations.items() if definition.told.operations(op)]
