"""Files of a run before anything is computed: plan, disclosure, trial records.

results/<run>/
    run.json                    Run: what was asked, where, with what; the plan in order
    run.lock                    who carries the run out, see ``wirelab.samples.run_lock``
    trials/<trial>/trial.json   what happened, written last: see ``wirelab.model.trial``
    trials/<trial>/<role>.parquet          samples: intended_ns, start_ns, end_ns u64,
                                           size u32, op u8, status u8, lane u16
    trials/<trial>/monitor.parquet         see ``wirelab.monitor.recorded``
    trials/<trial>/host.parquet            likewise; not in runs of earlier versions
    trials/<trial>/kinds.parquet           see ``wirelab.samples.kinds``, where there are kinds
    trials/<trial>/witness.*.parquet       see ``wirelab.witness.rows``, where it is asked
    trials/<trial>/<role>.events.jsonl     every event, with the time it was received
    trials/<trial>/<role>.stderr, <role>.spec.json, <role>.answers.jsonl
"""

from __future__ import annotations

from pydantic import Field, model_validator

from wirelab.model.disclosure import Disclosure
from wirelab.model.make_up import MakeUp
from wirelab.model.metrics import MetricKey, OwnMetric
from wirelab.model.participant import Participant
from wirelab.model.parts import Mode
from wirelab.model.planned import PlannedTrial
from wirelab.model.scenario import Scenario
from wirelab.model.schema_version import SCHEMA_VERSION
from wirelab.model.suite import Generator
from wirelab.model.units import FileName, Name, Scalar, Strict, Text
from wirelab.model.until import Until


class Run(Strict):
    """``run.json``."""

    schema_version: int = SCHEMA_VERSION
    id: FileName
    suite: Name
    suite_title: Text
    profile: Name
    metrics: dict[MetricKey, OwnMetric] | None = Field(
        default=None, description="the suite's own; none: stored before suites declared them"
    )
    modes: dict[Name, Mode] = Field(
        default={}, description="the suite's own; none: stored before suites declared them"
    )
    scenarios: dict[Name, Scenario]
    services: dict[str, dict[str, str]] = Field(description="neutral services: name, version …")
    settings: dict[str, Scalar] = Field(default={}, description="parameters that the user has set")
    trials: int | None = Field(
        default=None, description="included trials that were asked for; none: as the profile says"
    )
    until: Until | None = Field(
        default=None, description="blocks are added by this rule; none: as many as the profile says"
    )
    make_up: MakeUp | None = Field(
        default=None, description="for trials lost to the host; none: nothing makes up for them"
    )
    generators: dict[Name, Generator] = Field(
        default={}, description="those beside wirelab's own that were asked for"
    )
    participants: dict[Name, Participant]
    code: dict[str, str] = Field(
        default={},
        description="hashes of the code that trials run and are verified by, by what it is; none: "
        "stored before they were written down",
    )
    elsewhere: dict[Name, str] = Field(
        default={}, description="folders of contenders outside of the tree, by name"
    )
    suite_folder: str = Field(
        default="", description="folder of a suite outside of the tree; empty: below suites/"
    )
    plan: list[PlannedTrial]
    disclosure: Disclosure

    @model_validator(mode="after")
    def _of_what_it_has(self) -> Run:
        """Trials are told apart by their ids, and are of what the run has."""
        seen: set[str] = set()
        for trial in self.plan:
            if trial.id in seen:
                raise ValueError(f"two trials of the plan are called {trial.id}")
            if trial.repeats and trial.repeats not in seen:
                raise ValueError(f"{trial.id} repeats {trial.repeats}, which is not before it")
            seen.add(trial.id)
            scenario = self.scenarios.get(trial.scenario)
            if scenario is None or trial.contender not in self.participants:
                of = f"{trial.scenario} and {trial.contender}"
                raise ValueError(f"{trial.id} is of {of}, which the run has not")
            if trial.variant not in {*scenario.variants, ""}:
                raise ValueError(f"{trial.id}: {trial.scenario} has no variant {trial.variant}")
            if unknown := set(trial.operations) - scenario.operations.keys():
                named = ", ".join(sorted(unknown))
                raise ValueError(f"{trial.id}: {trial.scenario} has no operation {named}")
            if self.profile not in scenario.profiles:
                raise ValueError(f"{trial.id}: {trial.scenario} has no profile {self.profile}")
        return self
