"""``wl show``: everything about one contender."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from wirelab.build import PartBuilds
from wirelab.catalog import Catalog, ContenderEntry, SuiteEntry
from wirelab.cli.lines import columns, paragraph
from wirelab.cli.listing import lacking, parameter_lines
from wirelab.cli.places import ROOT
from wirelab.cli.suites import SuitesOption, known_suites, suite_for
from wirelab.model.known_name import UnknownNameError
from wirelab.model.scenario import Scenario
from wirelab.plan.order import takes_part
from wirelab.run.settings import parameters_of
from wirelab.words.printable import printable


def show(
    contender: Annotated[str, typer.Argument(help="Its name; a path for one elsewhere.")],
    suite: Annotated[
        str, typer.Option(help="By default the one that the contender is in, or names.")
    ] = "",
    folders: SuitesOption = None,
) -> None:
    """Show everything about a contender: what it is, where it takes part, what it lacks here."""
    known = known_suites(folders)
    for number, (of, entry) in enumerate(_found(known, folders, contender, suite)):
        if number:
            typer.echo()
        for line in _told(of, entry, PartBuilds(ROOT)):
            typer.echo(line)


def _found(
    known: Catalog, folders: Sequence[Path] | None, name: str, suite: str
) -> list[tuple[SuiteEntry, ContenderEntry]]:
    """The contenders of that name: usually one, of one suite."""
    if os.sep in name:
        of = suite_for(folders, Path(name), suite)
        return [(of, of.chosen_contenders([name])[0])]
    suites = [known.suite(suite)] if suite else list(known.suites.values())
    if suite:
        return [(suites[0], suites[0].chosen_contenders([name])[0])]
    for of in suites:
        if name in of.broken:
            raise of.broken[name]
    if found := [(of, of.contenders[name]) for of in suites if name in of.contenders]:
        return found
    names = itertools.chain.from_iterable(of.contenders for of in suites)
    raise UnknownNameError("contender", name, names)


def _told(suite: SuiteEntry, entry: ContenderEntry, workshop: PartBuilds) -> Iterator[str]:
    manifest, library = entry.manifest, entry.manifest.library
    yield f"{entry.name}: {manifest.title.en}"
    told = {
        "suite": suite.name,
        "language": manifest.language,
        "library": f"{library.name} {library.version}, {library.licence}",
        "homepage": library.homepage,
        "mode": manifest.mode,
        "capabilities": ", ".join(manifest.capabilities),
        "roles": ", ".join([*manifest.roles, *manifest.provided_by]),
        "reference": "a yardstick, never ranked" if manifest.reference else "",
        "folder": printable(str(entry.folder)),
    }
    yield from columns([(name, value) for name, value in told.items() if value])
    yield from _here(suite, entry, workshop)
    yield from _scenarios(suite, entry)
    for heading, text in (("notes", manifest.notes.en), ("security", manifest.security.en)):
        if text:
            yield from ("", heading, *paragraph(text))
    known = parameters_of(suite, [entry])
    if own := {name: known[name] for name in known if name in manifest.own_parameters}:
        yield from ("", "parameters of its own (--set NAME=VALUE)")
        yield from parameter_lines(own, manifest.tuning)


def _here(suite: SuiteEntry, entry: ContenderEntry, workshop: PartBuilds) -> Iterator[str]:
    missing = lacking(suite, entry, workshop)
    yield ""
    if missing is None:
        yield "here: nothing is missing"
        return
    yield "here: it cannot run"
    yield from paragraph(missing.reason)
    if missing.remedy:
        yield f"  to mend it: {missing.remedy}"


def _scenarios(suite: SuiteEntry, entry: ContenderEntry) -> Iterator[str]:
    yield from ("", "takes part in")
    for name, scenario in suite.manifest.scenarios.items():
        variants = _variants(entry, name, scenario)
        if variants is not None:
            yield f"  {name}" + (f": {', '.join(variants)}" if variants else "")


def _variants(entry: ContenderEntry, name: str, scenario: Scenario) -> list[str] | None:
    """The variants it takes part in; None where it has no part in the scenario."""
    if not scenario.variants:
        return [] if takes_part(entry.manifest, name, scenario, "") else None
    taken = [v for v in scenario.variants if takes_part(entry.manifest, name, scenario, v)]
    return taken or None
