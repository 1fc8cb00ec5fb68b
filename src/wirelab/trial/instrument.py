"""The instrument of a microbenchmark that counts: valgrind's callgrind.

Found where a scenario asks for it, refused to contenders whose counts do not repeat, put beneath
the roles of a trial, and asked for its count at the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from wirelab.build import PartBuilds, Unavailable
from wirelab.build.tools import FoundTool, Tool
from wirelab.model.contender import Contender
from wirelab.model.participant import Barred
from wirelab.model.scenario import Scenario
from wirelab.model.units import Text
from wirelab.plan import counting
from wirelab.samples import callgrind
from wirelab.trial.failure import TrialError
from wirelab.trial.launch import Launch

_VALGRIND = Tool("valgrind", ("valgrind",), minimum=(3, 15))

_OPTIONS = (
    *("--tool=callgrind", "-q"),
    f"--callgrind-out-file={callgrind.PROFILE}.%p",  # in the role's scratch folder, its own place
    "--trace-children=yes",  # a launcher is no worker
    "--smc-check=all-non-file",  # code that a runtime has compiled, and compiles again
    "--dump-line=no",  # totals are the same, the files a fraction of the size
    "--vgdb=no",  # its pipes would outlive a process that is killed
)


class Instrument:
    """Looks for valgrind where one of ``scenarios`` counts instructions, and only there."""

    def __init__(self, scenarios: Mapping[str, Scenario], workshop: PartBuilds) -> None:
        self._names = list(scenarios)
        self._scenarios = [
            name for name, scenario in scenarios.items() if scenario.counts_instructions
        ]
        self._found: FoundTool | None = None
        self._missing = Unavailable("no scenario of this run counts instructions")
        if self._scenarios:
            try:
                self._found = workshop.tool(_VALGRIND)
            except Unavailable as missing:
                self._missing = missing

    def bars(self, contender: Contender) -> dict[str, Barred]:
        """By scenario that counts instructions: why the contender has no part in it."""
        if contender.unavailable.en:
            return {}  # it says itself why it runs nowhere
        own = [name for name in self._scenarios if name in self._of(contender)]
        if (refused := counting.refusal(contender)) is not None:
            return {name: Barred(reason=refused) for name in own}
        if self._found is None:
            reason, remedy = Text(en=self._missing.reason), Text(en=self._missing.remedy)
            missing = Barred(reason=reason, remedy=remedy)
            return dict.fromkeys(own, missing)
        return {}

    def refuse(self, contender: Contender, barred: Mapping[str, Barred]) -> None:
        """Raise Unavailable for a contender that has no part in any scenario of the run."""
        if barred and barred.keys() == set(self._of(contender)):
            first = next(iter(barred.values()))
            raise Unavailable(first.reason.en, first.remedy.en)

    def beneath(self, launches: Mapping[str, Launch], contender: Contender) -> dict[str, Launch]:
        """The roles of a trial of ``contender`` under the instrument."""
        if self._found is None:
            raise self._missing
        way = counting.WAYS[contender.language]
        valgrind = self._found.path
        return {name: _beneath(launch, valgrind, way) for name, launch in launches.items()}

    def _of(self, contender: Contender) -> list[str]:
        """Scenarios of the run that the contender's manifest has it take part in."""
        return [name for name in self._names if name in (contender.scenarios or self._names)]


def _beneath(launch: Launch, valgrind: Path, way: counting.CountingSettings) -> Launch:
    """The same role below callgrind, with valgrind before the program and the runtime's options
    after it."""
    program, *arguments = launch.command
    at = next((n for n, a in enumerate(arguments) if not a.startswith("-")), len(arguments))
    command = [program, *arguments[:at], *way.options, *arguments[at:]]
    return Launch(
        launch.role,
        [str(valgrind), *_OPTIONS, *command],
        {**launch.environment, **way.environment},
        launch.cpus,
        launch.keyed,
    )


def executed(scratch: Path, role: str) -> int:
    """Instructions that a role executed, by what it left in its folder; raises TrialError."""
    try:
        return callgrind.collect(scratch)
    except callgrind.NoCountError as error:
        raise TrialError("no-count", str(error), role) from None
