"""Workers whose lanes wait for their results: what they tell of steps, and what they record."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from to_check import document, workers

from wirelab import conform
from wirelab.conform import Check, CheckedWorker, Part
from wirelab.manifest import load_contender, load_suite
from wirelab.plan.order import plan
from wirelab.plan.selection import Selection
from wirelab.run.checking import WantedChecks
from wirelab.trial.spec import Surroundings, spec_of

SABOTAGE = Path(__file__).parents[1] / "sabotage"
CLOSED = SABOTAGE / "closed"
HONEST = CLOSED / "contenders/honest"
WORKERS = SABOTAGE / "workers"


def worker_of(tmp_path: Path, step: str = "unused(self)", body: str = "pass") -> CheckedWorker:
    """The honest worker of closed loops with one method changed."""
    source = tmp_path / "worker.py"
    source.write_text(
        f"import sys\nsys.path.insert(0, {str(WORKERS)!r})\n"
        "from turns import *\n"
        f"class Changed(Turns):\n    def {step}:\n        {body}\n"
        "Changed(read_spec()).run()\n"
    )
    [worker] = workers(HONEST, WantedChecks(command=[sys.executable, str(source)]))
    return worker


def checked(worker: CheckedWorker, parts: Sequence[Part] = conform.PARTS) -> dict[str, Check]:
    return {check.name: check for check in conform.check(worker, parts=parts)}


def lived(worker: CheckedWorker) -> dict[str, Check]:
    """A whole life, and no other trial."""
    return checked(worker, parts=())


# --------------------------------------------------------------------------------- the spec
def shape(value: Any) -> Any:
    """The keys of a spec, with the types of what they lead to."""
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return type(value)


def test_the_spec_has_what_the_core_s_has(tmp_path: Path) -> None:
    suite = load_suite(CLOSED / "suite.toml")
    manifest = load_contender(HONEST / "contender.toml", suite)
    [trial] = plan(suite, [manifest], Selection(["turns"], "once", 1))
    core = spec_of(
        trial,
        suite.scenarios["turns"],
        "client",
        Surroundings(),
        mark="run/trial",
        folder=tmp_path,
        listen="127.0.0.1:0",
    )
    checker = conform.make_spec(worker_of(tmp_path), "run/trial", tmp_path, 24, {}, {})
    # Ticks to answer are drawn by the core, and the first and the last for the checker.
    core["verify"], checker["verify"] = {}, {}
    assert shape(checker) == shape(core)
    assert [step["parameters"] for step in checker["schedule"]["steps"]] == [
        step["parameters"] for step in core["schedule"]["steps"]
    ]


def test_a_contender_is_told_of_no_tick_to_answer(tmp_path: Path) -> None:
    spec = conform.make_spec(worker_of(tmp_path), "t", tmp_path, 24, {}, {})
    assert spec["verify"] == {"preflight": {}}


def test_ticks_to_answer_are_the_first_and_the_last_that_count(tmp_path: Path) -> None:
    worker = replace(worker_of(tmp_path), generates=True)
    assert (worker.ticks, worker.period_ns) == (24, 10_000_000)
    spec = conform.make_spec(worker, "t", tmp_path, worker.ticks, {}, {})
    assert spec["verify"]["ticks"] == {"echo": [4, 23]}
    rare = replace(worker, operations={"echo": {**worker.operations["echo"], "every": 100}})
    assert conform.make_spec(rare, "t", tmp_path, 24, {}, {})["verify"]["ticks"] == {}


def test_a_schedule_without_an_end_is_quickly_made(tmp_path: Path) -> None:
    worker = replace(worker_of(tmp_path), generates=True)
    spec = conform.make_spec(worker, "t", tmp_path, 1_000_000, {}, {})
    assert spec["verify"]["ticks"]["echo"] == [4, 999_999]


def test_hundreds_of_users_who_wait_for_each_other_are_few(tmp_path: Path) -> None:
    shutil.copytree(CLOSED.parent, tmp_path, dirs_exist_ok=True)
    suite = tmp_path / "closed" / "suite.toml"
    crowded, changed = re.subn(r"(?m)^users = \d+$", "users = 500", suite.read_text())
    assert changed
    suite.write_text(crowded)
    [worker] = workers(tmp_path / "closed/contenders/honest", WantedChecks(command=["true"]))
    steps = conform.make_spec(worker, "t", tmp_path, 24, {}, {})["schedule"]["steps"]
    assert max(step["users"] for step in steps) == 40


def test_a_program_fills_a_role_for_the_contender(tmp_path: Path) -> None:
    [worker] = workers(HONEST, WantedChecks())
    assert worker.role == "client"
    [server] = worker.partners
    assert (server.role, Path(server.command[-1]).name) == ("server", "reference.py")
    manifest = (HONEST / "contender.toml").read_text()
    own = tmp_path / "own"
    own.mkdir()
    (own / "contender.toml").write_text(manifest.replace("provided_by", "# provided_by"))
    roles = [w.role for w in workers(own, WantedChecks(command=["true"]), CLOSED)]
    assert roles == ["server", "client"]


# ------------------------------------------------------------------------- what it records
def test_an_honest_worker_passes(tmp_path: Path) -> None:
    found = checked(worker_of(tmp_path))
    assert [str(check) for check in found.values() if check.outcome == "fail"] == []
    assert found["steps"].detail.startswith("2 steps")
    # Of 2 and of 3 lanes: 12 ticks each, and every fifth of all 24; receipts, connections.
    echoes, reports = 12 * 2 + 12 * 3, 3 * 2 + 2 * 3
    assert found["schedule"].detail == f"{echoes + reports + 7 + 5} turns of lanes in 2 steps"
    assert found["intervals"].detail == f"2 lines, {8 * 2 + 8 * 3} received"
    assert found["stop"].detail == "done, exit 0 when told to stop"


def test_the_command_line_checks_it_with_its_program(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "honest.json"
    file.write_text(json.dumps(document(HONEST)))
    command = shlex.join([sys.executable, str(WORKERS / "turns.py")])
    assert conform.main([str(file), "--command", command]) == 0
    assert "pass  steps: 2 steps" in capfd.readouterr().out


SAY = "say_step(self, name, begin_ns, end_ns)"
TAKE = "turns_at(self, step, tick, lane)"
NOTE = "note(self, name, lane, intended_ns, start_ns, end_ns)"
TOLD = "super().say_step(name, begin_ns, end_ns)"
TURN = "super().turns_at(step, tick, lane)"
RECORD = "super().note(name, lane, intended_ns, start_ns, end_ns)"
LINE = "write_line(self, **line)"
GOOD = "operation='delivery', step='few', second=0"


@pytest.mark.parametrize(
    ("change", "name", "words"),
    [
        ((SAY, f"name == 'many' or {TOLD}"), "steps", "never told of many"),
        ((SAY, f"name == 'few' or {TOLD}"), "steps", "told of many; the steps are few, many"),
        ((SAY, f"{TOLD}; {TOLD}"), "steps", "told of few, few, many, many; the steps are"),
        ((SAY, "super().say_step(name, end_ns, begin_ns)"), "steps", "few ends before it begins"),
        (
            (SAY, "super().say_step(name, begin_ns - 10**9, end_ns)"),
            "steps",
            "few begins before tick 0 or the end of the last one",
        ),
        ((SAY, "super().say_step(name, begin_ns, end_ns * 2)"), "steps", "not CLOCK_MONOTONIC"),
        ((SAY, "self.emit('step', name=name, begin_ns=1)"), "events", "step without end_ns"),
        ((TAKE, f"tick == 3 or {TURN}"), "schedule", "echo: lane 0: 3 of 4 before few began"),
        ((TAKE, f"tick == 4 or {TURN}"), "schedule", "echo: lane 0: 7 of 8 in few"),
        ((TAKE, f"lane == 1 or {TURN}"), "schedule", "echo: lane 1: 0 of 8 in few"),
        ((TAKE, f"{TURN}; tick == 9 and {TURN}"), "schedule", "echo: lane 0: 9 of 8 in few"),
        (
            (NOTE, "super().note(name, lane + 9, intended_ns, start_ns, end_ns)"),
            "schedule",
            "echo: lane 0: 0 of 4 before few began (and 3 lanes more)",
        ),
        (
            (NOTE, "super().note(name, lane, intended_ns - 1, start_ns, end_ns)"),
            "schedule",
            "84 records were not intended when they started",
        ),
        (
            (NOTE, f"{RECORD}; name == 'receipt' and lane == 1 and {RECORD}"),
            "schedule",
            "receipt: lane 1: 2 of 1 in few",
        ),
        (
            ("receive(self, step, begin_ns)", "pass"),
            "schedule",
            "receipt: lane 0: 0 of 1 in few (and 1 lanes more)",
        ),
        (
            ("join(self, users)", "super().join(range(users.stop))"),
            "schedule",
            "connect: lane 0: 1 of 0 before many began (and 1 lanes more)",
        ),
        (
            ("finish(self)", "self.turn('echo', 0); super().finish()"),
            "schedule",
            "echo: 1 after the last step",
        ),
        (
            (NOTE, "super().note(name, lane, intended_ns, start_ns, end_ns + 10**6)"),
            "schedule",
            "operations of step few ended after it",
        ),
        (
            ("listen(self)", "time.sleep(0.03); [*iter(lambda: self.command(0), None)]"),
            "answers",
            "answers asked for were not given",
        ),
        ((LINE, "line.pop('step'); super().write_line(**line)"), "intervals", "step is missing"),
        ((LINE, "super().write_line(**{**line, 'step': 1})"), "intervals", "step must be str"),
        (
            (LINE, "super().write_line(**{**line, 'step': 'x'})"),
            "intervals",
            "x is no step of the spec",
        ),
        (
            (LINE, "super().write_line(**{**line, 'second': line['second'] + 2})"),
            "intervals",
            "second 2 is outside of few",
        ),
    ],
)
def test_a_breach_is_caught(tmp_path: Path, change: tuple[str, str], name: str, words: str) -> None:
    found = lived(worker_of(tmp_path, *change))
    assert found[name].outcome == "fail"
    assert words in found[name].detail


GENERATOR = """
class Told(Changed):
    failing = 0

    def note(self, name, lane, intended_ns, start_ns, end_ns):
        # The turns of a lane are its ticks in their order.
        failed = name == "echo" and lane == 0 and self.failing == FAILS
        self.failing += name == "echo" and lane == 0
        code = self.spec["operations"][name]["code"]
        fields = (intended_ns, start_ns, end_ns, 100, code, 2 if failed else 0, lane)
        self.samples.write(struct.pack("<QQQIBBH", *fields))
        self.count += 1

    def turns_at(self, step, tick, lane):
        super().turns_at(step, tick, lane)
        told = tick in self.spec["verify"]["ticks"]["echo"] and lane == tick % step["lanes"]
        if told and tick != 4:
            kept = self.kept_of[lane]["echo"]
            self.write_answer(phase="measure", operation="echo", **kept._asdict())

