"""A paced or an open load in a report: everything is held against the times it was due at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wirelab.model.load import Open, Paced
from wirelab.model.measure import Measure
from wirelab.model.parts import Operation
from wirelab.model.scenario import Kind, Scenario
from wirelab.report.cell_table import CellTable, comparisons_of
from wirelab.report.context import Context, usable_value
from wirelab.report.document import Block, Callout, Paragraph, Text, plain, text
from wirelab.report.load.conditions import Rows, how_often
from wirelab.report.loads import period_seconds, target_rate
from wirelab.words import numbers

_KEPT = 1.0
"""Rates within 1 % of the schedule are on target: the bound of the rate-missed gate."""


@dataclass(frozen=True)
class ScheduledLoadText:
    """Calls at intended times."""

    context: Context
    scenario: Scenario
    load: Paced | Open

    is_due = True
    leading: Sequence[str] = ()

    def conditions(self) -> Rows:
        """Describe how calls follow each other, and how often."""
        _ = self.context.words.gettext
        loop = (
            _("paced: absolute intended times, one call of a kind at a time")
            if isinstance(self.load, Paced)
            else _("open: absolute intended times, calls never wait for each other")
        )
        return {
            "loop": (_("loop"), loop),
            "period": (_("tick period"), numbers.duration(self.load.period)),
        }

    def call(self, name: str, operation: Operation) -> str:
        """Describe one call: what it does, how often, and its deadline."""
        _ = self.context.words.gettext
        template = (
            _("{items} by every sending user, {every} ({rate} Hz)")
            if self.scenario.steps
            else _("{items} in one call, {every} ({rate} Hz)")
        )
        said = template.format(
            items=self.context.items(operation),
            every=how_often(self.context, operation),
            rate=f"{1 / period_seconds(self.scenario, name):.6g}",
        )
        if operation.deadline is None:
            return said
        deadline = numbers.duration(operation.deadline)
        return _("{call}; deadline {deadline}").format(call=said, deadline=deadline)

    def amount(self, measure: Measure) -> Rows:
        """Ticks, and those left out."""
        _ = self.context.words.gettext
        return {
            "duration": (
                _("duration"),
                _("{seconds} s a trial ({ticks} ticks)").format(
                    seconds=f"{measure.count * self.load.period / 1e9:g}",
                    ticks=f"{measure.count:,}",
                ),
            ),
            "warmup": (
                _("warm-up"),
                _("first {warmup} ticks left out → {left} ticks analysed").format(
                    warmup=measure.warmup, left=f"{measure.count - measure.warmup:,}"
                ),
            ),
        }

    def steps(self, measure: Measure, names: Sequence[str]) -> Rows:
        """The steps, how long each is, what is left out of it, and who sends when."""
        _ = self.context.words.gettext
        period, cycle = self.load.period, self.load.cycle
        titles = " → ".join(self.scenario.steps[n].title.of(self.context.language) for n in names)
        length = numbers.duration(measure.count // len(names) * period)
        settle = measure.settle * period
        rows = {
            "steps": (
                _("steps"),
                _("{titles}; {length} each").format(titles=titles, length=length),
            ),
            "warmup": (
                _("left out of each step"),
                _("the first {settle}, in which added users join").format(
                    settle=numbers.duration(settle)
                )
                if settle
                else _("nothing"),
            ),
        }
        if measure.warmup:
            rows["warmed"] = (
                _("warm-up"),
                _("{length} of load after the first step has settled, in no figure").format(
                    length=numbers.duration(measure.warmup * period)
                ),
            )
        if cycle.active < cycle.length:
            whole, active = (numbers.duration(n * period) for n in (cycle.length, cycle.active))
            rows["cycle"] = (
                _("rhythm of a sender"),
                _("{active} of every {whole}, each sender at a time of its own").format(
                    active=active, whole=whole
                ),
            )
        return rows

    def summary(self, name: str, operation: Operation) -> str:
        """An operation, and how often it is due."""
        _ = self.context.words.gettext
        return _("{operation} of {items} every {period}").format(
            operation=self.context.words.called(name),
            items=self.context.items(operation),
            period=numbers.duration(period_seconds(self.scenario, name) * 1e9),
        )

    def times(self) -> Callout:
        """Two times, of which one contains the wait before a call."""
        _ = self.context.words.gettext
        lines = (
            Paragraph(
                text(
                    _(
                        "**Service time** runs from the call to its decoded result: what the "
                        "library and the server need. **Response time** runs from the intended "
                        "time of the tick: what a control loop waits, including the time a call "
                        "could not start because something before it was late."
                    )
                )
            ),
            Paragraph(text(self._waiting())),
        )
        return Callout("neutral", _("Service time and response time"), lines)

    def _waiting(self) -> str:
        """Describe the wait that service time leaves out."""
        _ = self.context.words.gettext
        if isinstance(self.load, Paced):
            return _(
                "Ticks are **paced** by absolute times. Where a call is slow the following "
                "ones start late; counting only service time would leave that wait out "
                "(coordinated omission), so both are shown."
            )
        return _(
            "The load is **open**: calls are due at absolute times, whatever became of earlier "
            "ones. A call may begin late all the same, because the client is busy. Service time "
            "leaves that wait out (coordinated omission), so both are shown."
        )

    def limits(self) -> tuple[Text, ...]:
        """No larger load was tried, but by scenarios that search for the largest."""
        _ = self.context.words.gettext
        searched = [found.scenario for found in comparisons_of(self.context, Kind.CAPACITY)]
        if searched:
            titles = dict.fromkeys(one.title.of(self.context.language) for one in searched)
            said = _(
                "**One load**: the schedule is fixed. The largest load that a contender carries "
                "was searched apart from it: {scenarios}."
            )
            return (text(said, scenarios="; ".join(titles)),)
        return (
            text(
                _(
                    "**One load**: the schedule is fixed, so the largest rate a contender could "
                    "reach (capacity) was not measured."
                )
            ),
        )

    def targets(self, operations: Mapping[str, Operation]) -> tuple[Block, ...]:
        """Items a second that the schedule asks for, of each operation."""
        _ = self.context.words.gettext
        targets = [
            _("{op} {rate} {item}/s ({items} × {hertz} Hz)").format(
                op=self.context.words.called(name),
                rate=f"{target_rate(self.scenario, name):,.6g}",
                item=_(operation.item),
                items=f"{operation.items:,}",
                hertz=f"{1 / period_seconds(self.scenario, name):g}",
            )
            for name, operation in operations.items()
            if operation.due == "tick"
        ]
        said = (
            _("Target of each sending user, while it sends: {targets}.")
            if self.scenario.steps
            else _("Target: {targets}.")
        )
        return (Paragraph(text(said, targets="; ".join(targets))),) if targets else ()

    def rates(self, table: CellTable) -> tuple[str, tuple[Text, ...]]:
        """Name those who fell behind the schedule; nobody can be ahead of it."""
        _ = self.context.words.gettext
        said: list[Text] = []
        if behind := self._behind(table):
            said.append(text(_("Behind the schedule: {cells}."), cells="; ".join(behind)))
        elif any(
            cell.usable(f"{name}.attainment") for cell in table.cells for name in table.operations
        ):
            said.append(
                plain(
                    _(
                        "No contender with a valid figure fell behind the schedule by more than 1 "
                        "%: in this they do not differ."
                    )
                )
            )
        said.append(
            plain(
                _(
                    'The schedule sets the rate. 100 % means "kept up"; more is not possible, and '
                    "it says nothing about the largest rate a library could reach. Rates are over "
                    "the whole scheduled window."
                )
            )
        )
        return _("Throughput against target"), tuple(said)

    def _behind(self, table: CellTable) -> list[str]:
        found = []
        for cell in table.ranked:
            for name in table.operations:
                share = usable_value(cell, f"{name}.attainment")
                if share is not None and share < 100 - _KEPT:
                    percent = numbers.brief(share, digits=3)
                    called = self.context.words.called(name)
                    found.append(f"{self.context.name(cell.contender)} {called} {percent} %")
        return found
