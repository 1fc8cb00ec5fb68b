"""A trial under way, followed through its folder and its processes."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from live.live_examples import HEADER, SECOND, interval, planned, record, run, written_run
from wirelab.live.figures import TrialFigures
from wirelab.live.view import TrialView
from wirelab.live.watching import FollowedRun, LiveLooks
from wirelab.model.planned import PlannedTrial
from wirelab.model.trial import TrialRecord, TrialStatus
from wirelab.processes.guardian import mark_of, session_of
from wirelab.processes.kept import KeptProcess
from wirelab.samples.run_folder import RunFolder


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return written_run(tmp_path / "run")


@pytest.fixture
def own(folder: RunFolder) -> Path:
    """The trial's own folder."""
    return folder.trials / planned().id


@pytest.fixture
def view(folder: RunFolder) -> Iterator[TrialView]:
    view = TrialView(folder, run(), planned())
    yield view
    view.close()


def say(path: Path, *events: dict[str, object], received_ns: int = 0) -> None:
    with path.open("a") as kept:
        for event in events:
            kept.write(json.dumps({"received_ns": received_ns, "event": event}) + "\n")


def ready(own: Path, seconds_ago: int) -> None:
    event = {"event": "ready", "contract": 2, "monotonic_ns": 0}
    received_ns = time.monotonic_ns() - seconds_ago * SECOND
    say(own / "generator.events.jsonl", event, received_ns=received_ns)


def totals(figures: TrialFigures) -> dict[str, dict[str, int]]:
    return {operation.name: operation.totals for operation in figures.operations}


def test_a_trial_that_has_written_nothing_yet_is_shown_as_that(view: TrialView) -> None:
    figures = view.look()
    assert figures.elapsed_ns == 0
    assert totals(figures) == {"rtt": {}, "delivery": {}, "connect": {}}
    assert set(figures.roles) == {"core"}
    assert figures.roles["core"].rss_bytes > 0
    assert not view.open_files()


@pytest.mark.parametrize(("seconds_ago", "step"), [(0, "few"), (5, "many"), (60, "many")])
def test_the_step_follows_from_the_time(
    own: Path, view: TrialView, seconds_ago: int, step: str
) -> None:
    ready(own, seconds_ago)
    figures = view.look()
    assert figures.step == step
    assert figures.elapsed_ns >= seconds_ago * SECOND


def test_samples_and_intervals_are_followed_to_the_last_one(own: Path, view: TrialView) -> None:
    samples, intervals = own / "generator.samples", own / "generator.intervals.jsonl"
    samples.write_bytes(HEADER + record(0, 0, 1, 1))
    intervals.write_bytes(b"")
    assert view.open_files()
    assert totals(view.look())["rtt"] == {"sent": 1, "received": 1}
    with samples.open("ab") as file:
        file.write(record(0, 0, 1, 1, 2))
    with intervals.open("ab") as file:
        file.write(interval(0, "delivery", {"expected": 3, "received": 2}, 1000))
    samples.unlink()
    intervals.unlink()
    last = view.last_look()
    assert totals(last)["rtt"] == {"sent": 2, "received": 1}
    assert totals(last)["delivery"] == {"expected": 3, "received": 2}
    assert not last.under_way


@contextmanager
def process_of(role: str, trial: str = planned().id) -> Iterator[None]:
    """A process that plays a role of a trial, and says in its environment that it is another's."""
    process = KeptProcess(
        [sys.executable, "-c", "import sys; print(flush=True); sys.stdin.read()"],
        {**os.environ, "WIRELAB_TRIAL": "of/nobody", "WIRELAB_ROLE": "core"},
        Path.cwd(),
        mark=mark_of(session_of(run().id), trial),
        role=role,
        introduce=lambda _keeper: None,
    )
    try:
        process.stdout.readline()
        yield
    finally:
        process.close()
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()


def test_the_processes_of_a_role_are_found_below_its_keeper(own: Path, view: TrialView) -> None:
    with process_of("server"), process_of("generator", trial="another"):
        roles = view.look().roles
    assert set(roles) == {"core", "server"}
    server = roles["server"]
    assert server.processes == 1
    assert server.cpu_ns > 0
    assert server.rss_bytes > 1 << 20
    assert view.look().roles["server"].cpu_ns >= server.cpu_ns


