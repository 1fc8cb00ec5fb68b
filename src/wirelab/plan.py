"""The plan: which trials, in which order.

Trials are ordered in blocks, each with one trial of every cell in an order of its own, drawn
from the run's seed (randomised complete blocks). What drifts over a run then falls on all
contenders alike, and what is left of it shows in the gate ``order-bias``.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from wirelab.model.contender import Contender
from wirelab.model.run import PlannedTrial
from wirelab.model.suite import Measure, Scenario, Suite, Variant
from wirelab.model.units import Scalar, Text

_PLAIN = Variant(title=Text(en=""))


@dataclass(frozen=True)
class Choice:
    """What the user asked for."""

    profile: str
    seed: int
    settings: Mapping[str, Scalar]


def plan(
    suite: Suite, scenarios: Sequence[str], contenders: Sequence[Contender], choice: Choice
) -> list[PlannedTrial]:
    """All trials in their order; scenarios follow each other, blocks interleave contenders."""
    trials: list[PlannedTrial] = []
    for name in scenarios:
        scenario = suite.scenarios[name]
        measure = scenario.profiles[choice.profile]
        cells = [
            (variant, contender)
            for variant in (scenario.variants or {"": _PLAIN})
            for contender in contenders
            if not contender.scenarios or name in contender.scenarios
        ]
        for block in range(measure.trials):
            order = cells.copy()
            random.Random(f"{choice.seed}:{name}:{block}").shuffle(order)
            for variant, contender in order:
                cell = _Cell(suite, name, scenario, variant, contender, measure)
                trials.append(
                    cell.trial(
                        choice,
                        position=len(trials),
                        block=block,
                        counted=block >= measure.discard,
                    )
                )
    return trials


def rerun(
    cells: Iterable[PlannedTrial], position: int, block: int, seed: int
) -> list[PlannedTrial]:
    """One more trial of each unstable cell (given by any trial of it), in one more block."""
    order = list(cells)
    random.Random(f"{seed}:rerun:{block}").shuffle(order)
    return [
        trial.model_copy(
            update={
                "id": _trial_id(position + number, trial.scenario, trial.variant, trial.contender),
                "position": position + number,
                "block": block,
                "counted": True,
                "rerun": True,
                "seed": _trial_seed(seed, position + number),
            }
        )
        for number, trial in enumerate(order)
    ]


@dataclass(frozen=True)
class _Cell:
    suite: Suite
    name: str
    scenario: Scenario
    variant: str
    contender: Contender
    measure: Measure

    def trial(self, choice: Choice, *, position: int, block: int, counted: bool) -> PlannedTrial:
        variant = self.scenario.variants.get(self.variant, _PLAIN)
        return PlannedTrial(
            id=_trial_id(position, self.name, self.variant, self.contender.contender),
            position=position,
            block=block,
            suite=self.suite.suite,
            scenario=self.name,
            variant=self.variant,
            contender=self.contender.contender,
            counted=counted,
            seed=_trial_seed(choice.seed, position),
            parameters={
                **self.scenario.parameters,
                **variant.parameters,
                **self.contender.tuning,
                **choice.settings,
            },
            period_ns=self.scenario.period,
            count=variant.count or self.measure.count,
            warmup=0 if variant.count else self.measure.warmup,
            operations=variant.operations or list(self.scenario.operations),
            faults=variant.faults,
        )


def _trial_id(position: int, scenario: str, variant: str, contender: str) -> str:
    return "-".join(part for part in (f"{position:04d}", scenario, variant, contender) if part)


def _trial_seed(seed: int, position: int) -> int:
    return random.Random(f"{seed}:trial:{position}").getrandbits(31)


def expected_seconds(trials: Iterable[PlannedTrial]) -> float:
    """Scheduled time of the trials, without starting and stopping, in seconds."""
    return sum(trial.count * trial.period_ns for trial in trials) / 1e9
