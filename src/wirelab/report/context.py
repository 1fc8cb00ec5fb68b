"""Material of a report: the result of a run, what was published, and the language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from wirelab.cells.verdicts import Verdicts
from wirelab.metrics.catalogue import CORE
from wirelab.metrics.naming import Naming
from wirelab.model.contender import modes_of
from wirelab.model.participant import Participant
from wirelab.model.parts import Operation
from wirelab.model.result import Cell, CellSeries, Result, Series
from wirelab.report.published import Published
from wirelab.words.series import series
from wirelab.words.translation import Words


@dataclass(frozen=True)
class Context:
    """Everything a section may look at."""

    result: Result
    series: Series
    words: Words
    published: Published | None = None
    shown_apart: frozenset[str] = frozenset()
    """Scenarios of faults that the table of all faults leaves to a chapter of the suite."""
    _first_use: set[str] = field(default_factory=set, compare=False)

    @property
    def language(self) -> str:
        """Language of the report."""
        return self.words.language

    @cached_property
    def naming(self) -> Naming:
        """Names of metrics: the core's, and those that the suite declares."""
        roles = {role for known in self.result.scenarios.values() for role in known.roles}
        return Naming(self.words, CORE.with_own(self.result.metrics or {}), roles)

    @cached_property
    def _verdicts(self) -> dict[str, Verdicts]:
        catalogue = self.naming.catalogue
        known = self.result.scenarios.items()
        return {name: Verdicts.of(scenario, catalogue) for name, scenario in known}

    def decisive(self, cell: Cell) -> set[str]:
        """The gates that make the verdict of a cell."""
        return self._verdicts[cell.scenario].decisive(cell)

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
        """Name of a contender in the report: its title, and its language."""
        title, named = self.title(contender), self.language_of(contender)
        if not named or re.search(rf"(?<!\w){re.escape(named)}(?![\w+#])", title, re.I):
            return title
        return f"{title} ({named})"

    def names(self, contenders: Iterable[str]) -> str:
        """Names of several contenders in a row."""
        return series(map(self.name, contenders))

    def title(self, contender: str) -> str:
        """Title of a contender in the language of the report."""
        return self.participant(contender).manifest.title.of(self.language)

    def colour(self, contender: str) -> int:
        """Number of the contender's colour: the same in every table and chart."""
        return self.contenders.index(contender)

    def published_only(self) -> list[str]:
        """Keys of the contenders that the study has and this run does not."""
        return self.published_without(self.result.participants)

    def published_unmeasured(self) -> list[str]:
        """Keys of the contenders that the study has and this run has no cell of."""
        return self.published_without(self.measured)

    def published_without(self, here: Collection[str]) -> list[str]:
        """Keys of the contenders that the study has and whose stand-in is not among those here."""
        return [key for key, own in self.stand_ins.items() if own not in here]

    @cached_property
    def stand_ins(self) -> Mapping[str, str]:
        """Keys of the study's contenders, each with the contender that stands for it: of those the
        study's file names, the first that was measured; empty where it names none.
        """
        known = self.published.contenders if self.published else {}
        return {key: self._stand_in(one.here) for key, one in known.items()}

    def _stand_in(self, named: Sequence[str]) -> str:
        """The first that was measured, else the first of the run, else the first at all."""
        return next(
            (
                name
                for known in (self.measured, self.contenders, named)
                for name in named
                if name in known
            ),
            "",
        )

    def key_of(self, contender: str) -> str | None:
        """The study's key of a contender; None where none stands beside it."""
        return next((key for key, own in self.stand_ins.items() if own == contender), None)

    @cached_property
    def references(self) -> frozenset[str]:
        """Contenders that are yardsticks (such as a null server), never ranked."""
        return frozenset(
            name for name in self.contenders if self.participant(name).manifest.reference
        )

    def generator(self, name: str) -> str:
        """Name of a load generator; empty for the suite's own."""
        if not name:
            return "wirelab"
        known = self.result.generators.get(name)
        return known.title.of(self.language) or name if known else name

    def language_of(self, contender: str) -> str:
        """The programming language of a contender."""
        return self.participant(contender).manifest.language

    def mode_of(self, contender: str) -> str:
        """The way of working that a contender declares."""
        return self.participant(contender).manifest.mode

    def modes_of(self, contender: str) -> list[str]:
        """The modes of the suite that it is made of."""
        return self.participant(contender).manifest.modes

    def mode_meaning(self, mode: str) -> str:
        """The meaning of a mode; empty where the suite has no words for it."""
        known = (self.result.modes.get(name) for name in modes_of(mode))
        return "; ".join(one.meaning.of(self.language) for one in known if one is not None)

    def mode_title(self, mode: str) -> str:
        """A mode in words; as contenders declare it where the suite has no words for it."""
        titles = {name: known.title.of(self.language) for name, known in self.result.modes.items()}
        return ", ".join(titles.get(name, name) for name in modes_of(mode))

    def ranked_language(self, cell: Cell) -> str:
        """The language a cell is ranked within; empty where languages are compared."""
        scenario = self.result.scenarios[cell.scenario]
        return scenario.company_of(self.participant(cell.contender).manifest)[0]

    def company(self, cell: Cell) -> tuple[str, ...]:
        """The same for all cells that may be compared with one another."""
        like = (cell.scenario, cell.variant, cell.step, cell.mode, cell.generator)
        return (*like, self.ranked_language(cell))

    def rank_in(self, cell: Cell, metric: str) -> int | None:
        """Place of a cell in a metric; None where it has none, where its figure may not be used,
        and where nothing bounds it, or nothing but it.

        Of a single trial without an interval nothing can be told apart: all share rank 1 then,
        which says nothing of anybody.
        """
        place = _bounded_rank(cell, metric)
        alone = place is None or self._bounded[self.company(cell), metric] < 2
        return None if alone else place

    @cached_property
    def _bounded(self) -> Counter[tuple[tuple[str, ...], str]]:
        """Cells with a rank that something bounds, by company and metric."""
        return Counter(
            (self.company(cell), metric)
            for cell in self.result.cells
            for metric in cell.ranks
            if _bounded_rank(cell, metric) is not None
        )

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All cells of the run in the order that every table keeps."""
        scenarios = list(self.result.scenarios)
        variants = {
            name: ["", *scenario.variants] for name, scenario in self.result.scenarios.items()
        }
        steps = {name: ["", *scenario.steps] for name, scenario in self.result.scenarios.items()}
        return tuple(
            sorted(
                self.result.cells,
                key=lambda cell: (
                    scenarios.index(cell.scenario),
                    variants[cell.scenario].index(cell.variant),
                    cell.generator,
                    steps[cell.scenario].index(cell.step),
                    self.ranked_language(cell),
                    cell.mode,
                    self.contenders.index(cell.contender),
                ),
            )
        )

    def drawn(self, cell: Cell) -> CellSeries:
        """Series of a cell for charts; empty when nothing was kept."""
        return self.series.cells.get(cell.id, CellSeries())

    def items(self, operation: Operation) -> str:
        """Describe the items of one call of an operation: ``2,000 tags``."""
        said = self.words.ngettext("{n} {item}", "{n} {item}s", operation.items)
        item = self.words.gettext(operation.item)
        return said.format(n=f"{operation.items:,}", item=item)

    def role(self, role: str) -> str:
        """Name of a role; the suite's catalogue may have a word for it."""
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


def usable_value(cell: Cell, metric: str) -> float | None:
    """The value of a metric that may be compared; None where a gate took it away as well."""
    found = cell.usable(metric)
    return None if found is None else found.value


def _bounded_rank(cell: Cell, metric: str) -> int | None:
    """Place of a cell in a metric; None where it has none, where its figure may not be used, and
    where nothing bounds it.
    """
    found = cell.usable(metric)
    if found is None or (found.interval is None and len(cell.trials) == 1):
        return None
    return cell.ranks.get(metric)
