"""Analysed runs of the miniature suite built by hand: figures of cells that are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from synthetic.judged import judged
from wirelab.bench.trials import MeasuredSuite, harness_suite
from wirelab.model.participant import Participant
from wirelab.model.planned import cell_id
from wirelab.model.result import Cell, Finding, Metric, Result, Unsupported, Verdict

ROOT = Path(__file__).parents[2]
SUITE = harness_suite(ROOT)


def metric(value: float, low: float, high: float, **fields: Any) -> Metric:
    """A figure with its interval."""
    return Metric(value=value, unit="", interval=(low, high), **fields)


def of_one_trial(value: float) -> Metric:
    """A figure that has no interval."""
    return Metric(value=value, unit="", per_trial=[value])


def too_few(has: float, needs: float) -> Metric:
    """No figure, for want of samples."""
    reason = Unsupported(code="too-few-samples", has=has, needs=needs)
    return Metric(value=None, unit="", unsupported=reason)


def finding(gate: str, verdict: Verdict = Verdict.INVALID, **evidence: Any) -> Finding:
    """Finding of a gate."""
    return Finding(gate=gate, verdict=verdict, evidence=evidence)


def cell(
    scenario: str,
    contender: str,
    metrics: Mapping[str, Metric],
    *,
    part: str = "",
    findings: Sequence[Finding] = (),
    parameters: Mapping[str, Any] | None = None,
) -> Cell:
    """A cell, whose ``part`` is a variant or a step of its scenario."""
    manifest = SUITE.manifest
    place = {"step" if manifest.scenarios[scenario].steps else "variant": part}
    return Cell(
        id=cell_id(manifest.suite, scenario, part, contender),
        suite=manifest.suite,
        scenario=scenario,
        contender=contender,
        parameters=dict(parameters or {}),
        verdict=max((f.verdict for f in findings), key=list(Verdict).index, default=Verdict.VALID),
        findings=list(findings),
        metrics=dict(metrics),
        **place,
    )


def measured(
    *cells: Cell,
    unavailable: Mapping[str, tuple[str, str]] | None = None,
    left_out: Mapping[str, str] | None = None,
) -> MeasuredSuite:
    """A run of these cells; by contender ``unavailable``: why, and what would help."""
    missing = unavailable or {}
    names = {*(cell.contender for cell in cells), *missing}
    result = Result.model_validate(
        {
            "run": "one",
            "suite": SUITE.manifest.suite,
            "suite_title": SUITE.manifest.title,
            "profile": "quick",
            "complete": True,
            "scenarios": SUITE.manifest.scenarios,
            "services": {},
            "participants": {name: _participant(name, *missing.get(name, ())) for name in names},
            "cells": list(cells),
            "disclosure": {
                "started_at": "2026-01-02T03:04:05+00:00",
                "wirelab": "0.1.0",
                "git_revision": "abc",
                "host": {},
                "command_line": ["wl", "bench"],
                "seed": 1,
                "load_before": [0.0, 0.0, 0.0],
            },
        }
    )
    return MeasuredSuite(judged(result), Path("results/one"), left_out or {})


def _participant(name: str, why: str = "", remedy: str = "") -> Participant:
    manifest = SUITE.contenders[name].manifest
    return Participant(manifest=manifest, folder_hash="0", unavailable=why, remedy=remedy)
