"""HTTP generators beside each other: what they say, and the figures made of their trials."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from e2e.building import build_engine_behind_others
from wirelab.bench import http
from wirelab.bench.figure import BenchError, BenchVerdict
from wirelab.bench.http import ENGINE, MeasuredGenerators, figures_of
from wirelab.bench.http_trial import AskedTrial, GeneratorTrial, by_wrk, of_oha, of_wrk
from wirelab.build.permission import if_allowed

ROOT = Path(__file__).parents[2]

WRK = """Running 3s test @ http://127.0.0.1:41111/
  1 threads and 50 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     1.31ms    2.21ms  43.30ms   91.05%
    Req/Sec    49.14k     9.03k   63.64k    66.67%
  147132 requests in 3.02s, 16.42MB read
{more}Requests/sec:  48731.96
Transfer/sec:      5.44MB
"""


def test_what_wrk_prints_is_read() -> None:
    assert of_wrk(WRK.format(more="")) == (147_132, 0)
    more = (
        "  Socket errors: connect 1, read 20, write 3, timeout 9\n  Non-2xx or 3xx responses: 132\n"
    )
    assert of_wrk(WRK.format(more=more)) == (147_000, 132 + 24)
    with pytest.raises(BenchError, match="unable to connect"):
        of_wrk("unable to connect to 127.0.0.1:1 Connection refused")


def test_what_oha_prints_is_read() -> None:
    said = {
        "summary": {"successRate": 1.0},
        "statusCodeDistribution": {"200": 90, "204": 2, "503": 7},
        "errorDistribution": {"aborted due to deadline": 50, "connection closed": 4},
    }
    assert of_oha(json.dumps(said)) == (92, 7 + 4)
    for broken in ("", "[]", "{}", '{"statusCodeDistribution": {}}'):
        with pytest.raises(BenchError, match="oha"):
            of_oha(broken)


def test_a_generator_that_fails_is_named(tmp_path: Path) -> None:
    asked = AskedTrial("http://127.0.0.1:1", 1, 1.0, ())
    with pytest.raises(BenchError, match=f"{Path(sys.executable).name} ended with"):
        by_wrk([sys.executable], asked, tmp_path)


def trials(*per_cpu: float, failed: int = 0) -> list[GeneratorTrial]:
    return [GeneratorTrial(int(each * 2), failed, 2.0) for each in per_cpu]


def test_ratios_are_those_of_blocks() -> None:
    # The host was twice as slow in the second block: the ratio does not know of it.
    measured = MeasuredGenerators(
        trials={
            (10, ENGINE): trials(90_000, 45_000, 90_000, failed=1),
            (10, "wrk"): trials(100_000, 50_000, 100_000),
            (10, "oha"): trials(200_000, 100_000, 200_000),
        }
    )
    found = {figure.name: figure for figure in figures_of(measured, [10], whole=True)}
    ratio = found["http.10.wrk.ratio"]
    assert ratio.value == pytest.approx(0.9)
    assert ratio.interval == pytest.approx((0.9, 0.9))
    assert ratio.verdict is BenchVerdict.MET
    assert found["http.10.oha.ratio"].verdict is BenchVerdict.MISSED
    assert found["http.10.engine.cost"].value == pytest.approx(90_000 / 2 ** (1 / 3))
    assert found["http.10.failed"].value == 3
    assert found["http.10.failed"].verdict is BenchVerdict.MISSED


def test_what_is_missing_is_named_with_what_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wirelab.bench.http.shutil.which", lambda _: None)
    # There is no engine in this folder either.
    found = {
        f.name: f for f in http.figures("quick", Path(__file__).parent, lambda _: None, if_allowed)
    }
    assert {figure.value for figure in found.values()} == {None}
    assert found["http.10.wrk.cost"].why_not.endswith("apt-get install wrk")
    assert "cargo install --locked oha" in found["http.50.oha.ratio"].why_not
    assert found["http.10.failed"].why_not.startswith("wirelab's engine: ")


@pytest.mark.e2e
@pytest.mark.needs("cargo")
def test_a_block_of_all_that_are_there() -> None:
    build_engine_behind_others()
    found = {f.name: f for f in http.figures("smoke", ROOT, lambda _: None, if_allowed)}
    assert (found["http.10.engine.cost"].value or 0) > 0
    assert found["http.10.failed"].value == 0
    for name in http.OTHERS:
        there = shutil.which(name) is not None
        assert (found[f"http.10.{name}.cost"].value is not None) == there
        # One short block says nothing about the target.
        assert found[f"http.10.{name}.ratio"].verdict is BenchVerdict.NO_TARGET
