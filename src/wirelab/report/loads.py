"""The load of a scenario: how often operations are due, and what the profile of the run asks."""

from __future__ import annotations

from wirelab.model.measure import Measure
from wirelab.model.parts import Step
from wirelab.model.scenario import Scenario
from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context


def period_seconds(scenario: Scenario, operation: str) -> float:
    """Time between two calls of an operation."""
    return scenario.period * scenario.operations[operation].every / 1e9


def target_rate(scenario: Scenario, operation: str) -> float:
    """Items a second that the schedule asks for."""
    return scenario.operations[operation].items / period_seconds(scenario, operation)


def measure_of(context: Context, scenario: Scenario) -> Measure | None:
    """Amount of it that the profile of this run measures; None where the profile leaves the
    scenario out.
    """
    return scenario.profiles.get(context.result.profile)


def users_of(table: CellTable) -> int:
    """Connections at the step of a table; 0 where the manifest does not say."""
    step = table.all_steps.get(table.step)
    return _size(table, step.users if step else 0)


def active_of(table: CellTable) -> float:
    """Users who send at the step of a table, in the middle of one of a ramp; 0 where the manifest
    does not say.
    """
    step = table.all_steps.get(table.step)
    if step is None:
        return 0
    if not step.ramp:
        return _sending(table, step)
    steps = list(table.all_steps.values())
    before = steps[: steps.index(step)][-1:]
    return sum(_sending(table, one) for one in (*before, step)) / 2


def _sending(table: CellTable, step: Step) -> int:
    return _size(table, step.users if step.lanes is None else step.lanes)


def _size(table: CellTable, said: int | str) -> int:
    """A size, or that of the parameter which holds it."""
    if isinstance(said, str):
        return next((int(cell.parameters[said]) for cell in table.cells), 0)
    return said
