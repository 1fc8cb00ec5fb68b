"""``--until``: what may be asked for, and what it means for the contenders of a suite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from wirelab.catalog import ContenderEntry, SuiteEntry, known_name
from wirelab.cells.ranks import rankings
from wirelab.cli.amounts import nanoseconds, share
from wirelab.model.mistake import MistakeError
from wirelab.model.scenario import Kind, Scenario
from wirelab.model.until import Until
from wirelab.plan.order import takes_part
from wirelab.run.cannot import CannotRunError

UntilOption = Annotated[
    str | None,
    typer.Option(
        metavar="SHARE",
        help="Add blocks until each ratio to the baseline is known so closely, such as 5%.",
    ),
]
AtMostOption = Annotated[
    str | None,
    typer.Option(metavar="TIME", help="With --until: add blocks for so long; 60min without."),
]
BaselineOption = Annotated[
    str | None,
    typer.Option(
        metavar="CONTENDER", help="With --until: ratios are to this one; the first without."
    ),
]

_AT_MOST = "60min"


class UntilError(MistakeError):
    """A rule that no run can keep."""


@dataclass(frozen=True)
class AskedUntil:
    """The rule as the user asked for it."""

    width: float
    at_most_ns: int
    baseline: str

    @staticmethod
    def of(until: str | None, at_most: str | None, baseline: str | None) -> AskedUntil | None:
        """None where no rule was asked for; UntilError for what is none."""
        if until is None:
            for option, value in (("--at-most", at_most), ("--baseline", baseline)):
                if value is not None:
                    raise UntilError(f"{option} says how --until is meant, which is missing")
            return None
        limit_ns = nanoseconds("--at-most", at_most or _AT_MOST)
        return AskedUntil(share("--until", until), limit_ns, baseline or "")

    def of_suite(
        self,
        suite: SuiteEntry,
        contenders: Sequence[ContenderEntry],
        scenarios: Sequence[str],
    ) -> Until:
        """The rule of a run of these; UntilError where they have no ratio."""
        names = [entry.name for entry in contenders if not entry.manifest.reference]
        if self.baseline:
            known_name("contender", self.baseline, names, "what --until compares")
            names = [self.baseline, *(name for name in names if name != self.baseline)]
        compared = {
            name: rankings(scenario)[0].metric
            for name in scenarios
            if _has_ratios(scenario := suite.scenario(name))
            and len(_takers(name, scenario, contenders)) > 1
        }
        if len(names) < 2:
            chosen = names[0] if names else "none"
            raise UntilError(f"--until needs two contenders that are ranked; chosen: {chosen}")
        if not compared:
            raise UntilError(
                f"--until: none of {', '.join(scenarios)} ranks two of these contenders by a "
                "figure that has a ratio within blocks"
            )
        return Until(
            width=self.width, at_most_ns=self.at_most_ns, figures=compared, baselines=names
        )


def among(until: Until, asked: AskedUntil, available: Sequence[ContenderEntry]) -> Until:
    """The rule for those contenders that can run on this machine."""
    names = [entry.name for entry in available]
    if asked.baseline and asked.baseline not in names:
        raise CannotRunError(f"--baseline {asked.baseline} cannot run on this machine")
    kept = [name for name in until.baselines if name in names]
    if len(kept) < 2:
        raise CannotRunError(
            "--until needs two contenders that are ranked; on this machine can run: "
            f"{', '.join(kept) or 'none'}"
        )
    return until.model_copy(update={"baselines": kept})


def _has_ratios(scenario: Scenario) -> bool:
    """True where blocks give ratios of the figure that ranks its contenders."""
    repeated = scenario.kind in (Kind.LOAD, Kind.MICROBENCHMARK)
    return repeated and not scenario.counts_instructions and bool(rankings(scenario))


def _takers(name: str, scenario: Scenario, contenders: Sequence[ContenderEntry]) -> list[str]:
    return [
        entry.name
        for entry in contenders
        if not entry.manifest.reference
        and any(takes_part(entry.manifest, name, scenario, v) for v in scenario.variants or [""])
    ]
