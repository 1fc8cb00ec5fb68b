"""Results built by hand, as small as a test needs them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from synthetic.judged import judged
from wirelab.model.participant import Participant
from wirelab.model.result import (
    CallerView,
    Cell,
    Finding,
    Metric,
    Result,
    Series,
    Unsupported,
    Verdict,
)
from wirelab.model.scenario import Scenario
from wirelab.report.cell_table import CellTable, comparisons_of
from wirelab.report.context import Context
from wirelab.report.document import Block, Document, Section
from wirelab.report.forms.markdown import render_markdown
from wirelab.report.published import Published
from wirelab.words.translation import words


def metric(
    value: float | None,
    unit: str = "ms",
    interval: tuple[float, float] | None = None,
    n: int | None = None,
    per_trial: Sequence[float | None] = (),
) -> Metric:
    """A figure."""
    return Metric(value=value, unit=unit, interval=interval, n=n, per_trial=list(per_trial))


def too_few(has: float, needs: float, unit: str = "ms") -> Metric:
    """A figure that its samples do not support."""
    reason = Unsupported(code="too-few-samples", has=has, needs=needs)
    return Metric(value=None, unit=unit, n=int(has), effective_n=has, unsupported=reason)


def scenario(**changes: Any) -> Scenario:
    """A paced read each 100 ms and a write each tenth tick."""
    return Scenario.model_validate(
        {
            "title": {"en": "Read and write", "ko": "읽기와 쓰기"},
            "load": {"type": "paced", "period": "100ms"},
            "drift_target": "5ms",
            "roles": {
                "server": {"provider": "service:server"},
                "client": {"provider": "contender", "measured": True},
            },
            "operations": {
                "read": {"code": 1, "items": 2000, "item": "tag", "deadline": "100ms"},
                "write": {"code": 2, "every": 10, "items": 200, "item": "tag", "deadline": "1s"},
            },
            "profiles": {"quick": {"trials": 3, "discard": 1, "count": 600, "warmup": 30}},
            "bounds": {"cv_operation": "read"},
            "rankings": [
                {"metric": "read.latency.p50"},
                {"metric": "read.latency.p95"},
                {"metric": "cpu.mean"},
                {"metric": "rss.max"},
            ],
            **changes,
        }
    )


def participant(name: str, *, lines: int = 100, **changes: Any) -> Participant:
    """A contender that was built."""
    return Participant.model_validate(
        {
            "manifest": {
                "contender": name,
                "title": name.capitalize(),
                "language": "",
                "library": {"name": f"lib{name}", "version": "1.2.3", "licence": "MIT"},
                "unavailable": "",
                "notes": "",
                "security": "",
                "build": {"kind": "none"},
                "run": {"command": ["./worker"]},
            },
            "folder_hash": "0",
            "ownership": {"install_bytes": 5_000_000, "dependencies": [], "lines": lines},
            **changes,
        }
    )


def cell(
    contender: str,
    metrics: Mapping[str, Metric] | None = None,
    *,
    ranks: Mapping[str, int] | None = None,
    verdict: Verdict = Verdict.VALID,
    findings: Sequence[Finding] = (),
    caller: Sequence[CallerView] = (),
    scenario_name: str = "main",
    variant: str = "",
    mode: str = "",
    other_trials: Mapping[str, str] | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> Cell:
    """The cell of a contender."""
    place = "/".join(part for part in ("demo", scenario_name, variant, contender) if part)
    return Cell(
        id=place,
        suite="demo",
        scenario=scenario_name,
        variant=variant,
        contender=contender,
        mode=mode,
        parameters=dict(parameters or {}),
        verdict=verdict,
        findings=list(findings),
        metrics=dict(metrics or {}),
        ranks=dict(ranks or {}),
        trials=[f"0001-{contender}", f"0002-{contender}"],
        other_trials=dict(other_trials or {}),
        statuses={"read": {"ok": 1140}, "write": {"ok": 114}},
        caller=list(caller),
    )


def result(
    cells: Sequence[Cell],
    *,
    scenarios: Mapping[str, Scenario] | None = None,
    participants: Mapping[str, Participant] | None = None,
    **changes: Any,
) -> Result:
    """The result of a run of these cells."""
    names = sorted({c.contender for c in cells})
    found = Result.model_validate(
        {
            "run": "20260102-030405-demo-quick",
            "suite": "demo",
            "suite_title": {"en": "Demonstration", "ko": "시연"},
            "profile": "quick",
            "complete": True,
            "scenarios": dict(scenarios or {"main": scenario()}),
            "services": {"server": {"name": "demo-server", "version": "1.0", "licence": "MIT"}},
            "participants": dict(participants or {name: participant(name) for name in names}),
            "cells": list(cells),
            "disclosure": {
                "started_at": "2026-01-02T03:04:05+00:00",
                "wirelab": "0.1.0",
                "git_revision": "0123456789abcdef",
                "host": {"cpu": "synthetic", "cpus": 2, "memory_bytes": 8_000_000_000},
                "command_line": ["wl", "run", "demo"],
                "seed": 7,
                "load_before": [0.1, 0.2, 0.3],
            },
            **changes,
        }
    )
    return judged(found)


def context(
    cells: Sequence[Cell],
    language: str = "en",
    published: Published | None = None,
    **changes: Any,
) -> Context:
    """A context of these cells, without charts."""
    return Context(result(cells, **changes), Series(cells={}), words(language), published)


def only(found: Context) -> CellTable:
    """The one comparison of a context."""
    (comparison,) = comparisons_of(found)
    return comparison


def said(section: Section) -> str:
    """Everything a section says, as Markdown."""
    return render_markdown(Document("t", "s", "en", (), (), (section,), ()))


def said_first(*blocks: Block) -> str:
    """Everything blocks of a first screen say, as Markdown."""
    return render_markdown(Document("t", "s", "en", (), blocks, (), ()))
