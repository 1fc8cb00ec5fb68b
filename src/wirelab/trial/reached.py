"""Proof that requests reached a server of the user's own: its counters beside what succeeded."""

from __future__ import annotations

from collections.abc import Mapping

from wirelab.model.run import RoleRecord
from wirelab.trial.failure import TrialError
from wirelab.trial.spec import OwnTarget


def check(targets: Mapping[str, OwnTarget], records: Mapping[str, RoleRecord], good: int) -> None:
    """Raise where a server that counts requests has counted fewer than succeeded.

    ``targets``: the servers, by the role that stands for each; ``good``: operations that succeeded.
    """
    for role, target in targets.items():
        counted = records[role].counted
        if counted is not None and counted.requests < good:
            raise TrialError(
                "not-reached",
                f"{good} operations succeeded, but the server at {target.address} counted "
                f"{counted.requests} requests ({counted.counter}): it is not the one that was "
                "measured, or its counters began anew",
                role,
            )