def test_what_roles_say_of_themselves_is_shown(own: Path, view: TrialView) -> None:
    events = own / "generator.events.jsonl"
    say(events, {"event": "progress", "records": 1, "connected": 5, "note": "x", "Odd Key": 1})
    say(events, {"event": "runtime", "monotonic_ns": 1, "heap_bytes": 7, "ok": True})
    view.look()
    say(events, {"event": "progress", "records": 2, "connected": 9})
    with process_of("generator"):
        figures = view.look().roles["generator"]
    assert figures.progress == {"records": 2, "connected": 9}
    assert figures.runtime == {"heap_bytes": 7}


def test_a_restarted_role_is_followed_in_its_new_file(own: Path, view: TrialView) -> None:
    say(own / "server.events.jsonl", {"event": "runtime", "monotonic_ns": 1, "heap_bytes": 7})
    view.look()
    say(own / "server-2.events.jsonl", {"event": "runtime", "monotonic_ns": 1, "heap_bytes": 8})
    with process_of("server"):
        assert view.look().roles["server"].runtime == {"heap_bytes": 8}


# ---------------------------------------------------------------- the run around it


class Told:
    """A watcher that remembers what it was told."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def planned(self, trials: Sequence[PlannedTrial], done: int) -> None:
        self.heard.append(f"planned {len(trials)}")

    def trial_started(self, trial: PlannedTrial) -> None:
        self.heard.append(f"started {trial.id}")

    def trial_ended(self, record: TrialRecord) -> None:
        self.heard.append(f"ended {record.status}")

    def rerunning(self, trials: Sequence[PlannedTrial]) -> None:
        self.heard.append(f"rerunning {len(trials)}")


class Texts:
    """An outlet that keeps what it is offered."""

    pushed = failed = cpu_ns = 0

    def __init__(self) -> None:
        self.offered: list[bytes] = []

    def offer(self, text: bytes) -> None:
        self.offered.append(text)


HEARD = ["planned 1", "started 0000-board-swift", "ended ok", "rerunning 1"]


def carry_out(followed: FollowedRun, own: Path) -> None:
    followed.planned([planned()], 0)
    followed.trial_started(planned())
    (own / "generator.samples").write_bytes(HEADER + record(0, 0, 1, 1) * 3)
    followed.trial_ended(TrialRecord(planned=planned(), status=TrialStatus.OK))
    followed.rerunning([planned()])


def test_the_last_text_of_a_trial_has_its_final_totals(folder: RunFolder, own: Path) -> None:
    told, texts, said = Told(), Texts(), list[str]()
    looking = LiveLooks(texts, said.append)
    carry_out(FollowedRun(folder, told, looking), own)
    looking.close()
    assert told.heard == HEARD
    assert said == []
    samples = {
        sample.name: sample
        for family in text_string_to_metric_families(texts.offered[-1].decode())
        for sample in family.samples
        if sample.labels.get("operation", "rtt") == "rtt"
    }
    assert samples["wirelab_sent_total"].value == 3
    assert samples["wirelab_sent_total"].timestamp is not None
    assert samples["wirelab_run_trials_total"].labels["status"] == "ok"
    assert looking.figures.run is not None
    assert looking.figures.run.planned == 2


def test_a_fault_of_the_looking_is_said_and_the_run_goes_on(
    folder: RunFolder, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(_: TrialView) -> TrialFigures:
        raise ZeroDivisionError("too live")

    monkeypatch.setattr(TrialView, "look", break_down)
    monkeypatch.setattr(TrialView, "last_look", break_down)
    told, said = Told(), list[str]()
    looking = LiveLooks(None, said.append)
    carry_out(FollowedRun(folder, told, looking), own)
    looking.close()
    assert told.heard == HEARD
    assert said == ["live metrics end here: ZeroDivisionError: too live; the run goes on"]
    assert looking.figures.trial is None
