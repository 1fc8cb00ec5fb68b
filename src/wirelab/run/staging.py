"""Everything that trials need, made ready before the first one: builds, pins, the verifier."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from wirelab.build import Built, Unavailable, Workshop, contender_part, program_part
from wirelab.catalog import ContenderEntry, SuiteEntry
from wirelab.model.run import Participant, PlannedTrial
from wirelab.model.suite import Scenario
from wirelab.trial import pinning
from wirelab.trial.answers import load_verifier
from wirelab.trial.roles import Stage
from wirelab.trial.worker import Launch

_BY_CONTENDER = "contender"


class CannotRunError(Exception):
    """Nothing can be measured: no contender, no neutral program, or another one than began."""


class Stages:
    """The parts of a suite, built, and the stage of every trial.

    A contender that cannot be built is kept as unavailable, with the reason and the remedy.
    """

    def __init__(
        self,
        suite: SuiteEntry,
        contenders: Sequence[ContenderEntry],
        scenarios: Sequence[str],
        repository: Path,
        say: Callable[[str], None],
    ) -> None:
        self._suite = suite
        self._workshop = Workshop(repository, say)
        self._cores = pinning.usable_cores()
        self._verifier = load_verifier(suite.folder)
        self._programs = {
            name: self._program(name)
            for name in _programs_of(suite.manifest.scenarios[scenario] for scenario in scenarios)
        }
        self._built: dict[str, Built] = {}
        self.participants = {entry.name: self._participant(entry) for entry in contenders}
        self.available = [entry for entry in contenders if entry.name in self._built]

    def _program(self, name: str) -> Built:
        try:
            return self._workshop.prepare(program_part(self._suite, name))
        except Unavailable as missing:
            remedy = f"; to mend it: {missing.remedy}" if missing.remedy else ""
            raise CannotRunError(
                f"{self._suite.name}'s own {name} cannot be built: {missing.reason}{remedy}"
            ) from None

    def _participant(self, entry: ContenderEntry) -> Participant:
        try:
            built = self._workshop.prepare(contender_part(self._suite, entry))
        except Unavailable as missing:
            return Participant(
                manifest=entry.manifest,
                folder_hash="",
                unavailable=missing.reason,
                remedy=missing.remedy,
            )
        self._built[entry.name] = built
        return Participant(
            manifest=entry.manifest, folder_hash=built.folder_hash, ownership=built.ownership
        )

    def of(self, trial: PlannedTrial, run: str) -> Stage:
        """How the roles of ``trial`` are started."""
        scenario = self._suite.manifest.scenarios[trial.scenario]
        weights = {name: role.cores for name, role in scenario.roles.items()}
        cpus = pinning.assign(weights, self._cores)
        launches = {}
        for name, role in scenario.roles.items():
            built = (
                self._built[trial.contender]
                if role.by == _BY_CONTENDER
                else self._programs[role.by.partition(":")[2]]
            )
            launches[name] = Launch(name, built.command(name), built.environment, cpus[name])
        return Stage(run, scenario, launches, self._verifier)


def _programs_of(scenarios: Iterable[Scenario]) -> list[str]:
    fillers = [role.by for scenario in scenarios for role in scenario.roles.values()]
    return sorted({by.partition(":")[2] for by in fillers if by != _BY_CONTENDER})
