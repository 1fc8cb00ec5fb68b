"""The program that counts instructions, and who has no part in scenarios that need it."""

from __future__ import annotations

from collections.abc import Mapping

from wirelab.build import Unavailable, Workshop
from wirelab.build.tools import FoundTool
from wirelab.model.contender import Contender
from wirelab.model.run import Barred
from wirelab.model.scenario import Scenario
from wirelab.model.units import Text
from wirelab.plan import counting
from wirelab.trial import callgrind
from wirelab.trial.worker import Launch


class Counter:
    """Looks for valgrind where one of ``scenarios`` counts instructions, and only there."""

    def __init__(self, scenarios: Mapping[str, Scenario], workshop: Workshop) -> None:
        self._names = list(scenarios)
        self._counted = [
            name for name, scenario in scenarios.items() if scenario.counts_instructions
        ]
        self._found: FoundTool | None = None
        self._missing = Unavailable("no scenario of this run counts instructions")
        if self._counted:
            try:
                self._found = workshop.tool(callgrind.VALGRIND)
            except Unavailable as missing:
                self._missing = missing

    def bars(self, contender: Contender) -> dict[str, Barred]:
        """By scenario that counts instructions: why the contender has no part in it."""
        if contender.unavailable.en:
            return {}  # it says itself why it runs nowhere
        own = [name for name in self._counted if name in self._of(contender)]
        if (refused := counting.refusal(contender)) is not None:
            return {name: Barred(reason=refused) for name in own}
        if self._found is None:
            missing = Barred(reason=Text(en=self._missing.reason), remedy=self._missing.remedy)
            return dict.fromkeys(own, missing)
        return {}

    def refuse(self, contender: Contender, barred: Mapping[str, Barred]) -> None:
        """Raise Unavailable for a contender that has no part in any scenario of the run."""
        if barred and barred.keys() == set(self._of(contender)):
            first = next(iter(barred.values()))
            raise Unavailable(first.reason.en, first.remedy)

    def beneath(self, launches: Mapping[str, Launch], contender: Contender) -> dict[str, Launch]:
        """The roles of a trial of ``contender`` under the counter."""
        if self._found is None:
            raise self._missing
        way = counting.WAYS[contender.language]
        return {
            name: callgrind.beneath(launch, self._found.path, way)
            for name, launch in launches.items()
        }

    def _of(self, contender: Contender) -> list[str]:
        """Scenarios of the run that the contender's manifest has it take part in."""
        return [name for name in self._names if name in (contender.scenarios or self._names)]
