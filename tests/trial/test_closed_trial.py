"""Trials of closed loops: what their workers say of steps, and what becomes of it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from wirelab.manifest import load_contender, load_suite
from wirelab.model.events import StepEnded, event_of
from wirelab.model.planned import PlannedTrial
from wirelab.model.trial import TrialRecord, TrialStatus
from wirelab.plan.order import plan
from wirelab.plan.selection import Selection
from wirelab.trial.failure import TrialError
from wirelab.trial.launch import Launch
from wirelab.trial.load import load_of
from wirelab.trial.rules import Rules
from wirelab.trial.setup import TrialSetup
from wirelab.trial.steps import Steps
from wirelab.trial.trial import Trial

SABOTAGE = Path(__file__).parents[1] / "sabotage"
WORKERS = SABOTAGE / "workers"
SUITE = load_suite(SABOTAGE / "closed/suite.toml")
SCENARIO = SUITE.scenarios["turns"]
HONEST = load_contender(SABOTAGE / "closed/contenders/honest/contender.toml", SUITE)


@pytest.fixture
def planned() -> PlannedTrial:
    [trial] = plan(SUITE, [HONEST], Selection(["turns"], "once", 1))
    return trial


# ---------------------------------------------------------------------------- what is said


def said(name: str, begin_ns: int, end_ns: int) -> StepEnded:
    return StepEnded(event="step", name=name, begin_ns=begin_ns, end_ns=end_ns)


@pytest.fixture
def steps(planned: PlannedTrial) -> Steps:
    found = Steps(load_of(planned, SCENARIO).told_steps)
    found.begin(100)
    return found


def test_steps_are_taken_in_their_order(steps: Steps) -> None:
    steps.hear(said("few", 100, 200), "client", 201)
    steps.hear(said("many", 200, 300), "client", 300)
    steps.check_all_ended("client", "")
    assert steps.ended == {"few": (100, 200), "many": (200, 300)}


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (said("few", 150, 250), "none is left"),
        (said("most", 150, 250), "none is left"),
    ],
)
def test_nothing_comes_after_the_last_step(steps: Steps, event: StepEnded, words: str) -> None:
    steps.hear(said("few", 100, 101), "client", 300)
    steps.hear(said("many", 101, 102), "client", 300)
    with pytest.raises(TrialError, match=f"wrong-step: client said step {event.name}: {words}"):
        steps.hear(event, "client", 300)


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (said("many", 100, 200), "the next one is few"),
        (said("some", 100, 200), "the next one is few"),
        (said("few", 150, 150), "it ends before it begins"),
        (said("few", 99, 200), "it begins before tick 0 or before the last one ended"),
        (said("few", 100, 302), "it ends after it was told"),
    ],
)
def test_a_step_that_cannot_be_is_refused(steps: Steps, event: StepEnded, words: str) -> None:
    with pytest.raises(TrialError, match=f"wrong-step: .*{words}"):
        steps.hear(event, "client", 301)
    assert steps.ended == {}


def test_steps_do_not_overlap(steps: Steps) -> None:
    steps.hear(said("few", 100, 200), "client", 300)
    with pytest.raises(TrialError, match="before the last one ended"):
        steps.hear(said("many", 199, 250), "client", 300)


def test_nothing_is_done_before_the_start(planned: PlannedTrial) -> None:
    with pytest.raises(TrialError, match="before tick 0"):
        Steps(planned.load.step_names).hear(said("few", 1, 2), "client", 3)


def test_steps_of_another_loop_are_none(planned_trial: PlannedTrial) -> None:
    steps = Steps(load_of(planned_trial, SCENARIO).told_steps)
    steps.begin(0)
    steps.check_all_ended("client", "")
    with pytest.raises(TrialError, match="none is left"):
        steps.hear(said("few", 1, 2), "client", 3)


def test_pauses_for_answers_are_shared_by_the_lanes_of_their_step(steps: Steps) -> None:
    steps.hear(said("few", 100, 200), "client", 201)
    steps.hear(said("many", 200, 300), "client", 300)
    pauses = [(110, 130), (190, 210), (210, 225), (299, 300), (400, 500)]
    assert steps.paused(pauses, {"few": 2, "many": 4}) == {"few": 10, "many": 4}
    assert steps.paused([], {"few": 2, "many": 4}) == {}


def test_what_is_missing_is_named_with_who_ended_it(steps: Steps) -> None:
    steps.hear(said("few", 100, 200), "client", 300)
    with pytest.raises(TrialError, match=r"steps-missing: client was done without: many$"):
        steps.check_all_ended("client", "")
    with pytest.raises(TrialError, match=r"without: many \(stopped by the core\)$"):
        steps.check_all_ended("client", "stopped by the core")


@pytest.mark.parametrize("wrong", [{"name": 1}, {"begin_ns": "1"}, {"end_ns": None}])
def test_an_event_has_its_fields(wrong: dict[str, object]) -> None:
    event = {"event": "step", "name": "few", "begin_ns": 1, "end_ns": 2}
    assert event_of.validate_python(event) == said("few", 1, 2)
    with pytest.raises(ValueError, match="valid"):
        event_of.validate_python({**event, **wrong})


# ---------------------------------------------------------------------------- whole trials


def carried_out(tmp_path: Path, planned: PlannedTrial, step: str, body: str) -> TrialRecord:
    """The trial of an honest worker with one method changed."""
    source = tmp_path / "worker.py"
    source.write_text(
        f"import sys\nsys.path.insert(0, {str(WORKERS)!r})\n"
        "from turns import *\n"
        f"class Changed(Turns):\n    def {step}:\n        {body}\n"
        "Changed(read_spec()).run()\n"
    )
    commands = {"server": str(WORKERS / "reference.py"), "client": str(source)}
    launches = {
        role: Launch(role, [sys.executable, command], {}, []) for role, command in commands.items()
    }
    setup = TrialSetup("run", SCENARIO, launches, Rules())
    return Trial(planned, setup, tmp_path / "trial").run()


def test_a_closed_trial_lasts_from_its_first_step_to_its_last(
    tmp_path: Path, planned: PlannedTrial
) -> None:
    record = carried_out(tmp_path, planned, "unused(self)", "pass")
    assert (record.status, record.detail) == (TrialStatus.OK, "")
    assert list(record.steps) == ["few", "many"]
    (begin, _), (_, end) = record.steps.values()
    assert record.tick0_ns is not None
    assert record.tick0_ns <= begin < end
    assert record.window_ns == (begin, end)
    assert TrialRecord.model_validate_json(record.model_dump_json()) == record


SAY = "say_step(self, name, begin_ns, end_ns)"


@pytest.mark.parametrize(
    ("change", "reason", "words"),
    [
        (
            (SAY, "name == 'few' or super().say_step(name, begin_ns, end_ns)"),
            "wrong-step",
            "client said step many: the next one is few",
        ),
        (
            (SAY, "name == 'many' or super().say_step(name, begin_ns, end_ns)"),
            "steps-missing",
            "client was done without: many",
        ),
        (
            (SAY, "super().say_step(name, begin_ns, begin_ns)"),
            "wrong-step",
            "it ends before it begins",
        ),
        ((SAY, "self.emit('step', name=name)"), "garbage-output", "begin_ns"),
        (
            ("write_line(self, **line)", "super().write_line(**{**line, 'step': 'lots'})"),
            "sample-file",
            'step "lots", the steps are few, many',
        ),
    ],
)
def test_a_breach_fails_the_trial_with_its_reason(
    tmp_path: Path, planned: PlannedTrial, change: tuple[str, str], reason: str, words: str
) -> None:
    record = carried_out(tmp_path, planned, *change)
    assert (record.status, record.reason) == (TrialStatus.FAILED, reason)
    assert words in record.detail


def test_what_a_server_says_of_steps_fails_the_trial(tmp_path: Path, planned: PlannedTrial) -> None:
    by_server = 'self.emit("step", name="few", begin_ns=1, end_ns=2)'
    source = tmp_path / "server.py"
    source.write_text(
        f"import sys\nsys.path.insert(0, {str(WORKERS)!r})\n"
        "from reference import *\n"
        "class Changed(Reference):\n    def say_ready(self, **fields):\n"
        f"        super().say_ready(**fields)\n        {by_server}\n"
        "Changed(read_spec()).run()\n"
    )
    launches = {
        role: Launch(role, [sys.executable, str(path)], {}, [])
        for role, path in (("server", source), ("client", WORKERS / "turns.py"))
    }
    record = Trial(
        planned, TrialSetup("run", SCENARIO, launches, Rules()), tmp_path / "trial"
    ).run()
    assert (record.status, record.reason) == (TrialStatus.FAILED, "wrong-step")
    assert "server has no schedule" in record.detail


def test_a_worker_that_never_comes_to_an_end_is_stopped_at_its_bound(
    tmp_path: Path, planned: PlannedTrial, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wirelab.trial.closed.ClosedLoad.longest_ns", lambda _: 100_000_000)
    monkeypatch.setattr("wirelab.trial.trial.grace_ns", lambda *_: 0)
    change = ("receive(self, step, begin_ns)", "while True: self.listen(); time.sleep(0.01)")
    record = carried_out(tmp_path, planned, *change)
    assert (record.status, record.reason) == (TrialStatus.FAILED, "steps-missing")
    assert "few, many (stopped by the core 0 s after the end of its schedule)" in record.detail
    assert (tmp_path / "trial/client.parquet").exists()
