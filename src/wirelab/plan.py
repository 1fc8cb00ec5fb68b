"""The plan: which trials, in which order.

Trials are ordered in blocks, each with one trial of every cell in an order of its own, drawn
from the run's seed (randomised complete blocks). What drifts over a run then falls on all
contenders alike, and what is left of it shows in the gate ``order-bias``.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from wirelab.model.contender import Contender
from wirelab.model.run import PlannedLoops, PlannedStep, PlannedTrial
from wirelab.model.suite import Measure, Scenario, Suite, Variant
from wirelab.model.units import Scalar, Text

_PLAIN = Variant(title=Text(en=""))


@dataclass(frozen=True)
class Choice:
    """What the user asked for."""

    profile: str
    seed: int
    settings: Mapping[str, Scalar]
    generators: Sequence[str] = ()
    trials: int | None = None

    def measure(self, scenario: Scenario) -> Measure:
        """How much of a scenario is measured; ``trials`` are counted ones, of a load."""
        measure = scenario.profiles[self.profile]
        if self.trials is None or scenario.kind == "faults":
            return measure
        return measure.model_copy(update={"trials": self.trials + measure.discard})


class SizeError(ValueError):
    """A parameter that says how many users there are says something else."""


def plan(
    suite: Suite, scenarios: Sequence[str], contenders: Sequence[Contender], choice: Choice
) -> list[PlannedTrial]:
    """All trials in their order; scenarios follow each other, blocks interleave contenders."""
    trials: list[PlannedTrial] = []
    for name in scenarios:
        scenario = suite.scenarios[name]
        measure = choice.measure(scenario)
        cells = list(_cells(suite, name, contenders, choice))
        for block in range(measure.trials):
            order = cells.copy()
            random.Random(f"{choice.seed}:{name}:{block}").shuffle(order)
            for cell in order:
                trials.append(
                    cell.trial(
                        choice,
                        position=len(trials),
                        block=block,
                        counted=block >= measure.discard,
                    )
                )
    return trials


def _cells(
    suite: Suite, name: str, contenders: Sequence[Contender], choice: Choice
) -> Iterator[_Cell]:
    """Everything of a scenario that gets trials of its own."""
    scenario = suite.scenarios[name]
    measure = choice.measure(scenario)
    others = [n for n in choice.generators if name in suite.generators[n].scenarios]
    for variant in scenario.variants or {"": _PLAIN}:
        for contender in contenders:
            if takes_part(contender, name, scenario, variant):
                for generator in ("", *others):
                    yield _Cell(suite, name, scenario, variant, contender, measure, generator)


def takes_part(contender: Contender, name: str, scenario: Scenario, variant: str) -> bool:
    """Whether a contender has trials of a variant of the scenario ``name``.

    A ceiling is found with reference contenders alone; a fault of a role that a contender does
    not use cannot happen to it.
    """
    if contender.scenarios and name not in contender.scenarios:
        return False
    if scenario.kind == "ceiling" and not contender.reference:
        return False
    roles = scenario.roles_for(contender.uses)
    faults = scenario.variants[variant].faults if variant else []
    return all(fault.role in roles for fault in faults)


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
    generator: str

    def trial(self, choice: Choice, *, position: int, block: int, counted: bool) -> PlannedTrial:
        variant = self.scenario.variants.get(self.variant, _PLAIN)
        parameters = {
            **self.scenario.parameters,
            **self.measure.parameters,
            **variant.parameters,
            **self.contender.tuning,
            **choice.settings,
        }
        count = variant.count or self.measure.count
        if self.scenario.kind == "batches":
            steps = loop_steps(self.scenario, self.measure)
        else:
            steps = planned_steps(self.scenario, self.measure, count, parameters)
        return PlannedTrial(
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
            seed=_trial_seed(choice.seed, position),
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
        )


def loop_steps(scenario: Scenario, measure: Measure) -> list[PlannedStep]:
    """The steps of a trial of batches: all within its only tick, as ticks mean nothing there."""
    return [
        PlannedStep(name=name, first=0, count=1, settle=0, users=1, lanes=1, join_ns=0)
        for name in measure.steps or scenario.steps
    ]


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


def planned_steps(
    scenario: Scenario, measure: Measure, count: int, parameters: Mapping[str, Scalar]
) -> list[PlannedStep]:
    """The steps a profile carries out, ``count`` ticks shared evenly; none without steps.

    Raises SizeError for a parameter that is no size.
    """
    names = measure.steps or list(scenario.steps)
    planned = []
    for number, name in enumerate(names):
        step, ticks = scenario.steps[name], count // len(names)
        settle = measure.settle if step.settle is None else step.settle
        users = _size(step.users, parameters)
        lanes = users if step.lanes is None else _size(step.lanes, parameters)
        settling_ns = settle * scenario.period
        join_ns = settling_ns // 2 if step.join is None else step.join
        if settling_ns:
            join_ns = min(join_ns, settling_ns)
        if lanes > users:
            raise SizeError(f"step {name}: {lanes} lanes, but only {users} users")
        planned.append(
            PlannedStep(
                name=name,
                first=number * ticks,
                count=ticks,
                settle=settle,
                users=users,
                lanes=lanes,
                join_ns=join_ns,
            )
        )
    return planned


def _size(said: int | str, parameters: Mapping[str, Scalar]) -> int:
    value = parameters.get(said) if isinstance(said, str) else said
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise SizeError(f"{said} = {value}: expected a whole number above 0")
    return value


def _trial_id(position: int, *parts: str) -> str:
    return "-".join([f"{position:04d}", *(part for part in parts if part)])


def _trial_seed(seed: int, position: int) -> int:
    return random.Random(f"{seed}:trial:{position}").getrandbits(31)


def expected_seconds(trials: Iterable[PlannedTrial]) -> float:
    """Scheduled time of the trials, without starting and stopping, in seconds.

    A trial of batches takes as long as its code does: its batches and half of what it may warm
    up for are a guess, the period of its scenario is one for loops of a fixed number of rounds.
    """
    return sum(_expected_ns(trial) for trial in trials) / 1e9


def _expected_ns(trial: PlannedTrial) -> int:
    if (loops := trial.loops) is None or loops.rounds or not loops.count:
        return trial.count * trial.period_ns
    each = loops.count * loops.batch_ns + loops.warmup_ns // 2
    return len(trial.steps) * len(trial.operations) * each
