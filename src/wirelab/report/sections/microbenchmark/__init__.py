"""Sections of microbenchmarks: times, whether they can be relied on, counts of instructions."""

from __future__ import annotations

from wirelab.report.context import Context
from wirelab.report.document import Section
from wirelab.report.microbenchmark import scenarios
from wirelab.report.sections.microbenchmark import conditions, instructions, reliability, times

__all__ = ["conditions", "instructions", "reliability", "sections", "times"]


def sections(context: Context) -> list[Section]:
    """Times of what is ranked, the agreement of all that was timed, and counts of instructions."""
    found = [one for one in scenarios(context) if not one.scenario.counts_instructions]
    told = [times.times(context, one) for one in found if one.scenario.rankings]
    if found:
        parts = tuple(reliability.reliability(context, one) for one in found)
        told.append(Section(context.words.gettext("Reliability"), "reliability", parts))
    return told + instructions.sections(context)
