"""The blame for a failed trial: one rule for a search, a resumed run and an exit code."""

from __future__ import annotations

from wirelab.model.scenario import Scenario
from wirelab.model.trial import OF_THE_HOST, TrialRecord, TrialStatus


def failed_by_others(record: TrialRecord, scenario: Scenario) -> bool:
    """Whether the host or the harness made a trial fail, and not its contender.

    A neutral role that fails before any role of the contender was started cannot have been
    brought down by it. Later it can, and that must not be tried until it goes well.
    """
    if record.status is not TrialStatus.FAILED:
        return False
    if record.reason in OF_THE_HOST:
        return True
    judged = {name for name, role in scenario.roles.items() if role.is_contenders}
    neutral = scenario.roles.keys() - judged
    return record.role in neutral and not any(record.processes_of(name) for name in judged)
