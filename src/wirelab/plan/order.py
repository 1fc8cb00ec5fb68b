"""The plan: which trials, in which order.

Trials are ordered in blocks, each with one trial of every cell in an order of its own, drawn
from the run's seed (randomised complete blocks). What drifts over a run then falls on all
contenders alike, and what is left of it shows in the gate ``order-bias``.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from wirelab.model.contender import Contender
from wirelab.model.measure import Measure
from wirelab.model.planned import PlannedTrial
from wirelab.model.scenario import Scenario
from wirelab.model.suite import Suite
from wirelab.model.units import Scalar
from wirelab.plan import counting
from wirelab.plan.load import planned_load
from wirelab.plan.parameters import parameters_of
from wirelab.plan.probes import first_probe
from wirelab.plan.selection import Selection

_NONE_BARRED: Mapping[str, Collection[str]] = {}
_NO_VARIANTS: Mapping[str, Mapping[str, Collection[str]]] = {}


def plan(
    suite: Suite,
    contenders: Sequence[Contender],
    selection: Selection,
    barred: Mapping[str, Collection[str]] = _NONE_BARRED,
    barred_variants: Mapping[str, Mapping[str, Collection[str]]] = _NO_VARIANTS,
) -> list[PlannedTrial]:
    """All trials in their order; scenarios follow each other, blocks interleave contenders.

    ``barred`` has by contender the scenarios in which it has no part on this machine,
    ``barred_variants`` the variants by scenario. Of a search for a capacity there is the first
    probe: the others depend on its outcome.
    """
    trials: list[PlannedTrial] = []
    for name in selection.scenarios:
        scenario = suite.scenarios[name]
        measure = selection.measure(name, scenario)
        takers = [one for one in contenders if name not in barred.get(one.contender, ())]
        own = {name for contender in contenders for name in contender.own_parameters}
        without = {one: its.get(name, ()) for one, its in barred_variants.items()}
        cells = [
            cell
            for cell in _cells(suite, name, takers, own, selection)
            if cell.variant not in without.get(cell.contender.contender, ())
        ]
        for block in range(measure.trials):
            order = cells.copy()
            random.Random(f"{selection.seed}:{name}:{block}").shuffle(order)
            for cell in order:
                trial = cell.trial(
                    selection.seed,
                    position=len(trials),
                    block=block,
                    included=block >= measure.discard,
                )
                if scenario.capacity is not None:
                    trial = first_probe(trial, scenario, measure, search=block)
                trials.append(trial)
    return trials


def _cells(
    suite: Suite,
    name: str,
    contenders: Sequence[Contender],
    own: Collection[str],
    selection: Selection,
) -> Iterator[_Cell]:
    """Everything of a scenario that gets trials of its own.

    A setting of a parameter that one contender alone has (``own``) is none of the others'.
    """
    scenario = suite.scenarios[name]
    measure = selection.measure(name, scenario)
    others = [n for n in selection.generators if name in suite.generators[n].scenarios]
    for variant in measure.variants or scenario.variants or [""]:
        for contender in contenders:
            if takes_part(contender, name, scenario, variant):
                foreign = set(own) - contender.own_parameters
                settings = {n: v for n, v in selection.settings.items() if n not in foreign}
                at = (suite, name, scenario, variant, contender, measure, settings)
                for generator in ("", *others):
                    yield from (
                        _Cell(*at, generator, share)
                        for share in counting.shares(scenario, measure, contender)
                    )


def has_part(contender: Contender, name: str, scenario: Scenario) -> bool:
    """Whether a contender has trials of the scenario ``name``, in any variant."""
    return any(takes_part(contender, name, scenario, v) for v in scenario.variants or [""])


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
    roles = contender.cast(scenario.roles)
    if any(role.is_contenders and n not in contender.roles for n, role in roles.items()):
        return False
    its = scenario.variant(variant)
    able = all(need in contender.capabilities for need in (*scenario.needs, *its.needs))
    return able and all(fault.role in roles for fault in its.faults)


def rerun(
    cells: Iterable[PlannedTrial], run: Sequence[PlannedTrial], seed: int
) -> list[PlannedTrial]:
    """One more trial of each unstable cell (given by any trial of it), in one more block."""
    order = list(cells)
    block, position = _next_block(run), run[-1].position + 1
    random.Random(f"{seed}:rerun:{block}").shuffle(order)
    return _once_more(order, position, seed, block=block, rerun=True)


def further_block(
    scenario: str, run: Sequence[PlannedTrial], position: int, seed: int
) -> list[PlannedTrial]:
    """One more block of a scenario that is in the plan of a run, in an order of its own."""
    own = [trial for trial in run if trial.scenario == scenario]
    order = [trial for trial in own if trial.block == own[0].block]
    block = _next_block(own)
    random.Random(f"{seed}:{scenario}:{block}").shuffle(order)
    return _once_more(order, position, seed, block=block, rerun=False)


def make_up_block(
    trials: Iterable[PlannedTrial], lost: Collection[str], run: Sequence[PlannedTrial], seed: int
) -> list[PlannedTrial]:
    """These trials of a scenario once more, in a block of their own; the ``lost`` ones are
    repeated, the others are beside them."""
    order = list(trials)
    block = _next_block(trial for trial in run if trial.scenario == order[0].scenario)
    position = run[-1].position + 1
    random.Random(f"{seed}:make-up:{position}").shuffle(order)
    return [
        again.model_copy(update={"make_up": True, "repeats": trial.id if trial.id in lost else ""})
        for again, trial in zip(
            _once_more(order, position, seed, block=block, rerun=False), order, strict=True
        )
    ]


def included_blocks(run: Iterable[PlannedTrial]) -> dict[str, int]:
    """By scenario: the blocks of a run's plan that count, as it was asked for."""
    blocks = {(t.scenario, t.block) for t in run if t.included and not t.rerun and not t.make_up}
    return dict(Counter(scenario for scenario, _ in blocks))


def _next_block(trials: Iterable[PlannedTrial]) -> int:
    """A number that no block of these trials has: who shares one has met the same hour."""
    return max(trial.block for trial in trials) + 1


def _once_more(
    trials: Iterable[PlannedTrial], position: int, seed: int, *, block: int, rerun: bool
) -> list[PlannedTrial]:
    return [
        trial.model_copy(
            update={
                "id": _trial_id(
                    position + number,
                    *(trial.scenario, trial.variant, trial.contender, trial.generator),
                ),
                "position": position + number,
                "block": block,
                "included": True,
                "rerun": rerun,
                "make_up": False,
                "repeats": "",
                "seed": trial_seed(seed, position + number),
            }
        )
        for number, trial in enumerate(trials)
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
    share: counting.CallgrindProcess | None = None
    """Part of this process in a scenario whose instructions are counted."""

    def trial(self, seed: int, *, position: int, block: int, included: bool) -> PlannedTrial:
        variant = self.scenario.variant(self.variant)
        parameters = parameters_of(
            self.scenario, self.variant, self.contender, self.settings, self.measure.parameters
        )
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
            included=included,
            seed=trial_seed(seed, position),
            parameters=parameters,
            load=planned_load(self.scenario, self.measure, parameters, variant.count),
            operations=variant.operations or list(self.scenario.operations),
            faults=variant.faults,
            generator=self.generator,
        )
        return planned if self.share is None else self.share.of(planned)


def _trial_id(position: int, *parts: str) -> str:
    return "-".join([f"{position:04d}", *(part for part in parts if part)])


def trial_seed(seed: int, position: int) -> int:
    """The seed of the trial at a place of a run."""
    return random.Random(f"{seed}:trial:{position}").getrandbits(31)
