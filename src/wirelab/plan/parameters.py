"""The parameters of a trial: who may say one, and whose word counts."""

from __future__ import annotations

from collections.abc import Mapping

from wirelab.model.contender import Contender
from wirelab.model.scenario import Scenario
from wirelab.model.units import Scalar

_NONE: Mapping[str, Scalar] = {}


def parameters_of(
    scenario: Scenario,
    variant: str,
    contender: Contender,
    settings: Mapping[str, Scalar],
    of_profile: Mapping[str, Scalar] = _NONE,
) -> dict[str, Scalar]:
    """All parameters of a trial, each as the last says it: the scenario, the profile, the
    variant, the contender's tuning, the user's ``--set``.
    """
    return {
        **scenario.parameters,
        **of_profile,
        **scenario.variant(variant).parameters,
        **contender.tuning,
        **settings,
    }
