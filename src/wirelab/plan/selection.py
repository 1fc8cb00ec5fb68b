"""The description of a run as it was asked for: the same for set-ups, plan, trials and run.json."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from wirelab.model.disclosure import Accounts
from wirelab.model.load import Paced
from wirelab.model.measure import Measure
from wirelab.model.mistake import MistakeError
from wirelab.model.own import OUR_OWN, Own
from wirelab.model.run import Run
from wirelab.model.scenario import Scenario
from wirelab.model.units import Scalar
from wirelab.model.until import Until

_HOUR_NS = 3_600_000_000_000

SandboxWish = Literal["required", "where possible", "none"]


class TooShortError(MistakeError):
    """A trial was asked for that ends before anything is measured."""


@dataclass(frozen=True)
class AskedAccounts:
    """Control groups of the roles, as the user asked for them."""

    groups: bool | None = None
    """Whether roles are put into groups; None: where the machine has some."""
    memory_bytes: int | None = None
    processes: int | None = None

    @staticmethod
    def of(stored: Accounts | None) -> AskedAccounts:
        """As a run was begun: figures of one run come from one account."""
        if stored is None or not stored.processor:
            return AskedAccounts(groups=False)
        return AskedAccounts(True, stored.memory_bytes, stored.processes)


@dataclass(frozen=True)
class Selection:
    """Scenarios and how they are measured, as the user asked for it, in names of the catalog."""

    scenarios: Sequence[str]
    profile: str
    seed: int
    settings: Mapping[str, Scalar] = field(default_factory=dict)
    generators: Sequence[str] = ()
    trials: int | None = None
    """Included trials of each load, instead of the profile's."""
    own: Own = OUR_OWN
    until: Until | None = None
    """Blocks are added by this rule, to one that counts."""
    make_up_ns: int | None = None
    """Time that making up for trials lost to the host may take; 0: nothing, None: the usual share.
    """
    sandbox: SandboxWish = "none"
    """Whether roles are put into sandboxes; where ``required`` and not to be had, nothing runs."""
    accounts: AskedAccounts = AskedAccounts()
    """Control groups of the roles, and their limits."""
    keeps_packets: bool = False
    """Whether what the witness of the wire saw is kept packet by packet."""

    @staticmethod
    def of(run: Run) -> Selection:
        """The selection that a run was begun with."""
        return Selection(
            scenarios=list(run.scenarios),
            profile=run.profile,
            seed=run.disclosure.seed,
            settings=run.settings,
            generators=list(run.generators),
            trials=run.trials,
            own=run.disclosure.own,
            until=run.until,
            sandbox="required" if run.disclosure.sandbox else "none",
            accounts=AskedAccounts.of(run.disclosure.accounts),
        )

    def measure(self, name: str, scenario: Scenario) -> Measure:
        """The amount that is measured at first; ``trials`` are included ones, of a load.

        Raises TooShortError where a trial of as many hours as were asked for is all warm-up.
        """
        measure = self._lasting(name, scenario)
        if self.until is not None and name in self.until.figures:
            # Blocks that are added do what a rerun is for, and many short ones tell more of a
            # ratio than a few long ones.
            short = min(measure.count, scenario.shortest or measure.count)
            update = {"trials": 1 + measure.discard, "reruns": 0, "count": short}
            return measure.model_copy(update=update)
        if self.trials is None or scenario.observes_faults:
            return measure
        return measure.model_copy(update={"trials": self.trials + measure.discard})

    def _lasting(self, name: str, scenario: Scenario) -> Measure:
        """The profile's, for as many hours as the user says where its load can be told."""
        measure, load = scenario.profiles[self.profile], scenario.played
        hours = self.settings.get(load.hours) if isinstance(load, Paced) and load.hours else None
        if not isinstance(hours, int | float):
            return measure
        count = round(hours * _HOUR_NS / scenario.period)
        if count <= measure.warmup:
            warmup = measure.warmup * scenario.period / _HOUR_NS
            raise TooShortError(
                f"scenario {name}: of {hours:g} h nothing is left after a warm-up of {warmup:.3g} h"
            )
        return measure.model_copy(update={"count": count})

    def as_asked(self, name: str, scenario: Scenario) -> Scenario:
        """The scenario with its profile as it is carried out."""
        profiles = {**scenario.profiles, self.profile: self.measure(name, scenario)}
        return scenario.model_copy(update={"profiles": profiles})
