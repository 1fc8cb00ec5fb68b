"""``wl list``: suites, scenarios, contenders, and what is missing for each."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table

from wirelab.build import Unavailable, Workshop, contender_part, program_part
from wirelab.catalog import ContenderEntry, SuiteEntry, find_catalog
from wirelab.cli.places import ROOT


def list_everything() -> None:
    """Show suites, scenarios, profiles and contenders, and what is missing for each."""
    console = Console()
    known = find_catalog(ROOT)
    workshop = Workshop(ROOT)
    for suite in known.suites.values():
        console.print(f"[bold]{suite.name}[/bold]  {suite.manifest.title.en}")
        for name, scenario in suite.manifest.scenarios.items():
            profiles = ", ".join(scenario.offered)
            console.print(f"  {name}: {scenario.title.en} ({profiles})", highlight=False)
            for variant, its in scenario.variants.items():
                console.print(f"    {variant}: {its.title.en}", style="dim", highlight=False)
        console.print(_contenders(suite, workshop))
    for error in [*known.broken.values(), *_broken(known.suites.values())]:
        console.print(str(error), style="red", markup=False)


def _contenders(suite: SuiteEntry, workshop: Workshop) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2))
    for heading in ("contender", "library", "language", "here"):
        table.add_column(heading, header_style="dim")
    for entry in suite.contenders.values():
        manifest = entry.manifest
        missing = lacking(suite, entry, workshop)
        here = "yes"
        if missing is not None:
            here = missing.reason + (f"; {missing.remedy}" if missing.remedy else "")
        library = f"{manifest.library.name} {manifest.library.version}"
        table.add_row(entry.name, library, manifest.language, here)
    return table


def lacking(suite: SuiteEntry, entry: ContenderEntry, workshop: Workshop) -> Unavailable | None:
    """What a contender, or a program that fills a role for it, lacks here."""
    programs = [by.partition(":")[2] for by in entry.manifest.fills.values()]
    parts = [contender_part(suite, entry), *(program_part(suite, name) for name in programs)]
    return next((missing for part in parts if (missing := workshop.lacking(part))), None)


def _broken(suites: Iterable[SuiteEntry]) -> list[Exception]:
    return [error for suite in suites for error in suite.broken.values()]
