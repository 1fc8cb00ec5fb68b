"""Who has no part in a scenario that counts instructions, and what that costs the others."""

from __future__ import annotations

from typing import Any, cast

import pytest

from synthetic.loops import loops_scenario
from wirelab.build import Unavailable, Workshop
from wirelab.build.tools import FoundTool, Tool
from wirelab.model.contender import Contender
from wirelab.run.counters import Counter
from wirelab.trial.worker import Launch

COUNTER = {"type": "microbenchmark", "about": "10s", "instrument": "callgrind"}
COUNTED, TIMED = loops_scenario(load=COUNTER, rankings=[]), loops_scenario()
REASON, REMEDY = "valgrind is missing", "apt-get install -y valgrind"


class WithoutValgrind:
    """A workshop on a machine that has no valgrind and may not install it."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def tool(self, wanted: Tool) -> FoundTool:
        self.asked.append(wanted.name)
        raise Unavailable(REASON, REMEDY)


def contender(language: str, **more: Any) -> Contender:
    return Contender.model_validate(
        {
            "contender": "swift",
            "title": "Swift",
            "language": language,
            "library": {"name": "swift", "version": "1", "licence": "MIT"},
            "build": {"kind": "none"},
            "run": {"command": ["x"]},
            **more,
        }
    )


def counter(**scenarios: Any) -> Counter:
    return Counter(scenarios, cast("Workshop", WithoutValgrind()))


def test_without_valgrind_the_remedy_is_told() -> None:
    found = counter(counts=COUNTED)
    barred = found.bars(contender("Rust"))
    assert barred["counts"].reason.en == REASON
    with pytest.raises(Unavailable, match=REASON) as told:
        found.refuse(contender("Rust"), barred)
    assert told.value.remedy == REMEDY
    with pytest.raises(Unavailable, match=REASON):
        found.beneath({"codec": Launch("codec", ["x"], {}, [])}, contender("Rust"))


def test_other_scenarios_of_the_run_go_on() -> None:
    found = counter(counts=COUNTED, times=TIMED)
    barred = found.bars(contender("Rust"))
    assert list(barred) == ["counts"]
    found.refuse(contender("Rust"), barred)


def test_a_language_that_does_not_repeat_is_told_so_and_not_sent_to_install() -> None:
    barred = counter(counts=COUNTED).bars(contender("Java"))
    assert "do not repeat" in barred["counts"].reason.en
    assert barred["counts"].remedy == ""


def test_scenarios_a_contender_has_no_part_in_do_not_bar_it() -> None:
    found = counter(counts=COUNTED, times=TIMED)
    assert found.bars(contender("Rust", scenarios=["times"])) == {}


def test_who_runs_nowhere_says_so_itself() -> None:
    assert counter(counts=COUNTED).bars(contender("C#", unavailable="later")) == {}


def test_nothing_is_looked_for_where_nothing_is_counted() -> None:
    workshop = WithoutValgrind()
    found = Counter({"times": TIMED}, cast("Workshop", workshop))
    assert found.bars(contender("Rust")) == {}
    assert workshop.asked == []
