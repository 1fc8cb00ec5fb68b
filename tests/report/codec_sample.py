"""A run of the suite ``codec`` in little: figures made up, every fate there once.

Four languages with their yardsticks; messages of their own, reused ones and views; a cell that is
wrong, one below its floor, an operation that threw; a contender that could not be built.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from codec_conformance_sample import (
    LANGUAGES,
    LIBRARIES,
    PREFIXES,
    SHAPES,
    SIZES,
    SUITE,
    conformance,
    format_of,
)
from report_build import metric, participant, result

from synthetic.judged import ranked_by_verdicts
from wirelab.manifest import load_suite
from wirelab.model.participant import Participant
from wirelab.model.result import Cell, Finding, Metric, Result, Unsupported, Verdict
from wirelab.model.units import Text

WEIGHTS = dict(zip(SHAPES, (1.0, 17.0, 1.4, 16.5, 22.0, 160.0, 30.0), strict=True))
"""Time of a shape as a multiple of T1, about."""


@cache
def sample(*, profile: str = "quick", processes: int = 5) -> Result:
    """The result; with one process nothing has an interval."""
    suite = load_suite(SUITE / "suite.toml")
    people = {name: _participant(name) for name in _names()}
    people["csharp-cgd-original"] = _unavailable()
    cells = [*_steady(processes), *_million(processes), *_traps(processes), *_conformance_cells()]
    return result(
        ranked_by_verdicts(cells, suite.scenarios, {n: p.manifest for n, p in people.items()}),
        scenarios=suite.scenarios,
        metrics=suite.metrics,
        participants=people,
        suite="codec",
        suite_title=suite.title,
        modes=suite.modes,
        profile=profile,
        run=f"20260102-030405-codec-{profile}",
        services={},
    )


def changed(found: Result, change: Callable[[Cell], Cell]) -> Result:
    """The result with every cell changed, and ranked anew."""
    return _ranked_anew(found, [change(cell) for cell in found.cells])


def without(found: Result, **left_out: Iterable[str]) -> Result:
    """The result without the cells whose field has one of these values, and ranked anew."""
    kept = [
        cell
        for cell in found.cells
        if not any(getattr(cell, field) in values for field, values in left_out.items())
    ]
    return _ranked_anew(found, kept)


def _ranked_anew(found: Result, cells: list[Cell]) -> Result:
    contenders = {name: p.manifest for name, p in found.participants.items()}
    return found.model_copy(
        update={"cells": ranked_by_verdicts(cells, found.scenarios, contenders)}
    )


def with_time(found: Result, contender: str, step: str, name: str, value: Metric) -> Result:
    """The result with one figure of a steady cell replaced."""

    def change(cell: Cell) -> Cell:
        if (cell.scenario, cell.contender, cell.step) != ("steady", contender, step):
            return cell
        return cell.model_copy(update={"metrics": {**cell.metrics, name: value}})

    return changed(found, change)


def about(value: float, processes: int = 5, spread: float = 0.03) -> Metric:
    """A time of an iteration with its interval."""
    interval = (value * (1 - spread), value * (1 + spread)) if processes > 1 else None
    trials = [value * (1 + spread * (k - processes // 2) / processes) for k in range(processes)]
    return metric(value, "ns", interval, 5 * processes, trials)


# ---------------------------------------------------------------------------- participants


def _names() -> list[str]:
    return [*LIBRARIES, *(f"{PREFIXES[language]}-baseline" for language in LANGUAGES)]


def _participant(name: str) -> Participant:
    base = participant(name, lines=80 + 3 * len(name))
    update: dict[str, Any] = {"roles": ["codec"]}
    if name in LIBRARIES:
        title, language, mode, strings, *_ = LIBRARIES[name]
        update |= {"title": Text(en=title), "language": language, "mode": mode}
        update["tuning"] = {"strings": strings}
    else:
        language = next(key for key, prefix in PREFIXES.items() if name.startswith(prefix + "-"))
        title = f"Yardstick {language}"
        update |= {"title": Text(en=title), "language": language, "reference": True}
    return base.model_copy(update={"manifest": base.manifest.model_copy(update=update)})


def _unavailable() -> Participant:
    base = participant("csharp-cgd-original")
    update = {"title": Text(en="CGD wire format"), "language": "C#", "mode": "fresh"}
    manifest = base.manifest.model_copy(update=update)
    changes = {"ownership": None, "unavailable": "no dotnet here", "remedy": "none known"}
    return base.model_copy(update={"manifest": manifest, **changes})


# ------------------------------------------------------------------------------------ cells


def _cell(scenario: str, name: str, step: str, processes: int, **changes: Any) -> Cell:
    mode = LIBRARIES[name][2] if name in LIBRARIES else ""
    place = "/".join(part for part in ("codec", scenario, step, name) if part)
    trials = [f"{number:04}-{scenario}-{name}" for number in range(1, processes + 1)]
    cell = Cell(
        id=place,
        suite="codec",
        scenario=scenario,
        step=step,
        contender=name,
        mode=mode,
        parameters={},
        verdict=Verdict.VALID,
        trials=trials,
    )
    return cell.model_copy(update=changes)


def _time(name: str, step: str) -> float:
    factor = WEIGHTS[step]
    if format_of(name) == "json" and step in ("T2", "T4"):
        factor /= 6  # strings are what JSON is made of
    return LIBRARIES[name][4] * factor


def _steady(processes: int) -> list[Cell]:
    cells = []
    for name in LIBRARIES:
        cells.append(_cell("steady", name, "", processes, metrics=_resources(name)))
        cells += [_fated(_steady_cell(name, step, processes)) for step in SHAPES]
    for language in LANGUAGES:
        name = f"{PREFIXES[language]}-baseline"
        slow = 40.0 if language == "Python" else 1.0
        for step in SHAPES:
            own = {
                "copy.time": about((6 + SIZES["json"][SHAPES.index(step)] / 300) * slow, processes),
                "touch.time": about(2.0 * slow * WEIGHTS[step] ** 0.5, processes),
            }
            cells.append(_cell("steady", name, step, processes, metrics=own))
    return cells


def _resources(name: str) -> dict[str, Metric]:
    return {
        "startup.time": metric(40.0 if "java" in name else 3.0, "ms"),
        "rss.max": metric(90.0 if "java" in name else 8.0, "MB"),
        "cpu.mean": metric(99.0, "%"),
    }


def _steady_cell(name: str, step: str, processes: int) -> Cell:
    whole, share = _time(name, step), LIBRARIES[name][5]
    parts = {
        "to_message": whole * share * 0.6,
        "encode": whole * (1 - share) * 0.4,
        "decode": whole * (1 - share) * 0.6,
        "from_message": whole * share * 0.4,
        "round_trip": whole,
    }
    metrics: dict[str, Metric] = {}
    for operation, time in parts.items():
        if not time:
            gone = Unsupported(code="not-offered")
            metrics[f"{operation}.time"] = Metric(value=None, unit="ns", unsupported=gone)
            continue
        metrics[f"{operation}.time"] = about(time, processes)
        metrics[f"{operation}.allocated"] = metric(round(time / 3), "B")
        metrics[f"{operation}.gc.share"] = metric(None, "%")
        metrics[f"{operation}.warmup"] = metric(0.08, "s")
        metrics[f"{operation}.outlier.count"] = metric(1, "count")
    size = SIZES[format_of(name)][SHAPES.index(step)]
    metrics["encoded.size"] = metric(size, "B")
    metrics["encoded.zstd"] = metric(min(size + 12, round(size * 0.6) + 30), "B")
    canonical = format_of(name) in ("cgd", "protobuf") and step in SHAPES[:5]
    remarks = {"golden": "equal" if canonical else "no vector", "sha256": "0" * 64}
    return _cell("steady", name, step, processes, metrics=metrics, remarks=remarks)


def _fated(cell: Cell) -> Cell:
    """One cell is wrong, one below its floor, one threw, one did not settle."""
    if (cell.contender, cell.step) == ("python-json", "chat"):
        evidence = {"findings": ["decode 3: text differs"], "count": 1, "own_checks": 0}
        wrong = _finding("wrong-answer", Verdict.INVALID, evidence | {"verified": 24})
        reason = Unsupported(code="wrong-answer")
        gone = {
            n: Metric(value=None, unit=m.unit, unsupported=reason) for n, m in cell.metrics.items()
        }
        return cell.model_copy(update=wrong | {"metrics": gone})
    if (cell.contender, cell.step) == ("cpp-flatbuffers", "T1"):
        below = {"operations": {"round_trip": {"ns": 2.0, "floor_ns": 6.4}}}
        metrics = {**cell.metrics, "round_trip.time": about(2.0)}
        update = _finding("below-floor", Verdict.INVALID, below)
        return cell.model_copy(update=update | {"metrics": metrics})
    if (cell.contender, cell.step) == ("rust-serde-json", "T5"):
        threw = {"operations": {"decode": "Error: key must be a string"}}
        gone = Metric(value=None, unit="ns", unsupported=Unsupported(code="failed"))
        metrics = {**cell.metrics, "decode.time": gone}
        return cell.model_copy(
            update=_finding("loop-failed", Verdict.WARN, threw) | {"metrics": metrics}
        )
    if (cell.contender, cell.step) == ("java-jackson", "T2"):
        unsettled = {"operations": {"decode": {"trials": 2, "of": 5}}}
        return cell.model_copy(update=_finding("never-settled", Verdict.VALID, unsettled))
    return cell


def _finding(gate: str, verdict: Verdict, evidence: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "findings": [Finding(gate=gate, verdict=verdict, evidence=dict(evidence))],
        "verdict": verdict,
    }


def _million(processes: int) -> list[Cell]:
    cold = {"Java": 1.6, "Python": 1.02, "C++": 1.01, "Rust": 1.0}
    return [
        _cell(
            "million",
            name,
            step,
            processes,
            metrics={
                "round_trip.time": about(_time(name, step) * cold[LIBRARIES[name][1]], processes)
            },
        )
        for name in LIBRARIES
        for step in SHAPES[:5]
    ]


def _traps(processes: int) -> list[Cell]:
    unused = {"cpp-cgd-buffer": 0.3, "rust-serde-json": 210.0}
    return [
        _cell(
            "traps",
            name,
            step,
            processes,
            metrics={
                "round_trip.time": about(_time(name, step), processes),
                "round_trip_unused.time": about(
                    unused.get(name, _time(name, step) * 0.97), processes
                ),
            },
        )
        for name in LIBRARIES
        for step in ("T1", "T3")
    ]


def _conformance_cells() -> list[Cell]:
    return [
        _cell("conform", name, step, 1, remarks=remarks) for name, step, remarks in conformance()
    ]
