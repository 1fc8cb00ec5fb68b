"""``wl list``: contenders in a line each; the scenarios and parameters of one suite."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import typer

from wirelab.build import PartBuilds, Unavailable, contender_part, service_part
from wirelab.catalog import Catalog, ContenderEntry, SuiteEntry
from wirelab.cli.lines import columns, paragraph
from wirelab.cli.places import ROOT
from wirelab.cli.suites import SuitesOption, known_suites
from wirelab.model.parameters import Parameter
from wirelab.model.units import Scalar
from wirelab.plan.fillers import services_of


def list_contenders(
    suites: Annotated[
        list[str] | None, typer.Argument(help="Suites to show in detail; by default all, in short.")
    ] = None,
    folders: SuitesOption = None,
) -> None:
    """List suites and their contenders, a line each; more of a suite that is named.

    ./wl show CONTENDER tells everything about one.
    """
    known = known_suites(folders)
    workshop = PartBuilds(ROOT)
    for number, name in enumerate(suites or known.suites):
        suite = known.suite(name)
        if number:
            typer.echo()
        for line in _in_detail(suite, workshop) if suites else _in_short(suite, workshop):
            typer.echo(line)
    _echo_broken(known, suites or [])


def _in_short(suite: SuiteEntry, workshop: PartBuilds) -> list[str]:
    counted = f"{len(suite.contenders)} contenders, {len(suite.manifest.scenarios)} scenarios"
    return [
        f"{suite.name}: {suite.manifest.title.en} ({counted})",
        *_contenders(suite, workshop),
    ]


def _in_detail(suite: SuiteEntry, workshop: PartBuilds) -> list[str]:
    return [
        f"{suite.name}: {suite.manifest.title.en}",
        *paragraph(suite.manifest.summary.en),
        "",
        "scenarios",
        *_scenarios(suite),
        "",
        "contenders",
        *_contenders(suite, workshop),
        "",
        "parameters of scenarios (--set NAME=VALUE)",
        *parameter_lines(
            {n: p for n, p in suite.manifest.parameters.items() if p.by == "scenario"}
        ),
    ]


def _scenarios(suite: SuiteEntry) -> list[str]:
    lines: list[str] = []
    for name, scenario in suite.manifest.scenarios.items():
        lines.append(f"  {name}: {scenario.title.en} (profiles {', '.join(scenario.offered)})")
        titles = {n: variant.title.en for n, variant in scenario.variants.items()}
        titles |= {n: step.title.en for n, step in scenario.steps.items()}
        lines += columns(list(titles.items()), "      ")
    return lines


def _contenders(suite: SuiteEntry, workshop: PartBuilds) -> list[str]:
    rows = []
    for entry in suite.contenders.values():
        manifest = entry.manifest
        missing = lacking(suite, entry, workshop)
        here, why = ("not here", _why(missing)) if missing else ("", "")
        library = f"{manifest.library.name} {manifest.library.version}"
        rows.append((entry.name, manifest.language, here, library, why))
    return columns(rows)


def _why(missing: Unavailable) -> str:
    """The reason and the remedy, on the line of the contender."""
    mend = f"; to mend it: {missing.remedy}" if missing.remedy else ""
    return " ".join(f"{missing.reason}{mend}".split())


def parameter_lines(
    parameters: Mapping[str, Parameter], values: Mapping[str, Scalar] | None = None
) -> list[str]:
    """Name, value and bounds of each parameter, and below them what it means."""
    lines: list[str] = []
    for name, parameter in parameters.items():
        value = (values or {}).get(name, "")
        shown = str(value).lower() if isinstance(value, bool) else str(value)
        equals = f" = {shown}" if shown else ""
        fixed = "; cannot be set" if parameter.fixed else ""
        lines.append(f"  {name}{equals}: {parameter.expected}{fixed}")
        lines += paragraph(parameter.meaning, "      ")
    return lines


def lacking(suite: SuiteEntry, entry: ContenderEntry, workshop: PartBuilds) -> Unavailable | None:
    """Find what a contender, or a service that plays a role beside it, lacks here."""
    services = services_of(suite.manifest, entry.manifest)
    parts = [contender_part(suite, entry), *(service_part(suite, name) for name in services)]
    return next((missing for part in parts if (missing := workshop.lacking(part))), None)


def _echo_broken(known: Catalog, suites: list[str]) -> None:
    """Print the manifests that could not be read, of all suites or of those that are named."""
    broken = [] if suites else list(known.broken.values())
    shown = [known.suite(name) for name in suites or known.suites]
    for error in [*broken, *(error for suite in shown for error in suite.broken.values())]:
        typer.secho(str(error), fg="red", err=True)
