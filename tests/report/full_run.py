"""A full run of any suite, made up: every contender in every scenario, variant and step, with every
figure that a report might look for. What such a run does not show, no run shows."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from report_build import participant, result

from tree import suites_of_the_tree
from wirelab.catalog import SuiteEntry
from wirelab.model.contender import Contender
from wirelab.model.participant import Participant
from wirelab.model.result import CallerView, Cell, Metric, Result, Verdict
from wirelab.model.scenario import Scenario

TRIALS = 1

_LEVELS = ("mean", "p50", "p90", "p95", "p99", "max")
_OF_ROLES = ("cpu.mean", "cpu.p95", "cpu.max", "rss.start", "rss.max", "rss.growth")
_OF_OPERATIONS = {
    "rate": "1/s",
    "cv": "%",
    "attainment": "%",
    "traffic": "MB/s",
    "traffic.max": "MB/s",
    "per.cpu": "1/s",
    "miss.count": "count",
    "miss.ratio": "%",
    "error.count": "count",
    "error.ratio": "%",
    "drop.count": "count",
    "loss.count": "count",
    "loss.ratio": "%",
    "expected.count": "count",
    "received.count": "count",
}
_OTHERS = ("step.elapsed", "capacity.verified", "heap.max", "gc.pause.total")


@cache
def entry(suite: str) -> SuiteEntry:
    """A suite of the tree."""
    return suites_of_the_tree().suite(suite)


@cache
def full_run(suite: str) -> Result:
    """The result of such a run."""
    found = entry(suite)
    manifests = {name: one.manifest for name, one in found.contenders.items()}
    scenarios = found.manifest.scenarios
    metrics = {name: _metrics(scenario) for name, scenario in scenarios.items()}
    cells = [
        cell
        for name, scenario in scenarios.items()
        for manifest in manifests.values()
        if not manifest.scenarios or name in manifest.scenarios
        for cell in _cells(suite, name, scenario, manifest, metrics[name])
    ]
    return result(
        cells,
        suite=suite,
        suite_title=found.manifest.title,
        modes=found.manifest.modes,
        scenarios=scenarios,
        participants={name: _participant(name, one) for name, one in manifests.items()},
    )


def _participant(name: str, manifest: Contender) -> Participant:
    return participant(name).model_copy(update={"manifest": manifest})


def _cells(
    suite: str, name: str, scenario: Scenario, manifest: Contender, metrics: dict[str, Metric]
) -> Iterator[Cell]:
    for variant in scenario.variants or [""]:
        for step in ["", *scenario.steps]:
            place = (suite, name, variant, step, manifest.contender)
            yield Cell(
                id="/".join(part for part in place if part),
                suite=suite,
                scenario=name,
                variant=variant,
                step=step,
                contender=manifest.contender,
                mode=manifest.mode,
                parameters=scenario.parameters,
                verdict=Verdict.VALID,
                metrics=metrics,
                trials=[f"{number:04}" for number in range(TRIALS)],
                caller=[CallerView(trial="0001", outcome="error")] if variant else [],
            )


def _metrics(scenario: Scenario) -> dict[str, Metric]:
    names = dict.fromkeys(_OTHERS, "ms") | {f"tick.drift.{level}": "ms" for level in _LEVELS}
    for role in ("", *(f"{role}." for role in scenario.roles), "total."):
        names |= {f"{role}{figure}": "%" for figure in _OF_ROLES}
    for operation, described in scenario.operations.items():
        for clock in ("latency", "response"):
            names |= {f"{operation}.{clock}.{level}": "ms" for level in _LEVELS}
        names |= {f"{operation}.{figure}": unit for figure, unit in _OF_OPERATIONS.items()}
        names |= {f"{operation}.elapsed.{mark}": "s" for mark in described.marks}
        for kind in described.kinds:
            names |= {f"{operation}.kind.{kind}.{level}": "ms" for level in _LEVELS}
        names |= {f"{operation}.{which}": "ms" for which in ("first", "last", "fairness")}
    return {name: _figure(unit) for name, unit in names.items()}


def _figure(unit: str) -> Metric:
    return Metric(value=2.0, unit=unit, interval=(1.9, 2.1), n=1000, per_trial=[2.0] * TRIALS)
