"""What a report is composed from: the result of a run, what was published, and the language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from wirelab.metrics.catalogue import CORE
from wirelab.metrics.naming import Naming
from wirelab.model.result import Cell, CellSeries, Result, Series, Verdict
from wirelab.model.run import Participant
from wirelab.model.suite import Operation, Scenario
from wirelab.report.published import Published
from wirelab.words.translation import Words


@dataclass(frozen=True)
class Comparison:
    """Cells that may be compared: one scenario, variant, step, mode and generator, and one language
    where the scenario ranks within languages.

    ``references`` are the contenders among them that are yardsticks, never ranked.
    """

    scenario_name: str
    scenario: Scenario
    variant: str
    mode: str
    cells: tuple[Cell, ...]
    step: str = ""
    generator: str = ""
    references: frozenset[str] = frozenset()
    language: str = ""

    @property
    def operations(self) -> dict[str, Operation]:
        """The operations of the scenario its cells have figures of; all where none has any."""
        used = {name for cell in self.cells for name in cell.statuses}
        used |= {
            name
            for name in self.scenario.operations
            for cell in self.cells
            if any(metric.startswith(f"{name}.") for metric in cell.metrics)
        }
        operations = self.scenario.operations
        return {name: op for name, op in operations.items() if name in used} or operations

    @property
    def ranked(self) -> tuple[Cell, ...]:
        """The cells whose figures may be compared."""
        return tuple(
            cell
            for cell in self.cells
            if cell.verdict is not Verdict.INVALID and cell.contender not in self.references
        )

    def cell_of(self, contender: str) -> Cell | None:
        """The cell of a contender; None when it has none here."""
        return next((cell for cell in self.cells if cell.contender == contender), None)

    def period_seconds(self, operation: str) -> float:
        """Time between two calls of an operation."""
        return self.scenario.period * self.scenario.operations[operation].every / 1e9

    def target_rate(self, operation: str) -> float:
        """Items a second that the schedule asks for."""
        return self.scenario.operations[operation].items / self.period_seconds(operation)


@dataclass(frozen=True)
class Context:
    """Everything a section may look at."""

    result: Result
    series: Series
    words: Words
    published: Published | None = None
    _first_use: set[str] = field(default_factory=set, compare=False)

    @property
    def language(self) -> str:
        """Language of the report."""
        return self.words.language

    @cached_property
    def naming(self) -> Naming:
        """What metrics are called: the core's, and those that the suite declares."""
        roles = {role for known in self.result.scenarios.values() for role in known.roles}
        return Naming(self.words, CORE.with_own(self.result.metrics or {}), roles)

    @cached_property
    def contenders(self) -> list[str]:
        """All contenders of the run, in the order that every table and colour keeps."""
        return sorted(self.result.participants)

    @cached_property
    def measured(self) -> list[str]:
        """Contenders with a cell, in that order; all of them where nobody has one."""
        seen = {cell.contender for cell in self.result.cells}
        return [name for name in self.contenders if name in seen] or self.contenders

    def participant(self, contender: str) -> Participant:
        """A contender with its manifest and what it costs to own."""
        return self.result.participants[contender]

    def name(self, contender: str) -> str:
        """What a contender is called in the report: its title, and its language."""
        manifest = self.participant(contender).manifest
        language = re.escape(manifest.language)
        if not language or re.search(rf"(?<!\w){language}(?![\w+#])", manifest.title, re.I):
            return manifest.title
        return f"{manifest.title} ({manifest.language})"

    def colour(self, contender: str) -> int:
        """Number of the contender's colour: the same in every table and chart."""
        return self.contenders.index(contender)

    def published_only(self) -> list[str]:
        """Keys of the contenders that the source has and this run does not."""
        return self._published_without({*self.result.participants})

    def published_unmeasured(self) -> list[str]:
        """Keys of the contenders that the source has and this run has no cell of."""
        return self._published_without({*self.measured})

    def _published_without(self, here: set[str]) -> list[str]:
        if self.published is None:
            return []
        return [key for key, c in self.published.contenders.items() if c.here not in here]

    def comparisons(self, kind: str = "load", scenario: str = "") -> list[Comparison]:
        """The comparisons of all scenarios of a kind (or of one scenario), in order: a scenario
        as a whole before its steps, the suite's own load before that of other generators."""
        groups: dict[tuple[str, str, str, str, str, str], list[Cell]] = {}
        for cell in self._ordered_cells():
            model = self.result.scenarios[cell.scenario]
            if model.kind == kind and scenario in ("", cell.scenario):
                like = (cell.scenario, cell.variant, cell.step, cell.mode, cell.generator)
                groups.setdefault((*like, self._company(cell)), []).append(cell)
        return [
            Comparison(
                name,
                self.result.scenarios[name],
                variant,
                mode,
                tuple(cells),
                step,
                generator,
                self.references,
                company,
            )
            for (name, variant, step, mode, generator, company), cells in groups.items()
        ]

    @cached_property
    def references(self) -> frozenset[str]:
        """Contenders that are yardsticks (such as a null server), never ranked."""
        return frozenset(
            name for name in self.contenders if self.participant(name).manifest.reference
        )

    def generator(self, name: str) -> str:
        """What a load generator is called; the suite's own has no name."""
        if not name:
            return "wirelab"
        known = self.result.generators.get(name)
        return known.title.of(self.language) or name if known else name

    def _company(self, cell: Cell) -> str:
        """The language a cell is compared within; empty where languages are compared."""
        within = self.result.scenarios[cell.scenario].ranked_within
        return self.participant(cell.contender).manifest.language if within == "language" else ""

    def _ordered_cells(self) -> Iterator[Cell]:
        scenarios = list(self.result.scenarios)
        variants = {
            name: ["", *scenario.variants] for name, scenario in self.result.scenarios.items()
        }
        steps = {name: ["", *scenario.steps] for name, scenario in self.result.scenarios.items()}
        yield from sorted(
            self.result.cells,
            key=lambda cell: (
                scenarios.index(cell.scenario),
                variants[cell.scenario].index(cell.variant),
                cell.generator,
                steps[cell.scenario].index(cell.step),
                self._company(cell),
                cell.mode,
                self.contenders.index(cell.contender),
            ),
        )

    def drawn(self, cell: Cell) -> CellSeries:
        """What charts draw of a cell; empty when nothing was kept."""
        return self.series.cells.get(cell.id, CellSeries())

    def items(self, operation: Operation) -> str:
        """How many items one call of an operation carries: ``2,000 tags``."""
        said = self.words.ngettext("{n} {item}", "{n} {item}s", operation.items)
        item = self.words.gettext(operation.item)
        return said.format(n=f"{operation.items:,}", item=item)

    def role(self, role: str) -> str:
        """What a role is called; the suite's catalogue may have a word for it."""
        return self.words.gettext(role)

    def first(self, topic: str) -> bool:
        """True the first time a topic is asked for: explanations stand where it first appears."""
        if topic in self._first_use:
            return False
        self._first_use.add(topic)
        return True


def value_of(cell: Cell, metric: str) -> float | None:
    """The value of a metric; None when it has none."""
    found = cell.metrics.get(metric)
    return None if found is None else found.value


def rank_in(cell: Cell, metric: str) -> int | None:
    """Place of a cell in a metric; None where it has none, and where nothing bounds its figure.

    Of a single trial without an interval nothing can be told apart: all share rank 1 then, which
    says nothing of anybody.
    """
    found = cell.metrics.get(metric)
    if found is None or (found.interval is None and len(cell.trials) == 1):
        return None
    return cell.ranks.get(metric)


def nothing_apart(comparison: Comparison) -> bool:
    """Whether somebody shares a rank only because a single trial bounds nothing."""
    return any(rank_in(cell, metric) is None for cell in comparison.ranked for metric in cell.ranks)
