"""The options around ``--until``, and their meaning for the contenders of a suite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from wirelab.catalog import ContenderEntry, SuiteEntry
from wirelab.cli.amounts import nanoseconds, share
from wirelab.model.contender import Contender
from wirelab.model.known_name import known_name
from wirelab.model.mistake import MistakeError
from wirelab.model.rankings import rankings
from wirelab.model.scenario import Kind, Scenario
from wirelab.model.until import Until
from wirelab.plan.order import takes_part
from wirelab.run.cannot import CannotRunError
from wirelab.run.setups import TrialSetups

UntilOption = Annotated[
    str | None,
    typer.Option(
        metavar="SHARE",
        help="Add blocks until each ratio to the baseline is known to within this, such as 5%.",
    ),
]
AtMostOption = Annotated[
    str | None,
    typer.Option(
        metavar="TIME", help="With --until: add blocks for at most so long; by default 60min."
    ),
]
BaselineOption = Annotated[
    str | None,
    typer.Option(
        metavar="CONTENDER",
        help="With --until: compare the others with this one; by default with the first.",
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
        """The rule as asked for; None where none was, UntilError for what is none."""
        if until is None:
            for option, value in (("--at-most", at_most), ("--baseline", baseline)):
                if value is not None:
                    raise UntilError(f"{option} is for runs with --until, which was not given")
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
        manifests = [entry.manifest for entry in contenders]
        compared = {
            name: rankings(scenario)[0].metric
            for name in scenarios
            if _has_ratios(scenario := suite.scenario(name))
            and _ranks_two(name, scenario, manifests)
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


def among(until: Until, asked: AskedUntil, setups: TrialSetups) -> Until:
    """The rule for those contenders, and scenarios, that can run on this machine."""
    names = [entry.name for entry in setups.available]
    if asked.baseline and asked.baseline not in names:
        raise CannotRunError(f"--baseline {asked.baseline} cannot run on this machine")
    kept = [name for name in until.baselines if name in names]
    if len(kept) < 2:
        raise CannotRunError(
            "--until needs two contenders that are ranked; on this machine can run: "
            f"{', '.join(kept) or 'none'}"
        )
    figures = {name: metric for name, metric in until.figures.items() if _compares(setups, name)}
    if not figures:
        raise CannotRunError(
            f"--until: on this machine none of {', '.join(until.figures)} has two contenders "
            "that are ranked together"
        )
    return until.model_copy(update={"baselines": kept, "figures": figures})


def _compares(setups: TrialSetups, name: str) -> bool:
    """True where two that can run here have a ratio in a scenario."""
    participants = (setups.participants[entry.name] for entry in setups.available)
    takers = [one.manifest for one in participants if name not in one.barred]
    return _ranks_two(name, setups.suite.scenario(name), takers)


def _has_ratios(scenario: Scenario) -> bool:
    """True where blocks give ratios of the figure that ranks its contenders."""
    repeated = scenario.kind in (Kind.LOAD, Kind.MICROBENCHMARK)
    return repeated and not scenario.counts_instructions and bool(rankings(scenario))


def _ranks_two(name: str, scenario: Scenario, contenders: Sequence[Contender]) -> bool:
    """True where two of the contenders take part in one table of a scenario."""
    tables = Counter(
        (variant, *scenario.company_of(contender))
        for variant in scenario.variants or [""]
        for contender in contenders
        if not contender.reference and takes_part(contender, name, scenario, variant)
    )
    return any(count > 1 for count in tables.values())
