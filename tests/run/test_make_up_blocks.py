"""Trials lost to the host are repeated in blocks of their own, within the time there is for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from synthetic import Client, load_run, loops_scenario
from wirelab.model.make_up import MakeUp
from wirelab.model.planned import PlannedTrial
from wirelab.model.run import Run
from wirelab.model.until import Until
from wirelab.plan.make_up import MakeUpOutcome, make_up_of, owed_block
from wirelab.plan.order import further_block, included_blocks

SECOND = 1_000_000_000

Taken = Callable[[PlannedTrial], bool]
"""Whether the host takes a trial."""


def run_of(*contenders: str, blocks: int = 3, at_most_s: float = 3600, reference: str = "") -> Run:
    """A session warm-up and so many blocks that count."""
    run = load_run({name: Client() for name in contenders}, trials=blocks + 1).run
    update: dict[str, object] = {"make_up": MakeUp(at_most_ns=round(at_most_s * SECOND))}
    if reference:
        found = run.participants[reference]
        manifest = found.manifest.model_copy(update={"reference": True})
        changed = found.model_copy(update={"manifest": manifest})
        update["participants"] = {**run.participants, reference: changed}
    return run.model_copy(update=update)


def outcomes(run: Run, taken: Taken) -> dict[str, MakeUpOutcome]:
    """Every trial takes ten seconds."""
    return {trial.id: MakeUpOutcome(taken(trial), 10 * SECOND) for trial in run.plan}


def made_up(run: Run, taken: Taken) -> Run:
    """The run when everything has been made up for that there is time for."""
    while block := owed_block(run, outcomes(run, taken)):
        run = run.model_copy(update={"plan": [*run.plan, *block]})
    return Run.model_validate(run.model_dump())


def blocks_of(run: Run) -> list[Mapping[str, str]]:
    """The blocks that make up for something: by contender whose block is repeated, or nothing."""
    block_of = {trial.id: trial.block for trial in run.plan}
    found: dict[int, dict[str, str]] = {}
    for trial in run.plan:
        if trial.make_up:
            of = f"of {block_of[trial.repeats]}" if trial.repeats else "beside"
            found.setdefault(trial.block, {})[trial.contender] = of
    return list(found.values())


def test_a_lost_trial_is_repeated_beside_the_reference() -> None:
    run = run_of("first", "second", "null", reference="null")
    after = made_up(run, lambda t: t.contender == "second" and t.block == 2)
    assert blocks_of(after) == [{"second": "of 2", "null": "beside"}]
    extra = after.plan[len(run.plan) :]
    assert {trial.block for trial in extra} == {4}
    assert all(trial.included and not trial.rerun for trial in extra)
    assert len({trial.seed for trial in after.plan}) == len(after.plan)
    # It is no block that was asked for.
    assert included_blocks(after.plan) == included_blocks(run.plan) == {"main": 3}


def test_lost_trials_of_several_contenders_share_a_block() -> None:
    run = run_of("first", "second", "third")
    lost = {("second", 1), ("third", 3), ("second", 3)}
    after = made_up(run, lambda t: (t.contender, t.block) in lost)
    assert blocks_of(after) == [
        {"first": "beside", "second": "of 1", "third": "of 3"},
        {"first": "beside", "second": "of 3"},
    ]


def test_without_its_reference_all_of_a_block_are_measured_again() -> None:
    run = run_of("first", "second", "third")
    after = made_up(run, lambda t: t.contender == "first" and t.block == 1)
    assert blocks_of(after) == [{"first": "of 1", "second": "beside", "third": "beside"}]


def test_the_reference_is_the_baseline_of_the_run() -> None:
    rule = Until(
        width=0.05,
        at_most_ns=3600 * SECOND,
        figures={"main": "read.latency.p50"},
        baselines=["second", "first"],
    )
    run = run_of("first", "second", "third").model_copy(update={"until": rule})
    after = made_up(run, lambda t: t.contender == "third" and t.block == 1)
    assert blocks_of(after) == [{"third": "of 1", "second": "beside"}]
    # The next block of the run has everybody, and shares its number with none.
    block = further_block("main", after.plan, after.plan[-1].position + 1, 7)
    assert {trial.block for trial in block} == {5}
    assert {trial.contender for trial in block} == {"first", "second", "third"}
    assert not any(trial.make_up or trial.repeats for trial in block)
    # What --until may take, nothing takes beyond.
    short = rule.model_copy(update={"at_most_ns": 10 * SECOND * len(run.plan) + 19 * SECOND})
    run = run.model_copy(update={"until": short})
    assert blocks_of(made_up(run, lambda t: t.contender == "third" and t.block == 1)) == []


def test_the_session_warm_up_is_not_repeated() -> None:
    assert blocks_of(made_up(run_of("first", "second"), lambda t: t.block == 0)) == []


def test_what_was_lost_again_is_repeated_again_while_there_is_time() -> None:
    # A block of two trials takes 20 s.
    for seconds, blocks in ((19, 0), (20, 1), (65, 3)):
        run = run_of("first", "second", at_most_s=seconds)
        after = made_up(run, lambda t: t.contender == "second" and (t.make_up or t.block == 1))
        assert len(blocks_of(after)) == blocks
        assert sum(trial.repeats != "" for trial in after.plan) == blocks


def test_nothing_is_made_up_for_without_a_rule() -> None:
    run = run_of("first", "second").model_copy(update={"make_up": None})
    assert owed_block(run, outcomes(run, lambda _: True)) == []


@pytest.mark.parametrize("ended", [0, 1, 2, 3])
def test_a_run_that_was_interrupted_goes_on_as_it_would_have(ended: int) -> None:
    def taken(trial: PlannedTrial) -> bool:
        return trial.block in (1, 4) and trial.contender != "first"

    run = run_of("first", "second", "third")
    whole, resumed = made_up(run, taken), run
    for _ in range(ended):
        block = owed_block(resumed, outcomes(resumed, taken))
        resumed = resumed.model_copy(update={"plan": [*resumed.plan, *block]})
    stored = Run.model_validate_json(resumed.model_dump_json())
    assert made_up(stored, taken) == whole
    assert len(blocks_of(whole)) == 2


def test_a_plan_in_which_a_trial_repeats_itself_is_refused() -> None:
    run = run_of("first", "second")
    own = run.plan[2].model_copy(update={"make_up": True, "repeats": run.plan[2].id})
    plan = [*run.plan[:2], own, *run.plan[3:]]
    with pytest.raises(ValueError, match="which is not before it"):
        Run.model_validate(run.model_dump() | {"plan": [trial.model_dump() for trial in plan]})


def test_the_time_for_it_is_half_of_what_is_planned_or_what_was_asked_for() -> None:
    run = run_of("first", "second")
    # Six trials that count, of 60 s and what starting them takes.
    usual = make_up_of(run.plan, run.scenarios, None, None)
    assert usual is not None
    assert 180 * SECOND < usual.at_most_ns < 200 * SECOND
    asked = make_up_of(run.plan, run.scenarios, None, 90 * SECOND)
    assert asked == MakeUp(at_most_ns=90 * SECOND)
    assert make_up_of(run.plan, run.scenarios, None, 0) is None


def test_no_host_takes_a_count_of_instructions() -> None:
    load = {"type": "microbenchmark", "about": "10s", "instrument": "callgrind"}
    counted = loops_scenario(load=load)
    run = run_of("first", "second")
    assert make_up_of(run.plan, dict.fromkeys(run.scenarios, counted), None, None) is None