Told(read_spec()).run()
"""


def test_a_generator_s_call_that_failed_has_no_answer_to_give(tmp_path: Path) -> None:
    """Tick 4 of lane 0 is the first that it is told to answer."""
    worker = replace(worker_of(tmp_path), generates=True)
    source = tmp_path / "worker.py"
    text = source.read_text().replace("Changed(read_spec()).run()\n", GENERATOR)
    source.write_text(text.replace("FAILS", "4"))
    found = lived(worker)
    assert found["answers"].outcome == "pass", found["answers"].detail
    source.write_text(text.replace("FAILS", "5"))
    assert "echo: no answer of tick 4" in lived(worker)["answers"].detail


@pytest.mark.parametrize(
    ("change", "name", "words"),
    [
        # What is under way when it is told to stop may be left out, but nothing be made up.
        (
            (TAKE, f"{TURN}; self.turn('connect', lane)"),
            "stop",
            "connect: lane 0: ",
        ),
        (
            ("finish(self)", "self.say_step('many', 1, 2); super().finish()"),
            "stop",
            "told of many; the steps are few, many",
        ),
        (
            (TAKE, f"{TURN}; tick == 3 and lane == 1 and self.turn('receipt', 7)"),
            "end of input",
            "receipt: lane 7: 1 where 0 at most are due",
        ),
    ],
)
def test_a_breach_when_stopped_is_caught(
    tmp_path: Path, change: tuple[str, str], name: str, words: str
) -> None:
    found = checked(worker_of(tmp_path, *change), parts=[conform.check_being_stopped])
    assert found[name].outcome == "fail"
    assert words in found[name].detail


def test_steps_are_told_of_in_closed_loops_alone(tmp_path: Path) -> None:
    source = tmp_path / "worker.py"
    source.write_text(
        f"import sys\nsys.path.insert(0, {str(WORKERS)!r})\n"
        "from reference import *\n"
        "class Changed(Reference):\n    def finish(self):\n"
        "        self.emit('step', name='all', begin_ns=1, end_ns=2); super().finish()\n"
        "Changed(read_spec()).run()\n"
    )
    suite = SABOTAGE / "suite"
    wanted = WantedChecks(command=[sys.executable, str(source)], scenario="s1")
    [worker] = workers(suite / "contenders/honest", wanted)
    found = lived(worker)
    assert found["steps"].outcome == "fail"
    assert "1 steps were told of" in found["steps"].detail
