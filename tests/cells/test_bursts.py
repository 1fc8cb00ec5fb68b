"""Steps in which each user does everything once, beside other programs: whole, or left out."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pytest

from cells.conftest import ResultOf
from synthetic import Client, SyntheticRun, Trial, closed_run
from synthetic.neighbour import BUSY_NS, quiet_host, record_host
from wirelab.model.result import Cell, Metric, Verdict

STEP, OTHER = "more", "few"
GATES = {"host-disturbed", "disturbed-seconds"}


def bursts(median_ms: float) -> SyntheticRun:
    """Three trials in which each user's only message takes about so long."""
    client = Client(median_ms=median_ms, spread=0.05, trial_spread=0.01)
    return closed_run({"swift": client}, ticks=1)


def met(trial: Trial) -> np.ndarray:
    """The look after a tenth of a second in the middle of the step, when others had run."""
    at = trial.probe["host"]["monotonic_ns"]
    begin, end = trial.record["steps"][STEP]
    looked = int(np.searchsorted(at, (begin + end) // 2))
    assert begin < at[looked - 1] < at[looked] < end
    return np.arange(len(at)) == looked


def beside(run: SyntheticRun, disturbed: Collection[int]) -> SyntheticRun:
    """The same with others in the step of these trials."""
    for number, trial in enumerate(run.trials):
        busy = met(trial)
        record_host(trial, busy if number in disturbed else busy & False)
    return run


def cell_of(result_of: ResultOf, run: SyntheticRun, step: str = STEP) -> Cell:
    return next(cell for cell in result_of(run).cells if cell.step == step)


def elapsed(cell: Cell) -> Metric:
    return cell.metrics["step.elapsed"]


def lengths(run: SyntheticRun) -> list[float]:
    spans = [trial.record["steps"][STEP] for trial in run.trials]
    return [(end - begin) / 1e9 for begin, end in spans]


def test_a_burst_of_which_others_took_little_counts_as_it_was(result_of: ResultOf) -> None:
    quiet = cell_of(result_of, quiet_host(bursts(2000.0)))
    noisy = cell_of(result_of, beside(bursts(2000.0), [0, 1, 2]))
    assert elapsed(noisy).per_trial == pytest.approx(lengths(bursts(2000.0)))
    assert noisy.metrics == quiet.metrics
    assert noisy.metrics["delivery.latency.mean"].value is not None
    assert not GATES & {finding.gate for finding in noisy.findings}


def test_the_whole_trial_of_such_bursts_counts_as_it_was(result_of: ResultOf) -> None:
    quiet = cell_of(result_of, quiet_host(bursts(2000.0)), "")
    noisy = cell_of(result_of, beside(bursts(2000.0), [0, 1, 2]), "")
    for name in ("rtt.latency.p50", "delivery.latency.p50"):
        assert noisy.metrics[name].value is not None
        assert noisy.metrics[name] == quiet.metrics[name]
    assert not GATES & {finding.gate for finding in noisy.findings}


def test_a_burst_of_which_others_took_much_is_in_no_figure(result_of: ResultOf) -> None:
    run = beside(bursts(300.0), [1])
    cell = cell_of(result_of, run)
    first, left_out, last = lengths(run)
    found = elapsed(cell)
    assert found.per_trial == [pytest.approx(first), None, pytest.approx(last)]
    assert found.value == pytest.approx((first + last) / 2)
    assert found.uncensored == pytest.approx((first + left_out + last) / 3)
    assert not found.at_least
    (said,) = (one for one in cell.findings if one.gate == "host-disturbed")
    assert said.verdict is Verdict.VALID
    assert said.evidence["trials"] == {run.trials[1].planned.id: 1.0}
    assert said.evidence["figures"]["step.elapsed"]["quiet"] == found.value
    assert GATES.isdisjoint(one.gate for one in cell_of(result_of, run, OTHER).findings)


def test_where_others_took_much_of_most_bursts_the_rest_is_the_least(result_of: ResultOf) -> None:
    run = beside(bursts(300.0), [0, 2])
    found = elapsed(cell_of(result_of, run))
    first, quiet, last = lengths(run)
    took = BUSY_NS / 1e9
    assert found.at_least
    assert found.value == pytest.approx((first - took + quiet + last - took) / 3)
