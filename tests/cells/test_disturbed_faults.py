"""Faults beside other programs: what is known of an outage, and what is not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cells.conftest import ResultOf
from synthetic import SECOND, Caller, SyntheticRun, faults_run
from synthetic.neighbour import quiet_host, record_host
from wirelab.model.result import Cell
from wirelab.report import write

CALLERS = {"late": Caller(recovery_ms=800), "soon": Caller(recovery_ms=250)}
OUTAGE = "fault.outage.time"

Analysed = Callable[[SyntheticRun], dict[tuple[str, str], Cell]]


@pytest.fixture
def analysed(result_of: ResultOf) -> Analysed:
    """The cells of a run by contender and variant, analysed from the command line."""

    def of(run: SyntheticRun) -> dict[tuple[str, str], Cell]:
        cells = result_of(run).cells
        return {(cell.contender, cell.variant): cell for cell in cells}

    return of


def disturbed(begin: float, end: float) -> SyntheticRun:
    """A run in whose trials of one contender others ran between these seconds after tick 0."""
    run = quiet_host(faults_run(CALLERS, trials=2))
    for trial in run.of("soon"):
        since = trial.probe["host"]["monotonic_ns"] - trial.record["tick0_ns"]
        record_host(trial, (since > begin * SECOND) & (since <= end * SECOND))
    return run


def test_an_outage_beside_other_programs_is_at_least_the_rest_of_it(
    analysed: Analysed, tmp_path: Path
) -> None:
    quiet = analysed(quiet_host(faults_run(CALLERS, trials=2)))
    noisy = analysed(disturbed(2.0, 3.0))
    of = ("soon", "server-stopped")
    true, found = quiet[of].metrics[OUTAGE], noisy[of].metrics[OUTAGE]
    assert not true.at_least
    assert quiet[of].ranks == {OUTAGE: 1}
    assert found.at_least
    assert found.interval is None
    assert found.uncensored == true.value
    assert true.value is not None
    # A second of it, and the period of the monitor in which they ended.
    assert found.value == pytest.approx(true.value - 1100, abs=110)
    assert noisy[of].ranks == {}
    assert (
        noisy["late", "server-stopped"].metrics[OUTAGE]
        == (quiet["late", "server-stopped"].metrics[OUTAGE])
    )
    assert noisy[of].metrics["fault.late.count"] == quiet[of].metrics["fault.late.count"]
    assert noisy[of].statuses == quiet[of].statuses
    for language, sentence in (
        ("en", "how long it is without them is not known"),
        ("ko", "방해가 없을 때의 길이는 알 수 없습니다"),
    ):
        (page,) = write(tmp_path / "run-1", language, ["md"])
        assert sentence in page.read_text("utf-8")


def test_other_programs_after_the_outage_change_nothing_of_it(analysed: Analysed) -> None:
    quiet = analysed(quiet_host(faults_run(CALLERS, trials=2)))
    noisy = analysed(disturbed(8.0, 10.0))
    assert len(quiet) == 2 * len({variant for _, variant in quiet})
    for of, cell in quiet.items():
        assert noisy[of].metrics == cell.metrics
        assert noisy[of].caller == cell.caller


def test_a_wait_for_an_error_is_at_least_the_rest_of_it(analysed: Analysed) -> None:
    noisy = analysed(disturbed(1.0, 1.5))["soon", "server-stopped"]
    error = noisy.metrics["fault.error.time"]
    assert error.at_least
    assert error.value is not None
    assert error.uncensored is not None
    assert 0 < error.value < error.uncensored
    assert all(view.disturbed_ms["error"] > 0 for view in noisy.caller)
    assert len(noisy.caller) == 2
