"""The plan: which trials, in which order.

Trials are ordered in blocks, each with one trial of every cell in an order of its own, drawn
from the run's seed (randomised complete blocks). What drifts over a run then falls on all
contenders alike, and what is left of it shows in the gate ``order-bias``.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from wirelab.model.contender import Contender
from wirelab.model.measure import Measure
from wirelab.model.parts import Variant
from wirelab.model.run import PlannedLoops, PlannedTrial
from wirelab.model.scenario import Scenario
from wirelab.model.suite import Suite
from wirelab.model.units import Scalar, Text
from wirelab.plan import counting
from wirelab.plan.probes import first_probe
from wirelab.plan.steps import planned_steps

_PLAIN = Variant(title=Text(en=""))

_SHARE_OF_THE_MOST = 10
"""A closed loop's period is the most that an operation may take: a tenth is what it does take."""


@dataclass(frozen=True)
class PlanChoice:
    """What the user asked for."""

    profile: str
    seed: int
    settings: Mapping[str, Scalar]
    generators: Sequence[str] = ()
    trials: int | None = None
    barred: Mapping[str, Collection[str]] = field(default_factory=dict)
    """By contender: scenarios it has no part in on this machine."""

    def measure(self, scenario: Scenario) -> Measure:
        """How much of a scenario is measured; ``trials`` are counted ones, of a load."""
        measure = scenario.profiles[self.profile]
        if self.trials is None or scenario.observes_faults:
            return measure
        return measure.model_copy(update={"trials": self.trials + measure.discard})

    def as_asked(self, scenario: Scenario) -> Scenario:
        """The scenario with its profile as it is carried out."""
        profiles = {**scenario.profiles, self.profile: self.measure(scenario)}
        return scenario.model_copy(update={"profiles": profiles})


def plan(
    suite: Suite, scenarios: Sequence[str], contenders: Sequence[Contender], choice: PlanChoice
) -> list[PlannedTrial]:
    """All trials in their order; scenarios follow each other, blocks interleave contenders.

    Of a search for a capacity there is the first probe: the others depend on its outcome.
    """
    trials: list[PlannedTrial] = []
    for name in scenarios:
        scenario = suite.scenarios[name]
        measure = choice.measure(scenario)
        cells = list(_cells(suite, name, contenders, choice))
        for block in range(measure.trials):
            order = cells.copy()
            random.Random(f"{choice.seed}:{name}:{block}").shuffle(order)
            for cell in order:
                trial = cell.trial(
                    choice,
                    position=len(trials),
                    block=block,
                    counted=block >= measure.discard,
                )
                if scenario.capacity is not None:
                    trial = first_probe(trial, scenario, measure, search=block)
                trials.append(trial)
    return trials


def _cells(
    suite: Suite, name: str, contenders: Sequence[Contender], choice: PlanChoice
) -> Iterator[_Cell]:
    """Everything of a scenario that gets trials of its own."""
    scenario = suite.scenarios[name]
    measure = choice.measure(scenario)
    everyones = {name for contender in contenders for name in contender.own_parameters}
    others = [n for n in choice.generators if name in suite.generators[n].scenarios]
    for variant in scenario.variants or {"": _PLAIN}:
        for contender in contenders:
            if name in choice.barred.get(contender.contender, ()):
                continue
            if takes_part(contender, name, scenario, variant):
                # A setting of one contender's own is none of the others'.
                foreign = everyones - contender.own_parameters
                settings = {n: v for n, v in choice.settings.items() if n not in foreign}
                at = (suite, name, scenario, variant, contender, measure, settings)
                for generator in ("", *others):
                    yield from (
                        _Cell(*at, generator, share)
                        for share in counting.shares(scenario, measure, contender)
                    )


