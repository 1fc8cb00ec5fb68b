"""``--until``: what may be asked for, and what it means for the contenders of a suite."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from wirelab.catalog import ContenderEntry, SuiteEntry, known_name
from wirelab.cells.analysis import Analysis
from wirelab.cells.ranks import rankings
from wirelab.cells.widths import widths
from wirelab.cli.amounts import nanoseconds, share
from wirelab.cli.ending import run_before
from wirelab.model.mistake import MistakeError
from wirelab.model.run import Run
from wirelab.model.scenario import Kind, Scenario
from wirelab.model.until import TableWidth, Until
from wirelab.plan.load import expected_seconds
from wirelab.plan.order import takes_part
from wirelab.run.looks import cost_line, look_line, rule_line
from wirelab.run.session import Looks
from wirelab.run.staging import CannotRunError
from wirelab.samples.run_folder import RunFolder, read_result

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
_STARTING_S = 3.0
"""Of a trial, before any has been measured."""


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


def announce_rule(folder: RunFolder, say: Callable[[str], None]) -> None:
    """Say what a run with such a rule will do, and what a difference costs; of others nothing."""
    run = folder.read_run()
    until = run.until
    if until is None or until.stopped_by is not None:
        return
    block = [trial for trial in run.plan if trial.scenario in until.figures and not trial.block]
    seconds = expected_seconds(block) + _STARTING_S * len(block)
    say(rule_line(until))
    say(cost_line(_scatter_before(until, run, folder.path), seconds))


def told_looks(analysis: Analysis, say: Callable[[str], None]) -> Looks:
    """Looks at what a run has so far, each of which is told in a line."""

    def looked(until: Until, own: Sequence[TableWidth], block_seconds: float) -> None:
        say(look_line(until, own, block_seconds))

    return Looks(lambda: analysis.result()[0].widths, looked)


def _scatter_before(until: Until, run: Run, folder: Path) -> float | None:
    """How much ratios varied from block to block in the run before, if that was on this machine."""
    before = run_before(folder, run)
    if before is None:
        return None
    result = read_result(before)
    machine = [one.host.get("cpu") for one in (result.disclosure, run.disclosure)]
    if machine[0] != machine[1]:
        return None
    contenders = {name: found.manifest for name, found in result.participants.items()}
    found = widths(result.cells, until, result.scenarios, contenders, {})
    return max((one.scatter for one in found if one.scatter is not None), default=None)


def _has_ratios(scenario: Scenario) -> bool:
    """Whether blocks give ratios of what its contenders are ranked by."""
    repeated = scenario.kind in (Kind.LOAD, Kind.MICROBENCHMARK)
    return repeated and not scenario.counts_instructions and bool(rankings(scenario))


def _takers(name: str, scenario: Scenario, contenders: Sequence[ContenderEntry]) -> list[str]:
    return [
        entry.name
        for entry in contenders
        if not entry.manifest.reference
        and any(takes_part(entry.manifest, name, scenario, v) for v in scenario.variants or [""])
    ]
