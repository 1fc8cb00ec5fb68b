"""Chapters of the key-value suite's report, of results built by hand and ranked as any run's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from report_build import cell, context, metric, participant, said

from tree import suites_of_the_tree
from wirelab.catalog import SuiteEntry
from wirelab.cells.ranks import ranked
from wirelab.model.result import Cell, Finding, Metric, Verdict
from wirelab.report.document import Section
from wirelab.report.published import read_published
from wirelab.report.sources import composer
from wirelab.words.translation import words

SUITE = Path(__file__).parents[2] / "suites" / "kv"

Place = tuple[str, str, str]
Figures = Mapping[Place, Mapping[str, float]]
"""By scenario, step (or variant, where the scenario has these) and metric: what each has."""


@cache
def entry() -> SuiteEntry:
    """The suite of the tree."""
    return suites_of_the_tree().suite("kv")


def _about(value: float) -> Metric:
    return metric(value, "ms", (value * 0.98, value * 1.02))


def _invalid(found: Cell) -> Cell:
    """The same cell with figures that a gate has taken away."""
    refused = Finding(gate="loss-or-error", verdict=Verdict.INVALID, evidence={})
    figures = {
        name: one.model_copy(update={"verdict": Verdict.INVALID, "gates": [refused.gate]})
        for name, one in found.metrics.items()
    }
    changes = {"metrics": figures, "verdict": Verdict.INVALID, "findings": [refused]}
    return found.model_copy(update=changes)


def _cells(figures: Figures) -> list[Cell]:
    told: dict[tuple[str, str, str], dict[str, Metric]] = {}
    for (scenario, part, name), values in figures.items():
        for contender, value in values.items():
            told.setdefault((scenario, part, contender), {})[name] = _about(value)
    made = []
    for (scenario, part, contender), metrics in told.items():
        mode = entry().contenders[contender].manifest.mode
        varied = bool(entry().manifest.scenarios[scenario].variants)
        found = cell(
            contender,
            metrics,
            scenario_name=scenario,
            variant=part if varied else "",
            mode=mode,
        )
        step = "" if varied else part
        place = {"step": step, "id": f"kv/{scenario}/{part}/{contender}"}
        made.append(found.model_copy(update=place))
    return made


def told(
    chapter: str,
    figures: Figures,
    *,
    refused: tuple[tuple[str, str], ...] = (),
    parameters: Mapping[str, Any] | None = None,
    language: str = "en",
) -> list[Section]:
    """Sections of a chapter. ``refused``: scenarios and contenders whose figures are invalid;
    ``parameters`` are those of all cells."""
    known = {name: one.manifest for name, one in entry().contenders.items()}
    scenarios = entry().manifest.scenarios
    cells = [
        _invalid(one) if (one.scenario, one.contender) in refused else one
        for one in _cells(figures)
    ]
    cells = [one.model_copy(update={"parameters": dict(parameters or {})}) for one in cells]
    found = context(
        ranked(cells, scenarios, known),
        published=read_published(SUITE / "published.toml"),
        scenarios=scenarios,
        participants={
            one.contender: participant(one.contender).model_copy(
                update={"manifest": known[one.contender]}
            )
            for one in cells
        },
        modes=entry().manifest.modes,
        suite="kv",
    )
    found = replace(found, words=words(language, SUITE / "locale"))
    sections: list[Section] = composer("kv", SUITE).__globals__[chapter].sections(found)
    return sections


def tables(text: str) -> list[list[list[str]]]:
    """Tables of a text: rows by cells, the titles first."""
    found: list[list[list[str]]] = [[]]
    for line in text.splitlines():
        if line.startswith("|"):
            row = [part.strip() for part in line.strip("|").split("|")]
            if not all(set(part) <= set("-: ") for part in row):
                found[-1].append(row)
        elif found[-1]:
            found.append([])
    return [table for table in found if table]


def only_text(sections: list[Section]) -> str:
    """The text of the only section."""
    (section,) = sections
    return said(section)
