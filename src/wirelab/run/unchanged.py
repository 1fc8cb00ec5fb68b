"""Parts of a run that have to be as they were when it began: or it is not gone on with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wirelab.model.participant import Participant
from wirelab.model.run import Run
from wirelab.model.scenario import Scenario
from wirelab.model.suite import Suite
from wirelab.run.cannot import CannotRunError

_OF_THE_RUN = frozenset(
    {
        *("title", "unverified", "profiles", "shortest", "bounds", "rankings", "ranked_within"),
        *("drift_target", "ceiling", "trends"),
    }
)
"""Keys of a scenario that a run keeps itself, or that change none of its trials."""

_NO_TITLES = {"__all__": {"title"}}


def refuse_changed(
    run: Run, suite: Suite, participants: Mapping[str, Participant], code: Mapping[str, str]
) -> None:
    """CannotRunError where further trials of a run would be unlike its earlier ones.

    ``participants`` and ``code`` are those of today: a contender whose folder is another one, or
    that cannot run any more, a scenario that its suite asks otherwise, and a service, library, SDK,
    tool or rule that is not what it was.
    """
    for name, scenario in run.scenarios.items():
        if name not in suite.scenarios or _work(suite.scenarios[name]) != _work(scenario):
            raise _changed(f"scenario {name} of {run.suite}")
    for name, before in run.participants.items():
        now = participants.get(name)
        if before.unavailable or now is None:
            continue
        if now.unavailable:
            remedy = f"; to mend it: {now.remedy}" if now.remedy else ""
            raise CannotRunError(
                f"{name} is in this run and cannot run here now: {now.unavailable}{remedy}"
            )
        if now.folder_hash != before.folder_hash:
            raise _changed(name)
    for title, was in run.code.items():
        if title in code and code[title] != was:
            raise _changed(f"{title}, or a library, an SDK or a tool of it,")


def _work(scenario: Scenario) -> dict[str, Any]:
    """The part of a scenario that decides what its trials do."""
    titles = {"variants": _NO_TITLES, "steps": _NO_TITLES}
    return scenario.model_dump(mode="json", exclude={**dict.fromkeys(_OF_THE_RUN, True), **titles})


def _changed(what: str) -> CannotRunError:
    return CannotRunError(
        f"{what} has changed since this run began, so that its further trials could not be "
        "compared with the earlier ones: begin a new run"
    )
