"""Suites that a run measures: nobody begins hours of all of them by accident."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from wirelab.catalog import Catalog, SuiteEntry
from wirelab.model.mistake import MistakeError
from wirelab.plan.load import seconds_with_starts
from wirelab.plan.order import plan
from wirelab.plan.selection import Selection
from wirelab.words.numbers import about


class NoSuiteError(MistakeError):
    """A run that names no suite, where nobody can be asked."""


def suites_asked_for(
    known: Catalog, names: Sequence[str], profile: str, *, every: bool
) -> list[str]:
    """``names``, or all with ``every``; without either the user is asked, or told what to say.

    Raises NoSuiteError without a terminal, typer.Abort for a user who says no, and ManifestError
    for all of the suites where one is broken.
    """
    if names and every:
        raise typer.BadParameter("name suites or say --all, not both")
    if names:
        return list(names)
    everything = known.all_suites
    if every:
        return everything
    told = _told(known, profile)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise NoSuiteError(
            f"no suite named, and no terminal to ask on. {told}\n"
            f"Name one ({', '.join(known.suites)}), or say --all."
        )
    typer.echo(told)
    typer.confirm("Measure all of that?", abort=True)
    return everything


def _told(known: Catalog, profile: str) -> str:
    """Describe a run of everything, and the time it takes."""
    amounts = {name: _amount(suite, profile) for name, suite in known.suites.items()}
    widest = max(map(len, amounts), default=0)
    lines = [
        f"  {name:{widest}}  {trials} trials of {contenders} contenders, {about(seconds)}"
        for name, (contenders, trials, seconds) in amounts.items()
    ]
    whole = about(sum(seconds for _, _, seconds in amounts.values()))
    return "\n".join(
        [
            f"Without a suite, all of them would be measured with the profile {profile}:",
            *lines,
            f"  together about {whole}, after builds that can take an hour",
        ]
    )


def _amount(suite: SuiteEntry, profile: str) -> tuple[int, int, float]:
    """Contenders, trials and seconds of a suite, were everything at hand."""
    contenders = suite.runnable
    scenarios = suite.chosen_scenarios([], profile)
    trials = plan(suite.manifest, contenders, Selection(scenarios, profile, seed=0))
    return len(contenders), len(trials), seconds_with_starts(trials)
