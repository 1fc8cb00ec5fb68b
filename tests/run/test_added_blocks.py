"""Blocks are added by the widths of intervals, a bound of time, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pytest

from synthetic import Client, load_run
from synthetic.manifests import load_scenario
from wirelab.model.planned import PlannedTrial
from wirelab.model.run import Run
from wirelab.model.until import StoppedBy, TableWidth, Until
from wirelab.plan.order import further_block, included_blocks
from wirelab.run.looks import cost_line, look_line
from wirelab.run.until import add_blocks, with_block
from wirelab.stats.stopping import LOOKS

SECOND = 1_000_000_000
RULE = Until(
    width=0.05,
    at_most_ns=3600 * SECOND,
    figures={"main": "read.latency.p50"},
    baselines=["swift", "slow"],
)
Reached = Mapping[int, float | None]
"""By number of blocks: how far the widest interval reaches."""


def table(
    blocks: int, reach: float | None, *, scenario: str = "main", step: str = ""
) -> TableWidth:
    return TableWidth(
        scenario=scenario,
        step=step,
        metric="read.latency.p50",
        blocks=blocks,
        baseline="swift",
        contender="slow" if reach is not None else "",
        reach=reach,
        scatter=None if reach is None else 0.03,
        without=[] if reach is not None else ["slow"],
    )


class Planned:
    """A run whose trials take a second each, and whose ratios are known as it is told."""

    def __init__(self, reached: Mapping[str, Reached], rule: Until = RULE) -> None:
        self.run = run_of(list(reached))
        self.rule = rule
        self.reached = reached
        self.looks: list[tuple[str, int]] = []

    def took_ns(self, trials: Iterable[PlannedTrial]) -> int:
        return SECOND * len(list(trials))

    def make_up(self) -> None:
        """No trial was lost to the host."""

    def carry_out_block(self, scenario: str) -> None:
        position = self.run.plan[-1].position + 1
        self.run = with_block(self.run, further_block(scenario, self.run.plan, position, 7))

    def widths(self) -> list[TableWidth]:
        return [
            table(n, self.reached[name].get(n, 0.5), scenario=name)
            for name, n in included_blocks(self.run.plan).items()
        ]

    def looked(self, until: Until, own: Sequence[TableWidth], block_seconds: float) -> None:
        assert block_seconds == 2.0
        self.looks.append((own[0].scenario, own[0].blocks))

    def stopped_by(self) -> StoppedBy:
        return add_blocks(self, self.rule, self.widths, self.looked)


def run_of(scenarios: Sequence[str]) -> Run:
    """Two contenders, a session warm-up and one block that counts, in each scenario."""
    made = [
        load_run({"swift": Client(), "slow": Client()}, trials=2, scenario_name=name).run
        for name in scenarios
    ]
    trials = [trial for one in made for trial in one.plan]
    plan = [
        trial.model_copy(update={"position": n, "id": f"{n:04d}-{trial.scenario}"})
        for n, trial in enumerate(trials)
    ]
    known = {name: load_scenario() for name in scenarios}
    return made[0].model_copy(update={"plan": plan, "scenarios": known})


def blocks_of(planned: Planned) -> dict[str, int]:
    return included_blocks(planned.run.plan)


def test_it_stops_at_the_first_look_that_is_narrow() -> None:
    # Narrow between two looks is nothing: there nobody looks.
    planned = Planned({"main": {8: 0.2, 9: 0.01, 10: 0.06, 12: 0.05, 13: 0.04}})
    assert planned.stopped_by() is StoppedBy.NARROW
    assert planned.looks == [("main", 8), ("main", 10), ("main", 12)]
    assert blocks_of(planned) == {"main": 12}


def test_it_ends_with_the_last_look() -> None:
    planned = Planned({"main": {}})
    assert planned.stopped_by() is StoppedBy.BLOCKS
    assert [blocks for _, blocks in planned.looks] == list(LOOKS)
    assert blocks_of(planned) == {"main": LOOKS[-1]}


def test_no_block_is_begun_that_would_end_after_the_bound_of_time() -> None:
    # The warm-up and the first block take 4 s, each other block 2 s.
    rule = RULE.model_copy(update={"at_most_ns": 9 * SECOND})
    planned = Planned({"main": {}}, rule)
    assert planned.stopped_by() is StoppedBy.TIME
    assert blocks_of(planned) == {"main": 3}
    assert planned.looks == []


def test_scenarios_get_blocks_in_turn_until_each_is_narrow() -> None:
    both = {"main": RULE.figures["main"], "other": RULE.figures["main"]}
    rule = RULE.model_copy(update={"figures": both})
    planned = Planned({"main": {8: 0.04}, "other": {10: 0.04}}, rule)
    assert planned.stopped_by() is StoppedBy.NARROW
    assert blocks_of(planned) == {"main": 8, "other": 10}
    added = [trial.scenario for trial in planned.run.plan[8:16]]
    assert added == ["main"] * 2 + ["other"] * 2 + ["main"] * 2 + ["other"] * 2


def test_nobody_waits_for_a_ratio_that_there_is_not() -> None:
    planned = Planned({"main": {8: None}})
    assert planned.stopped_by() is StoppedBy.NO_RATIO
    assert blocks_of(planned) == {"main": 8}


@pytest.mark.parametrize("interrupted_after", [0, 3, 7, 9, 11])
def test_a_run_that_was_interrupted_goes_on_as_it_would_have(interrupted_after: int) -> None:
    reached = {"main": {8: 0.2, 10: 0.06, 12: 0.05}}
    whole, resumed = Planned(reached), Planned(reached)
    whole.stopped_by()
    for _ in range(interrupted_after):
        resumed.carry_out_block("main")
    assert resumed.stopped_by() is StoppedBy.NARROW
    assert resumed.run == whole.run


def test_a_further_block_has_every_contender_once_in_an_order_of_its_own() -> None:
    planned = Planned({"main": {}})
    planned.stopped_by()
    plan = planned.run.plan
    assert [trial.position for trial in plan] == list(range(len(plan)))
    assert len({trial.id for trial in plan}) == len({trial.seed for trial in plan}) == len(plan)
    orders = {
        tuple(trial.contender for trial in plan if trial.block == block) for block in range(51)
    }
    assert orders == {("swift", "slow"), ("slow", "swift")}
    # The plan says as many trials as there are, of which the warm-up counts in no figure.
    assert planned.run.scenarios["main"].profiles["quick"].trials == LOOKS[-1] + 1


def test_a_look_is_told_in_one_line() -> None:
    line = look_line(RULE, [table(10, 0.02, step="a"), table(10, 0.073, step="b")], 30.0)
    assert "\n" not in line
    assert line.startswith("main / b, 10 blocks: slow / swift is known within 7.3 %")
    assert "5.0 % is asked for; next look after 12" in line
    assert line.endswith(
        "; on this machine a difference of 20 % is found in 3 min, one of 10 % in 3 min, "
        "one of 5.0 % in 4 min, one of 2.0 % in 14 min, one of 1.0 % in 52 min"
    )
    assert "narrow enough" in look_line(RULE, [table(10, 0.05), table(10, None)], 30.0)
    assert "last look" in look_line(RULE, [table(50, 0.06)], 30.0)
    assert "no two contenders" in look_line(RULE, [table(8, None)], 30.0)


def test_what_a_difference_takes_before_anything_is_known() -> None:
    assert "told after 8 blocks, in about 4 min" in cost_line(None, 30.0)
    assert "any difference shows" in cost_line(0.0, 30.0)
    assert "no difference below 20 %" in cost_line(50.0, 30.0)
