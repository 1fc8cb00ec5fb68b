"""Forms that only manifests have: reading turns them into the forms of the models."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, StringConstraints

from wirelab.model.measure import Ranking
from wirelab.model.parts import Operation, Role, Step
from wirelab.model.units import Duration, Name, Scalar, Strict, Term, Text


def _written_as(form: Any) -> BeforeValidator:
    """The form in schemas of manifests; ``wirelab.manifest.written`` has read it before."""
    return BeforeValidator(lambda value: value, json_schema_input_type=form)


StepName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9{][A-Za-z0-9_{}:,-]*$")]
"""The name of a step; with values of a matrix between braces, such as ``set-{set}``."""

MatrixValue = Scalar | dict[Term, Scalar]
"""One value of the name in question, or several that go together, by their names."""

Matrix = dict[Term, list[MatrixValue]]


class StepMatrix(Strict):
    """Steps that differ in values alone: one for each combination of them.

    ``{name}`` in the step's name and title stands for a value, ``{name:,}`` for a number with
    commas between its thousands. A key or a parameter whose whole text is ``"{name}"`` is the
    value itself. The first value changes slowest.
    """

    matrix: Matrix = Field(min_length=1, description="values by name, such as { keys = [50, 200] }")
    title: Text
    users: int | str = Field(default=1, description="connections")
    lanes: int | str | None = Field(default=None, description="users who send; all when empty")
    join: Duration | str | None = None
    about: Duration | str | None = None
    settle: int | str | None = None
    count: int | str | None = None
    parameters: dict[str, Scalar] = {}


Roles = Annotated[dict[Name, Role], _written_as(dict[Name, Role] | list[Name])]
"""By name; a list: those of the suite that it names."""

Operations = Annotated[dict[Term, Operation], _written_as(dict[Term, Operation] | list[Term])]
"""By name; a list: those of the suite that it names."""

Steps = Annotated[dict[Term, Step], _written_as(dict[StepName, Step | StepMatrix] | list[Term])]
"""By name, in their order; a list: those of the suite that it names."""

SuiteSteps = Annotated[dict[Term, Step], _written_as(dict[StepName, Step | StepMatrix])]

Rankings = Annotated[list[Ranking], _written_as(list[str | Ranking])]
"""Metrics by name, with ``better`` only where the catalogue knows no better way of one."""
