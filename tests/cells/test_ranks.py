"""The rule of ties."""

from __future__ import annotations

import pytest

from wirelab.cells.ranks import places
from wirelab.model.measure import Ranking
from wirelab.model.result import ByBlock, Cell, Metric, Verdict

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


def test_a_rank_counts_those_that_are_shown_to_be_better() -> None:
    # b ties with a, c with b but not with a.
    cells = [cell("a", 2.0, 0.08), cell("b", 2.2, 0.08), cell("c", 2.42, 0.08)]
    assert places(cells, LATENCY) == {"a": 1, "b": 1, "c": 2}


def test_a_leader_of_which_little_is_known_gives_its_rank_to_nobody() -> None:
    cells = [cell("vague", 1.0, 9.0), cell("sure", 2.0, 0.02), cell("slow", 4.0, 0.02)]
    assert places(cells, LATENCY) == {"vague": 1, "sure": 1, "slow": 2}


def test_higher_may_be_better() -> None:
    ranking = Ranking(metric=LATENCY.metric, better="higher")
    assert places([cell("a", 1.0, 0.01), cell("b", 2.0, 0.01)], ranking) == {"b": 1, "a": 2}


@pytest.mark.parametrize("value", [0.0, 1e-9])
def test_nothing_lost_beats_something_lost_in_every_trial(value: float) -> None:
    none = cell("none", 0.0, per_trial=(0.0, 0.0, 0.0))
    some = cell("some", 5.0, per_trial=(4.0, 5.0, 6.0))
    once = cell("once", 1.0, per_trial=(0.0, 3.0, 0.0))
    assert places([some, none, once], LATENCY) == {"none": 1, "once": 1, "some": 2}


def test_a_lower_bound_wins_nothing() -> None:
    bound = cell("a", 1.0, 0.1)
    figure = bound.metrics[LATENCY.metric].model_copy(update={"at_least": True})
    bound = bound.model_copy(update={"metrics": {LATENCY.metric: figure}})
    others = [cell("b", 2.0, 0.1), cell("c", 3.0, 0.1)]
    assert places([bound, *others], LATENCY) == {"b": 1, "c": 2}


def test_who_has_no_figure_has_no_rank() -> None:
    assert places([cell("a", 1.0, 0.1), cell("b", None), cell("c", 3.0, 0.1)], LATENCY) == {
        "a": 1, "c": 2
    }  # fmt: skip


def test_nobody_is_first_of_one() -> None:
    assert places([cell("a", 1.0, 0.1), cell("b", None)], LATENCY) == {}


def test_what_nothing_bounds_is_not_told_apart() -> None:
    cells = [cell("a", 1.0, per_trial=(1.0,)), cell("b", 50.0, per_trial=(50.0,))]
    assert places(cells, LATENCY) == {"a": 1, "b": 1}


def in_blocks(name: str, *values: float) -> Cell:
    """A cell with a figure in each of several blocks."""
    own = ByBlock(of="run/main", values={1: dict(enumerate(values))})
    found = cell(name, sum(values) / len(values), per_trial=values)
    metric = found.metrics[LATENCY.metric].model_copy(update={"by_block": own})
    return found.model_copy(update={"metrics": {LATENCY.metric: metric}})


def test_where_nobody_lost_anything_all_are_first() -> None:
    cells = [in_blocks(name, *[0.0] * 6) for name in "ab"]
    assert places(cells, LATENCY) == {"a": 1, "b": 1}


def test_whom_the_blocks_show_better_than_the_figures_shares_the_rank() -> None:
    # One hour made the figure of b larger; in each of the others it was faster.
    one = in_blocks("a", 2.0, 2.1, 2.0, 1.9, 2.0, 2.2, 2.0, 2.0)
    other = in_blocks("b", 1.8, 1.89, 1.79, 1.7, 1.8, 1.97, 1.81, 1.8)
    higher = other.metrics[LATENCY.metric].model_copy(update={"value": 2.3})
    other = other.model_copy(update={"metrics": {LATENCY.metric: higher}})
    assert places([one, other], LATENCY) == {"a": 1, "b": 1}


def test_who_is_there_in_too_few_blocks_is_ranked_by_the_intervals() -> None:
    cells = [in_blocks("a", *[2.0, 2.1] * 4), in_blocks("b", 9.0, 9.1, 9.0)]
    assert places(cells, LATENCY) == {"a": 1, "b": 2}


def known(found: Cell, low: float, high: float) -> Cell:
    """The cell with this interval of its figure."""
    metric = found.metrics[LATENCY.metric].model_copy(update={"interval": (low, high)})
    return found.model_copy(update={"metrics": {LATENCY.metric: metric}})


def test_who_is_worse_than_one_comes_after_all_that_are_better_than_that_one() -> None:
    # Hours differ more than a and b do, which blocks tell apart; c was there in few of them.
    a = known(in_blocks("a", *[1.0, 2.0] * 4), 0.8, 2.8)
    b = known(in_blocks("b", *[1.1, 2.21, 1.11, 2.2] * 2), 1.64, 1.66)
    c = known(in_blocks("c", 1.9, 1.9, 1.9), 1.86, 1.94)
    assert places([a, b, c], LATENCY) == {"a": 1, "b": 2, "c": 3}
    assert places([a, c], LATENCY) == {"a": 1, "c": 1}
