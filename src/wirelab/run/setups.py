"""Everything that trials need, made ready before the first one: builds, pins, the verifier."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from wirelab.build import (
    Built,
    Part,
    PartBuilds,
    Unavailable,
    contender_part,
    engine_part,
    generator_part,
    service_part,
)
from wirelab.build.interpreter import Interpreter
from wirelab.build.interpreter import at as interpreter_at
from wirelab.build.permission import Permission, if_allowed
from wirelab.catalog import ContenderEntry, SuiteEntry
from wirelab.model.disclosure import Accounts
from wirelab.model.known_name import known_name
from wirelab.model.own import Own
from wirelab.model.participant import Participant
from wirelab.model.parts import Role
from wirelab.model.planned import PlannedTrial
from wirelab.model.scenario import Scenario
from wirelab.model.wire import Spoken
from wirelab.plan.fillers import filled_for, fillers, taken
from wirelab.plan.selection import Selection
from wirelab.processes import pinning
from wirelab.run import many_processes, processors, role_limits, targets
from wirelab.run.accounts import grouping_of, told
from wirelab.run.cannot import CannotRunError
from wirelab.run.compiled import compile_sources
from wirelab.run.confinement import confinement
from wirelab.run.limits import allow_open_files
from wirelab.run.observation import observation
from wirelab.trial.instrument import Instrument
from wirelab.trial.launch import Launch, each_process
from wirelab.trial.rules import rules_of
from wirelab.trial.setup import TrialSetup
from wirelab.trial.spec import OwnTarget
from wirelab.trial.sync_calls import SyncCalls


class TrialSetups:
    """The parts of a suite, built, and the setup of every trial.

    A contender that cannot be built is kept as unavailable, with the reason and the remedy; so
    is one whose optional role, or role that a service plays for it, cannot be filled. Only what
    roles of ``contenders`` need is built; ``may_install`` decides over packages of the system.
    """

    def __init__(
        self,
        suite: SuiteEntry,
        contenders: Sequence[ContenderEntry],
        selection: Selection,
        repository: Path,
        say: Callable[[str], None],
        *,
        may_install: Permission = if_allowed,
    ) -> None:
        self.suite = suite
        self.contenders = contenders
        self.selection = selection
        self._repository = repository
        own, scenarios = selection.own, selection.scenarios
        self._workshop = PartBuilds(
            repository,
            say,
            python=_interpreter(own),
            may_install=may_install,
            sandboxed=selection.sandbox != "none",
            grouped=selection.accounts.groups is not False,
        )
        self.confinement = confinement(
            selection.sandbox,
            self._workshop,
            repository=repository,
            suite=suite,
            contenders=contenders,
            interpreter=own.python,
            settings=selection.settings,
        )
        self._grouping = grouping_of(selection.accounts)
        chosen = [suite.manifest.scenarios[name] for name in scenarios]
        self.observation = (
            observation(
                self._workshop,
                repository,
                own_network=self.confinement.view is not None,
                keeps_packets=selection.keeps_packets,
            )
            if any(one.is_followed for one in chosen)
            else None
        )
        self._cores = pinning.usable_cores()
        self._rules = rules_of(suite.folder)
        _check_limits(
            chosen,
            many_processes.open_files((e.manifest for e in contenders), suite.manifest, selection),
        )
        self._free = many_processes.free_bytes(self._grouping)
        self._left_out = {
            entry.name: targets.beside(entry.manifest, suite.manifest, own.targets)
            for entry in contenders
        }
        self._filled = {
            entry.name: []
            if self._left_out[entry.name]
            else filled_for(suite.manifest, entry.manifest, scenarios)
            for entry in contenders
        }
        needed, wanted = self._needed(), self._wanted(chosen)
        self._foresee([*needed, *wanted])
        self._neutral = {by: self._filler(by) for by in needed}
        self._missing: dict[str, Unavailable] = {}
        for by in wanted:
            try:
                self._neutral[by] = self._workshop.prepare(self._neutral_part(by))
            except Unavailable as missing:
                self._missing[by] = missing
        self._generators = {name: self._generator(name) for name in selection.generators}
        by_name = {n: suite.manifest.scenarios[n] for n in scenarios}
        self._instrument = Instrument(by_name, self._workshop)
        self._sync_calls = SyncCalls(by_name, self._workshop)
        self._built: dict[str, Built] = {}
        self.participants = {entry.name: self._participant(entry, chosen) for entry in contenders}
        self.available = [entry for entry in contenders if entry.name in self._built]
        compile_sources([*self._neutral.values(), *self._built.values()])

    @property
    def accounts(self) -> Accounts:
        """Sources of the roles' figures, and the limits of the roles."""
        return told(self._grouping)

    @property
    def unconfined_builds(self) -> dict[str, str]:
        """Parts that were compiled without a sandbox, with the reasons."""
        everything = (self._neutral, self._generators, self._built)
        built = [one for known in everything for one in known.values()]
        return {one.part.title: one.unconfined for one in built if one.unconfined}

    @property
    def code(self) -> dict[str, str]:
        """Hashes of the code that trials run and are verified by, by what a message calls it."""
        everything = (self._neutral, self._generators, self._built)
        built = {one.part.title: one.code for known in everything for one in known.values()}
        rules = {f"verify.py of {self.suite.name}": self._rules.code} if self._rules.code else {}
        return {**built, **rules}

    def _needed(self) -> list[str]:
        """Names of everything that the scenarios of a contender cannot go without."""
        suite, names = self.suite.manifest, self.selection.scenarios
        takers = [entry.manifest for entry in self.contenders]
        its = {name for contender in takers for name in taken(suite, contender, names)}
        return fillers((suite.scenarios[name] for name in names if name in its), optional=False)

    def _wanted(self, scenarios: Sequence[Scenario]) -> list[str]:
        """Names of everything that single contenders need beside that."""
        used = (e.manifest.uses for e in self.contenders if not e.manifest.unavailable.en)
        optional = (fillers(scenarios, optional=True, uses=names) for names in used)
        wanted = {*itertools.chain(*optional), *itertools.chain(*self._filled.values())}
        return sorted(wanted.difference(self._needed()))

    def _foresee(self, neutral: Iterable[str]) -> None:
        """Ask for everything that has to be installed before anything is built."""
        chosen = [entry for entry in self.contenders if not self._left_out[entry.name]]
        contenders = (contender_part(self.suite, entry) for entry in chosen)
        self._workshop.foresee([*map(self._neutral_part, neutral), *contenders])

    def _neutral_part(self, by: str) -> Part:
        kind, _, name = by.partition(":")
        if kind == "engine":
            return engine_part(self._repository, name)
        return service_part(self.suite, self._acting(name))

    def _acting(self, service: str) -> str:
        """The service itself, or who stands in for it where there is a server of the user's own."""
        if service in self.selection.own.targets:
            return self.suite.manifest.services[service].target
        return service

    def memory_lines(self) -> Iterator[str]:
        """Lines on the memory that many processes of a role take, and on whose does not suffice."""
        suite, selection = self.suite.manifest, self.selection
        yield from many_processes.announced(
            self.participants.values(), suite, selection, self._free
        )

    @property
    def services(self) -> dict[str, dict[str, str]]:
        """The neutral services that take part, by name: what is said of their libraries."""
        filled = (by.partition(":") for by in self._neutral)
        names = {self._acting(name) for kind, _, name in filled if kind == "service"}
        known = self.suite.manifest.services
        return {name: known[name].library for name in known if name in names}

    @property
    def keyed(self) -> bool:
        """Whether what any of them serves depends on a secret of the trial."""
        return any(self.suite.manifest.services[name].secret for name in self.services)

    @property
    def unforeseen(self) -> bool:
        """Whether what any role sends depends on a secret of the trial."""
        scenarios = self.suite.manifest.scenarios.values()
        return any(role.secret for scenario in scenarios for role in scenario.roles.values())

    def _filler(self, by: str) -> Built:
        part = self._neutral_part(by)
        return self._prepared(part, f"{self.suite.name} needs {part.title}, which")

    def _generator(self, name: str) -> Built:
        known_name("generator", name, self.suite.manifest.generators, f"suite {self.suite.name}")
        return self._prepared(generator_part(self.suite, name), f"the generator {name}")

    def _prepared(self, part: Part, subject: str) -> Built:
        try:
            return self._workshop.prepare(part)
        except Unavailable as missing:
            remedy = f"; to mend it: {missing.remedy}" if missing.remedy else ""
            raise CannotRunError(f"{subject} cannot be built: {missing.reason}{remedy}") from None

    def _participant(self, entry: ContenderEntry, scenarios: Sequence[Scenario]) -> Participant:
        manifest, suite, names = entry.manifest, self.suite.manifest, self.selection.scenarios
        too_much = many_processes.barred(manifest, suite, self.selection, self._free)
        barred = (
            self._instrument.bars(manifest)
            | self._sync_calls.bars(manifest, suite)
            | role_limits.barred(manifest, suite, names, self._grouping)
            | targets.barred(manifest, suite, names, self.selection.own.targets)
            | {name: variants.pop("") for name, variants in too_much.items() if "" in variants}
        )
        try:
            if reason := self._left_out[entry.name]:
                raise Unavailable(reason)
            self._instrument.refuse(entry.manifest, barred)
            if few := processors.barred(
                entry.manifest, self.suite.manifest, self.selection.scenarios, self._cores
            ):
                barred |= few
                first = next(iter(few.values()))
                raise Unavailable(first.reason.en, first.remedy.en)
            used = fillers(scenarios, optional=True, uses=entry.manifest.uses)
            for by in [*used, *self._filled[entry.name]]:
                if by in self._missing:
                    raise self._missing[by]
            built = self._workshop.prepare(contender_part(self.suite, entry))
        except Unavailable as missing:
            return Participant(
                manifest=entry.manifest,
                folder_hash="",
                unavailable=missing.reason,
                remedy=missing.remedy,
                barred=barred,
            )
        self._built[entry.name] = built
        return Participant(
            manifest=entry.manifest,
            folder_hash=built.folder_hash,
            ownership=built.ownership,
            barred=barred,
            barred_variants={name: variants for name, variants in too_much.items() if variants},
        )

    def of(self, trial: PlannedTrial, run: str) -> TrialSetup:
        """The setup in which the roles of ``trial`` start."""
        scenario = self.suite.manifest.scenarios[trial.scenario]
        roles = self.participants[trial.contender].manifest.cast(scenario.roles)
        cpus = pinning.assign_roles(roles, self._cores)
        limits = scenario.variant(trial.variant).limits
        launches: dict[str, Launch] = {}
        for name, role in roles.items():
            built = self._provider(role, trial)
            launch = Launch(
                name,
                built.command(name, limits[name].memory if name in limits else None),
                built.environment,
                cpus[name],
                self._is_keyed(role),
                neutral=bool(role.service),
            )
            launches |= each_process(launch, trial.load.processes if role.measured else 1)
        if scenario.counts_instructions:
            launches = self._below_callgrind(launches, trial.contender)
        if scenario.syncs_of:
            launches = self._sync_calls.beneath(launches, scenario.syncs_of)
        return TrialSetup(
            run,
            scenario,
            launches,
            self._rules,
            targets=self._targets(roles),
            view=self.confinement.view,
            grouping=self._grouping,
            # A server of the user's own need not be on this machine's loopback.
            observation=None if self._targets(roles) else self.observation,
            spoken=self._spoken(roles),
        )

    def _spoken(self, roles: Mapping[str, Role]) -> Spoken | None:
        """The protocol by which the services of these roles are asked for keys."""
        services = (self.suite.manifest.services.get(role.service) for role in roles.values())
        return next((one.speaks for one in services if one is not None and one.speaks), None)

    def _targets(self, roles: Mapping[str, Role]) -> dict[str, OwnTarget]:
        """Servers of the user's own, by the role whose program they take the place of."""
        own = self.selection.own
        return {
            name: targets.told(role.service, own)
            for name, role in roles.items()
            if role.service in own.targets
        }

    def _below_callgrind(self, launches: Mapping[str, Launch], contender: str) -> dict[str, Launch]:
        """The launches under the instrument, which was there when the run began."""
        try:
            return self._instrument.beneath(launches, self.participants[contender].manifest)
        except Unavailable as missing:
            raise CannotRunError(f"{missing.reason}; to mend it: {missing.remedy}") from None

    def _is_keyed(self, role: Role) -> bool:
        """Whether what a role serves or sends depends on a secret of the trial."""
        if role.secret:
            return True
        service = self.suite.manifest.services.get(self._acting(role.service))
        return service is not None and service.secret

    def _provider(self, role: Role, trial: PlannedTrial) -> Built:
        if role.is_contenders:
            return self._built[trial.contender]
        if role.measured and trial.generator:
            return self._generators[trial.generator]
        return self._neutral[role.provider]


def _interpreter(own: Own) -> Interpreter | None:
    try:
        return interpreter_at(own.python) if own.python else None
    except Unavailable as missing:
        raise CannotRunError(f"{missing.reason}; {missing.remedy}") from None


def _check_limits(scenarios: Iterable[Scenario], of_the_core: int) -> None:
    refusal = allow_open_files(max([of_the_core, *(s.open_files for s in scenarios)]))
    if refusal:
        raise CannotRunError(refusal)
