"""Contenders that are counted, their start, and those that have no part."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from synthetic.loops import loops_scenario
from wirelab.build import PartBuilds, Unavailable
from wirelab.build.tools import FoundTool, Tool
from wirelab.model.contender import Contender
from wirelab.model.units import Text
from wirelab.trial.failure import TrialError
from wirelab.trial.instrument import Instrument, executed
from wirelab.trial.launch import Launch

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


class WithValgrind:
    """A workshop on a machine that has valgrind."""

    def tool(self, wanted: Tool) -> FoundTool:
        return FoundTool(wanted, Path("/usr/bin/valgrind"), "3.19")


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


def instrument(**scenarios: Any) -> Instrument:
    return Instrument(scenarios, cast("PartBuilds", WithoutValgrind()))


def test_without_valgrind_the_remedy_is_told() -> None:
    found = instrument(counts=COUNTED)
    barred = found.bars(contender("Rust"))
    assert barred["counts"].reason.en == REASON
    with pytest.raises(Unavailable, match=REASON) as told:
        found.refuse(contender("Rust"), barred)
    assert told.value.remedy == REMEDY
    with pytest.raises(Unavailable, match=REASON):
        found.beneath({"codec": Launch("codec", ["x"], {}, [])}, contender("Rust"))


def test_other_scenarios_of_the_run_go_on() -> None:
    found = instrument(counts=COUNTED, times=TIMED)
    barred = found.bars(contender("Rust"))
    assert list(barred) == ["counts"]
    found.refuse(contender("Rust"), barred)


def test_a_language_that_does_not_repeat_is_told_so_and_not_sent_to_install() -> None:
    barred = instrument(counts=COUNTED).bars(contender("Java"))
    assert "do not repeat" in barred["counts"].reason.en
    assert barred["counts"].remedy == Text(en="")


def test_scenarios_a_contender_has_no_part_in_do_not_bar_it() -> None:
    found = instrument(counts=COUNTED, times=TIMED)
    assert found.bars(contender("Rust", scenarios=["times"])) == {}


def test_who_runs_nowhere_says_so_itself() -> None:
    assert instrument(counts=COUNTED).bars(contender("C#", unavailable="later")) == {}


def test_nothing_is_looked_for_where_nothing_is_counted() -> None:
    workshop = WithoutValgrind()
    found = Instrument({"times": TIMED}, cast("PartBuilds", workshop))
    assert found.bars(contender("Rust")) == {}
    assert workshop.asked == []


def started(launch: Launch, language: str) -> Launch:
    found = Instrument({"counts": COUNTED}, cast("PartBuilds", WithValgrind()))
    return found.beneath({launch.role: launch}, contender(language))[launch.role]


def test_options_of_a_runtime_stand_before_its_program() -> None:
    launch = Launch("codec", ["node", "--expose-gc", "worker.js", "--x"], {"A": "1"}, [1])
    counted = started(launch, "JavaScript")
    at = counted.command.index("node")
    assert counted.command[0] == "/usr/bin/valgrind"
    assert counted.command[at + 1] == "--expose-gc"
    assert counted.command[-2:] == ["worker.js", "--x"]
    assert "--predictable" in counted.command[at:-2]
    assert (counted.role, counted.cpus) == ("codec", [1])


def test_the_environment_of_a_language_is_added() -> None:
    counted = started(Launch("codec", ["python", "worker.py"], {"A": "1"}, []), "Python")
    own = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    assert counted.environment == {"A": "1"} | own
    assert counted.command[-2:] == ["python", "worker.py"]


def test_a_role_that_left_no_profile_fails_its_trial_by_name(tmp_path: Path) -> None:
    with pytest.raises(TrialError) as failed:
        executed(tmp_path, "codec")
    assert (failed.value.reason, failed.value.role) == ("no-count", "codec")
