"""A scenario in a closed loop as a report looks at it: who is compared, step by step."""

from __future__ import annotations

from wirelab.report.context import Comparison, Context
from wirelab.report.steps import Stepped

ELAPSED = "step.elapsed"


def groups(context: Context) -> list[Stepped]:
    """The steps of every closed loop, apart by mode, language (where it parts them), generator."""
    found: dict[tuple[str, str, str, str], list[Comparison]] = {}
    for comparison in context.comparisons():
        if not comparison.scenario.is_scheduled:
            like = (comparison.mode, comparison.language, comparison.generator)
            found.setdefault((comparison.scenario_name, *like), []).append(comparison)
    return [
        Stepped(
            context,
            parts[0].scenario_name,
            parts[0].scenario,
            tuple(part for part in parts if part.step),
            next((part for part in parts if not part.step), None),
        )
        for parts in found.values()
        if any(part.step for part in parts)
    ]


def title(parts: Stepped) -> str:
    """The scenario, and what parts its groups."""
    return " · ".join(titles(parts))


def titles(parts: Stepped) -> list[str]:
    """The names that the title is made of."""
    context, first = parts.context, parts.steps[0]
    names = [parts.scenario.title.of(context.language), first.language, first.mode]
    if first.generator:
        names.append(context.generator(first.generator))
    return [name for name in names if name]
