"""Every metric there is: the core's, with those that a suite declares."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from wirelab.metrics.capacity import CAPACITY
from wirelab.metrics.definition import Definition, Named, named_in
from wirelab.metrics.deliveries import DELIVERIES
from wirelab.metrics.faults import FAULTS
from wirelab.metrics.microbenchmark import MICROBENCHMARK
from wirelab.metrics.operations import OPERATIONS
from wirelab.metrics.pattern import KeyPattern, Slot
from wirelab.metrics.resources import RESOURCES
from wirelab.metrics.steps import STEPS
from wirelab.metrics.told import JUDGED
from wirelab.metrics.trends import TRENDS
from wirelab.metrics.wire import WIRE
from wirelab.model.metrics import OwnMetric
from wirelab.model.scenario import Scenario


@dataclass(frozen=True)
class Catalogue:
    """Definitions of metrics, and how the key of one is found among them."""

    definitions: tuple[Definition, ...]

    def with_own(self, own: Mapping[str, OwnMetric]) -> Catalogue:
        """This catalogue with the metrics of a suite."""
        return Catalogue((*self.definitions, *(_declared(key, one) for key, one in own.items())))

    def named(self, key: str, roles: Collection[str] = ()) -> Named | None:
        """The metric that ``key`` names by its shape; None where no definition fits.

        The definition with most literal words counts. ``roles`` tells apart what roles and
        operations may both have.
        """
        found = [
            Named(definition, slots)
            for definition in self.definitions
            if (slots := definition.key.read(key)) is not None
        ]
        return min(found, key=lambda named: _rank(named, roles), default=None)

    def of(self, scenario: Scenario) -> dict[str, Named]:
        """Every metric that a scenario may have, by its key."""
        return {named.key: named for named in self._all(scenario)}

    @property
    def subjects(self) -> frozenset[str]:
        """First words of keys that name neither an operation nor a role."""
        firsts = (definition.key.parts[0] for definition in self.definitions)
        return frozenset(first for first in firsts if not isinstance(first, Slot))

    def _all(self, scenario: Scenario) -> Iterator[Named]:
        for definition in self.definitions:
            yield from named_in(definition, scenario)


def _rank(named: Named, roles: Collection[str]) -> tuple[int, bool]:
    role = named.slots.get(Slot.ROLE)
    operation = named.slots.get(Slot.OPERATION)
    return -named.definition.key.literals, operation in roles or (
        role is not None and role not in roles
    )


def _declared(key: str, own: OwnMetric) -> Definition:
    return Definition(
        key=KeyPattern.of(key),
        unit=own.unit,
        better=own.better,
        disturbed=own.disturbed,
        told=JUDGED,
        title=own.title,
        column=own.column,
        meaning=own.meaning,
    )


CORE = Catalogue(
    (
        *(*STEPS, *OPERATIONS, *WIRE, *DELIVERIES, *CAPACITY, *FAULTS),
        *(*RESOURCES, *TRENDS, *MICROBENCHMARK),
    )
)