def takes_part(contender: Contender, name: str, scenario: Scenario, variant: str) -> bool:
    """Whether a contender has trials of a variant of the scenario ``name``.

    A ceiling is found with reference contenders alone; a scenario with a role that a contender
    has nobody for is none of its own; a fault of a role that it does not use cannot happen to it,
    nor one of something that it cannot do.
    """
    if contender.scenarios and name not in contender.scenarios:
        return False
    if scenario.reference_only and not contender.reference:
        return False
    if scenario.counts_instructions and counting.refusal(contender) is not None:
        return False
    roles = scenario.roles_for(contender.uses)
    filled = {*contender.roles, *contender.fills}
    if any(role.by == "contender" and n not in filled for n, role in roles.items()):
        return False
    its = scenario.variants.get(variant, _PLAIN)
    able = all(need in contender.capabilities for need in (*scenario.needs, *its.needs))
    return able and all(fault.role in roles for fault in its.faults)


def rerun(
    cells: Iterable[PlannedTrial], position: int, block: int, seed: int
) -> list[PlannedTrial]:
    """One more trial of each unstable cell (given by any trial of it), in one more block."""
    order = list(cells)
    random.Random(f"{seed}:rerun:{block}").shuffle(order)
    return [
        trial.model_copy(
            update={
                "id": _trial_id(
                    position + number,
                    *(trial.scenario, trial.variant, trial.contender, trial.generator),
                ),
                "position": position + number,
                "block": block,
                "counted": True,
                "rerun": True,
                "seed": trial_seed(seed, position + number),
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
    settings: Mapping[str, Scalar]
    generator: str
    share: counting.Share | None = None
    """Of a scenario whose instructions are counted: what this process does of it."""

    def trial(
        self, choice: PlanChoice, *, position: int, block: int, counted: bool
    ) -> PlannedTrial:
        variant = self.scenario.variants.get(self.variant, _PLAIN)
        parameters = {
            **self.scenario.parameters,
            **self.measure.parameters,
            **variant.parameters,
            **self.contender.tuning,
            **self.settings,
        }
        count = variant.count or self.measure.count
        steps = planned_steps(self.scenario, self.measure, count, parameters)
        planned = PlannedTrial(
            id=_trial_id(
                position, self.name, self.variant, self.contender.contender, self.generator
            ),
            position=position,
            block=block,
            suite=self.suite.suite,
            scenario=self.name,
            variant=self.variant,
            contender=self.contender.contender,
            counted=counted,
            seed=trial_seed(choice.seed, position),
            parameters=parameters,
            period_ns=self.scenario.period,
            count=steps[-1].first + steps[-1].count if steps else count,
            warmup=steps[0].settle if steps else 0 if variant.count else self.measure.warmup,
            operations=variant.operations or list(self.scenario.operations),
            faults=variant.faults,
            steps=steps,
            cycle=self.scenario.cycle,
            loops=planned_loops(self.measure),
            generator=self.generator,
            closed=self.scenario.is_closed,
        )
        return planned if self.share is None else self.share.of(planned)


def planned_loops(measure: Measure) -> PlannedLoops | None:
    """The loops of a profile, with times in ns."""
    if (loops := measure.loops) is None:
        return None
    return PlannedLoops(
        rounds=loops.rounds,
        batch_ns=loops.batch,
        count=loops.count,
        warmup_ns=loops.warmup,
        agree=loops.agree,
    )


def _trial_id(position: int, *parts: str) -> str:
    return "-".join([f"{position:04d}", *(part for part in parts if part)])


def trial_seed(seed: int, position: int) -> int:
    """The seed of the trial at a place of a run."""
    return random.Random(f"{seed}:trial:{position}").getrandbits(31)


def expected_seconds(trials: Iterable[PlannedTrial]) -> float:
    """Scheduled time of the trials, without starting and stopping, in seconds.

    A closed loop has no schedule: a tenth of what it may take at the most is a guess.
    A trial of batches takes as long as its code does: its batches and half of what it may warm
    up for are a guess, the period of its scenario is one for loops of a fixed number of rounds.
    """
    return sum(_expected_ns(trial) for trial in trials) / 1e9


def _expected_ns(trial: PlannedTrial) -> int:
    if trial.closed:
        return trial.count * trial.period_ns // _SHARE_OF_THE_MOST
    if (loops := trial.loops) is None or loops.rounds or not loops.count:
        return trial.count * trial.period_ns
    each = loops.count * loops.batch_ns + loops.warmup_ns // 2
    return len(trial.steps) * len(trial.operations) * each
