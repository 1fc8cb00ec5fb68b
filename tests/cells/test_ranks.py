"""The rule of ties."""

from __future__ import annotations

import pytest

from wirelab.cells.ranks import places
from wirelab.model.measure import Ranking
from wirelab.model.result import Cell, Metric, Verdict

LATENCY = Ranking(metric="read.latency.p50")


def cell(
    name: str,
    value: float | None,
    reach: float | None = None,
    per_trial: tuple[float | None, ...] = (),
) -> Cell:
    """A cell whose figure is known to within a factor of ``1 + reach``."""
    interval = None
    if value is not None and reach is not None:
        interval = (value / (1 + reach), value * (1 + reach))
    metric = Metric(value=value, unit="ms", interval=interval, per_trial=list(per_trial))
    return Cell(
        id=name, suite="demo", scenario="main", contender=name, parameters={},
        verdict=Verdict.VALID, metrics={LATENCY.metric: metric},
    )  # fmt: skip


def test_apart_is_ranked_and_together_is_tied() -> None:
    cells = [cell("c", 9.0, 0.01), cell("a", 2.0, 0.2), cell("b", 2.2, 0.2), cell("d", 9.9, 0.01)]
    assert places(cells, LATENCY) == {"a": 1, "b": 1, "c": 3, "d": 4}


def test_everyone_is_compared_with_the_leader_of_the_group() -> None:
    # b ties with a, c with b but not with a: c opens a group of its own.
    cells = [cell("a", 2.0, 0.08), cell("b", 2.2, 0.08), cell("c", 2.42, 0.08)]
    assert places(cells, LATENCY) == {"a": 1, "b": 1, "c": 3}


def test_higher_may_be_better() -> None:
    ranking = Ranking(metric=LATENCY.metric, better="higher")
    assert places([cell("a", 1.0, 0.01), cell("b", 2.0, 0.01)], ranking) == {"b": 1, "a": 2}


@pytest.mark.parametrize("value", [0.0, 1e-9])
def test_nothing_lost_beats_something_lost_in_every_trial(value: float) -> None:
    none = cell("none", 0.0, per_trial=(0.0, 0.0, 0.0))
    some = cell("some", 5.0, per_trial=(4.0, 5.0, 6.0))
    once = cell("once", 1.0, per_trial=(0.0, 3.0, 0.0))
    assert places([some, none, once], LATENCY) == {"none": 1, "once": 1, "some": 3}


def test_who_has_no_figure_has_no_rank() -> None:
    assert places([cell("a", 1.0, 0.1), cell("b", None), cell("c", 3.0, 0.1)], LATENCY) == {
        "a": 1, "c": 2
    }  # fmt: skip


def test_nobody_is_first_of_one() -> None:
    assert places([cell("a", 1.0, 0.1), cell("b", None)], LATENCY) == {}


def test_what_nothing_bounds_is_not_told_apart() -> None:
    cells = [cell("a", 1.0, per_trial=(1.0,)), cell("b", 50.0, per_trial=(50.0,))]
    assert places(cells, LATENCY) == {"a": 1, "b": 1}
