"""A closed load in a report: nothing is due at a time, and how long the work took is a figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wirelab.model.measure import Measure
from wirelab.model.parts import Operation
from wirelab.model.scenario import Scenario
from wirelab.model.steps import ramp_of
from wirelab.report import remarks
from wirelab.report.cell_table import CellTable
from wirelab.report.closed import ELAPSED
from wirelab.report.context import Context
from wirelab.report.document import Block, Callout, Paragraph, Text, text
from wirelab.report.load.conditions import Rows, how_often
from wirelab.words import numbers


@dataclass(frozen=True)
class ClosedLoadText:
    """Calls that follow each other."""

    context: Context
    scenario: Scenario

    is_due = False

    @property
    def leading(self) -> Sequence[str]:
        """The time that a step took; of a ramp none: its steps take the time they are given."""
        return () if self.scenario.is_ramp else (ELAPSED,)

    def conditions(self) -> Rows:
        """Describe how calls follow each other."""
        _ = self.context.words.gettext
        loop = _(
            "closed: the next call starts when the last one ended, so that a slow answer thins "
            "out the load and hides its own queue (coordinated omission)"
        )
        return {"loop": (_("loop"), loop)}

    def call(self, _name: str, operation: Operation) -> str:
        """Describe one call: what it does, and how often."""
        _ = self.context.words.gettext
        each = _("{items} by every sending user, {every}, one after the other")
        every = how_often(self.context, operation)
        return each.format(items=self.context.items(operation), every=every)

    def amount(self, measure: Measure) -> Rows:
        """As long as it takes, and what is left out; of a ramp its time, which is all of it."""
        _ = self.context.words.gettext
        steps = (self.scenario.steps[name] for name in measure.steps or self.scenario.steps)
        if ramp_ns := sum(ramp_of(step, measure) for step in steps):
            said = _("{time}, in which users come and go one after the other")
            return {"duration": (_("duration"), said.format(time=numbers.duration(ramp_ns)))}
        return {
            "duration": (_("duration"), _("as long as the work takes")),
            "warmup": (_("left out of each step"), self._left_out(measure)),
        }

    def steps(self, _measure: Measure, names: Sequence[str]) -> Rows:
        """The steps."""
        _ = self.context.words.gettext
        titles = " → ".join(self.scenario.steps[n].title.of(self.context.language) for n in names)
        return {"steps": (_("steps"), titles)}

    def summary(self, name: str, operation: Operation) -> str:
        """An operation."""
        _ = self.context.words.gettext
        return _("{operation} of {items}, one after the other").format(
            operation=self.context.words.called(name), items=self.context.items(operation)
        )

    def times(self) -> Callout:
        """Percentiles that are not there, and why."""
        _ = self.context.words.gettext
        said = _(
            "This scenario is a **closed loop**: the next call waits for the last, so a slow "
            "answer thins out the load and hides its own queue (coordinated omission). What is "
            "shown is **service time**, from the call to its decoded result. There are no "
            "percentiles of response time, for nothing is due at a time, and the high "
            "percentiles say nothing of a load that does not wait."
        )
        return Callout("neutral", _("Service time alone"), (Paragraph(text(said)),))

    def limits(self) -> tuple[Text, ...]:
        """None of its own."""
        return ()

    def targets(self, _operations: Mapping[str, Operation]) -> tuple[Block, ...]:
        """None: no rate is asked for."""
        return ()

    def rates(self, table: CellTable) -> tuple[str, tuple[Text, ...]]:
        """Name the fastest."""
        rates = (f"{op}.rate" for op in table.operations)
        return self.context.words.gettext("Throughput"), remarks.leads(self.context, table, *rates)

    def _left_out(self, measure: Measure) -> str:
        """Describe what is left out at the start of each step, by its fewest and most ticks."""
        _ = self.context.words.gettext
        own = [self.scenario.steps[n].settle for n in measure.steps or self.scenario.steps]
        known = sorted({measure.settle if settle is None else settle for settle in own}) or [0]
        if known == [0]:
            return _("connecting")
        ticks = f"{known[0]:,}" if len(known) == 1 else f"{known[0]:,}–{known[-1]:,}"
        return _("connecting, and the first {settle} ticks of every user").format(settle=ticks)
