"""Counting instructions: in which languages counts repeat, and which processes a count takes.

What one iteration of an operation takes is the difference between two fresh processes of one step
and one operation that differ in nothing but the number of their iterations, divided by that number:
start-up, the first iterations and everything outside of the loop are in both and fall away.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from wirelab.model.contender import Contender
from wirelab.model.measure import Measure
from wirelab.model.planned import PlannedLoops, PlannedTrial
from wirelab.model.scenario import Scenario
from wirelab.model.units import Text


@dataclass(frozen=True)
class CountingSettings:
    """Settings that make the counts of a language's processes repeat.

    ``options`` are the runtime's, before the program. Both processes of a pair begin with
    ``warm`` times as many iterations as the profile says, so that what compiles code while it runs
    has done so.
    """

    environment: Mapping[str, str] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    warm: int = 1


_NODE = (
    "--predictable",
    "--single-threaded",
    # Without it the heap grows by how long collections took.
    "--predictable-gc-schedule",
)

WAYS: Mapping[str, CountingSettings] = {
    "C": CountingSettings(),
    "C++": CountingSettings(),
    "Rust": CountingSettings(),
    # The first of two processes would compile what the second finds compiled.
    "Python": CountingSettings(environment={"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}),
    "JavaScript": CountingSettings(options=_NODE, warm=50),
}
"""By language: those in which two processes that do the same count the same."""

_REFUSALS: Mapping[str, Text] = {
    "Java": Text(
        en="Instruction counts of a JVM do not repeat: its compilers run in threads of their own "
        "and decide by time, so that no two processes execute the same code.",
        ko="JVM의 명령어 수는 실행할 때마다 달라집니다. JIT 컴파일러가 별도 스레드에서 돌며 "
        "시간에 따라 컴파일하므로, 두 프로세스가 같은 코드를 실행한다는 보장이 없습니다.",
    ),
    "C#": Text(
        en="Instruction counts of .NET do not repeat: it compiles methods again in a thread of "
        "its own and decides by time, so that no two processes execute the same code.",
        ko=".NET의 명령어 수는 실행할 때마다 달라집니다. 별도 스레드가 시간에 따라 메서드를 다시 "
        "컴파일하므로, 두 프로세스가 같은 코드를 실행한다는 보장이 없습니다.",
    ),
    "Go": Text(
        en="Instruction counts of Go do not repeat under valgrind: its scheduler and its collector "
        "run in threads whose turns depend on time.",
        ko="Go의 명령어 수는 valgrind에서 재현되지 않습니다. 스케줄러와 가비지 컬렉터가 여러 "
        "스레드에서 돌고, 그 순서가 시간에 따라 바뀌기 때문입니다.",
    ),
}

_UNTRIED = Text(
    en="Nobody has shown yet that instruction counts of this language repeat.",
    ko="이 언어에서 명령어 수가 재현되는지 아직 확인되지 않았습니다.",
)

_YARDSTICK = Text(
    en="A yardstick of times: instruction counts have no floor to be held against.",
    ko="시간 측정용 기준 연산입니다. 명령어 수에는 비교할 하한이 없습니다.",
)


def refusal(contender: Contender) -> Text | None:
    """The reason why the instructions of a contender are counted on no machine; None: they are."""
    if contender.reference:
        return _YARDSTICK
    if contender.language in WAYS:
        return None
    return _REFUSALS.get(contender.language, _UNTRIED)


@dataclass(frozen=True)
class CallgrindProcess:
    """Work of one process of a pair: ``iterations`` of one operation of one step."""

    step: str
    operation: str
    iterations: int

    def of(self, planned: PlannedTrial) -> PlannedTrial:
        """A trial of the whole scenario, cut down to this."""
        if not isinstance(planned.load, PlannedLoops):
            raise ValueError(f"{planned.id} has no loops to count")
        own = {"steps": [self.step], "rounds": self.iterations, "counted": True}
        return planned.model_copy(
            update={
                "operations": [self.operation],
                "load": planned.load.model_copy(update=own),
            }
        )


def shares(
    scenario: Scenario, measure: Measure, contender: Contender
) -> list[CallgrindProcess | None]:
    """The processes of one block for a contender; one that does everything where nothing is
    counted.
    """
    if not scenario.counts_instructions or (loops := measure.loops) is None:
        return [None]
    warm = WAYS[contender.language].warm
    found: list[CallgrindProcess | None] = []
    for step in measure.steps or scenario.steps:
        fewer = loops.fewer.get(step, 1)
        few, more = warm * loops.rounds // fewer, loops.more // fewer
        for operation in measure.operations or scenario.operations:
            found += [
                CallgrindProcess(step, operation, few),
                CallgrindProcess(step, operation, few + more),
            ]
    return found
