"""Settings of a language's runtime that decide figures: said once, beside its SDK."""

from __future__ import annotations

from pydantic import Field

from wirelab.model.builds import Passed, Variable
from wirelab.model.parameters import Parameter
from wirelab.model.units import Scalar, Strict, Term


class RuntimeSetting(Parameter):
    """A parameter of every contender on a runtime, and how the runtime is told of it."""

    default: Scalar
    variable: Variable = Field(
        default="", description="the environment variable that decides it before a program runs"
    )
    values: dict[str, Passed] = Field(
        default={}, description="by value of the parameter: that of the variable"
    )

    @property
    def parameter(self) -> Parameter:
        """The parameter that a contender's manifest would declare."""
        choices = list(self.values)
        named = {name: getattr(self, name) for name in Parameter.model_fields}
        return Parameter.model_validate(named | {"choices": choices})


class Runtime(Strict):
    """The settings of a runtime, and what its processes are told besides."""

    environment: dict[Variable, Passed] = {}
    settings: dict[Term, RuntimeSetting]
