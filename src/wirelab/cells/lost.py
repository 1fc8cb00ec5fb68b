"""Trials of each contender that the host took, and whether it took more of one contender's."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from wirelab.cells.recorded import RecordedTrial
from wirelab.model.make_up import LostTrials
from wirelab.model.run import Run
from wirelab.plan.make_up import may_be_lost
from wirelab.stats.taken import chances_of_so_many, takes_more


def lost_trials(run: Run, trials: Iterable[RecordedTrial]) -> list[LostTrials]:
    """By contender, in the order of the run; empty where no trial of the run was lost.

    Only trials that ended well can be lost, so that they are compared with each other alone.
    """
    able = [
        trial
        for trial in trials
        if not trial.step
        and trial.record is not None
        and trial.record.disturbed is not None
        and may_be_lost(trial.planned, run.scenarios[trial.planned.scenario])
    ]
    lost = [trial for trial in able if trial.was_lost]
    if not lost:
        return []
    blocks: defaultdict[tuple[str, ...], dict[str, bool]] = defaultdict(dict)
    for trial in able:
        at = trial.planned
        place = (at.scenario, at.variant, at.generator, str(at.block))
        blocks[place][at.contender] = trial.was_lost
    chances = chances_of_so_many(blocks.values())
    more = takes_more(chances)
    return [
        LostTrials(
            contender=name,
            trials=sum(trial.planned.contender == name for trial in able),
            lost=sum(trial.planned.contender == name for trial in lost),
            set_aside=sum(t.planned.contender == name and t.is_made_up_for for t in lost),
            chance=chances[name],
            more_often=name in more,
        )
        for name in run.participants
        if name in chances
    ]
