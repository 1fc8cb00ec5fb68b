"""The setup of trials: everything that those of one contender in one scenario share."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from wirelab.cgroups.group import RoleBounds
from wirelab.cgroups.grouping import Grouping
from wirelab.cgroups.trial_groups import TrialGroups
from wirelab.model.scenario import Scenario
from wirelab.model.wire import Spoken
from wirelab.sandbox.view import View
from wirelab.trial.launch import Launch
from wirelab.trial.observed import Observation
from wirelab.trial.rules import Rules
from wirelab.trial.sandboxes import Sandboxes
from wirelab.trial.spec import OwnTarget

_SECRET_BYTES = 32


@dataclass(frozen=True)
class TrialSetup:
    """Settings that the trials of one contender in one scenario share."""

    run: str
    scenario: Scenario
    launches: dict[str, Launch]
    rules: Rules
    inputs: tuple[dict[str, Any], ...] = ()
    """Answers that contenders gave in another scenario of the run."""
    targets: Mapping[str, OwnTarget] = field(default_factory=dict)
    """Servers of the user's own, by the role that stands for each."""
    view: View | None = None
    """The part of this machine that every role sees; None: roles are in no sandbox."""
    grouping: Grouping | None = None
    """Control groups that roles are put into; None: into none."""

    observation: Observation | None = None
    """The witness of the wire; None: nothing is looked for there."""
    spoken: Spoken | None = None
    """The protocol by which keys are read; None: none are, or it cannot be followed."""

    def sandboxes(self) -> Sandboxes | None:
        """New ones for a trial, where its roles are to be in some."""
        if self.view is None:
            return None
        return Sandboxes(self.view, "host" if self.targets else "own")

    def secret(self) -> bytes:
        """Random bytes for a trial, where any of its roles is to have some: not of its seed."""
        keyed = any(launch.keyed for launch in self.launches.values())
        return secrets.token_bytes(_SECRET_BYTES) if keyed else b""

    def groups(self, variant: str) -> TrialGroups | None:
        """New ones for a trial of a variant, where its roles are to be in some."""
        if self.grouping is None:
            return None
        limits = {
            role: RoleBounds(memory_bytes=own.memory, processor=own.processor)
            for role, own in self.scenario.variant(variant).limits.items()
        }
        return self.grouping.of_trial(self.run, limits)
