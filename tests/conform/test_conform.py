"""``wl conform``: the honest worker passes, every sabotaged one fails where it is sabotaged."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from to_check import workers

from wirelab import conform
from wirelab.conform import CannotCheckError, Check, CheckedWorker, Part
from wirelab.run.checking import WantedChecks

ROOT = Path(__file__).parents[2]
CONTENDERS = ROOT / "tests/sabotage/suite/contenders"

CAUGHT = {
    "answers-first": {"published"},
    "cached": {"values"},
    "clears-environment": {"leftovers"},
    "constant": {"values"},
    "drops-ticks": {"schedule"},
    "exits-early": {"done", "stop", "end of input"},
    "exits-with-error": {"done", "stop", "end of input"},
    "fails-after-done": {"done", "stop", "end of input"},
    "floods": {"events"},
    "foreign-clock": {"samples", "clock"},
    "foreign-file": {"samples"},
    "foreign-record-size": {"samples"},
    "garbage": {"events"},
    "hangs": {"done", "stop", "end of input"},
    "ignores-stop": {"done", "stop", "stop before start", "end of input"},
    "leaves-child": {"leftovers"},
    "leaves-grandchild": {"leftovers"},
    "long-line": {"events"},
    "loses-writes": {"values"},
    "miscounts": {"samples"},
    "moves-ticks": {"schedule"},
    "never-ready": {"ready"},
    "no-samples": {"samples"},
    "server-never-ready": {"ready"},
    "speaks-version-1": {"ready"},
    "swapped": {"values"},
    "truncated": {"samples"},
    "wrong-checksum": {"answers"},
}
OF_A_LIFE = {
    *("answers", "clock", "done", "events", "leftovers", "preflight", "ready", "runtime"),
    *("published", "samples", "schedule", "values"),
}
"""Checks of a whole life, which need no other trial."""

# Lateness is a figure with a gate of its own, not a breach of the contract.
NOT_FOR_CONFORM = {"honest", "starts-late"}
SERVER_DIES = "server-dies"


def checked(name: str, parts: Sequence[Part] = conform.PARTS) -> dict[str, Check]:
    """The checks of a contender, of all its roles, the last of a name counting."""
    scenarios = tomllib.loads((CONTENDERS / name / "contender.toml").read_text()).get("scenarios")
    wanted = WantedChecks(scenario=scenarios[0] if scenarios else "")
    found: dict[str, Check] = {}
    for worker in workers(CONTENDERS / name, wanted):
        results = {check.name: check for check in conform.check(worker, parts=parts)}
        found |= results
        if results["ready"].outcome == "fail":
            break
    return found


def lived(worker: CheckedWorker) -> dict[str, Check]:
    """The checks of a whole life, and of no other trial."""
    return {check.name: check for check in conform.check(worker, parts=())}


def failed(checks: dict[str, Check]) -> set[str]:
    return {name for name, check in checks.items() if check.outcome == "fail"}


def adopted() -> list[str]:
    """Sleepers that sabotaged workers left and that came to this process."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue
        if "time.sleep(300)" in line and int(parent) == os.getpid():
            found.append(line)
    return found


@pytest.mark.parametrize(
    ("scenario", "roles"), [("s1", ["client"]), ("own-server", ["server", "client"])]
)
def test_the_honest_worker_passes(scenario: str, roles: list[str]) -> None:
    found = workers(CONTENDERS / "honest", WantedChecks(scenario=scenario))
    assert [worker.role for worker in found] == roles
    for worker in found:
        checks = conform.check(worker)
        assert [str(check) for check in checks if check.outcome == "fail"] == []
        names = {check.name for check in checks}
        assert {"ready", "events", "samples", "other contract", "leftovers"} <= names
        assert names >= (OF_A_LIFE if worker.measured else set())


@pytest.mark.parametrize("name", sorted(CAUGHT))
def test_a_sabotaged_worker_is_caught(name: str) -> None:
    ends = [conform.check_being_stopped, conform.check_being_stopped_early]
    parts = ends if CAUGHT[name] - OF_A_LIFE else []
    assert CAUGHT[name] <= failed(checked(name, parts))
    assert adopted() == []


def test_a_server_that_dies_is_told_of_by_its_own_words() -> None:
    with pytest.raises(CannotCheckError, match=r"exit 5; .* the server has had enough"):
        checked(SERVER_DIES)


def test_every_deviation_is_tried() -> None:
    contenders = {path.parent.name for path in CONTENDERS.glob("*/contender.toml")}
    assert contenders == set(CAUGHT) | NOT_FOR_CONFORM | {SERVER_DIES}


def test_lateness_is_left_to_the_gates() -> None:
    assert failed(checked("starts-late")) == set()


def test_a_failure_brings_the_worker_s_own_words() -> None:
    checks = checked("exits-with-error", parts=())
    assert "exit 3 without done" in checks["done"].detail
    assert "the frobnicator is out of beans" in checks["done"].detail


def test_a_finding_says_how_often_and_where() -> None:
    assert "1 of 12 are missing, at tick 6" in checked("drops-ticks", parts=())["schedule"].detail


BAD_EVENTS = {
    '{"event": "hello"}': "not an event",
    '["ready"]': "not an event",
    '{"event": "progress"}': "progress without records",
    '{"event": "progress", "records": "3"}': "records must be int",
    '{"event": "progress", "records": true}': "records must be int",
    '{"event": "progress", "records": -3}': "records is negative",
    '{"event": "runtime", "monotonic_ns": 1, "heap_bytes": 5}': "heap_bytes without heap_kind",
    '{"event": "runtime", "monotonic_ns": 1, "collections": [[0, 2, 2]]}': "collections has [0, 2,",
    '{"event": "error", "class": "E", "status": "", "message": "", "scope": "x"}': "scope must be",
    '{"event": "done", "records": 0, "answers": 0, "checksum": "00000000"}': "done was said 2",
}


def honest_with(tmp_path: Path, step: str, body: str) -> CheckedWorker:
    """The honest client with one more line in ``step``."""
    source = tmp_path / "worker.py"
    source.write_text(
        "import sys\n"
        f"sys.path.insert(0, {str(ROOT / 'tests/sabotage/workers')!r})\n"
        "from reference import *\n"
        f"class Changed(Reference):\n    def {step}(self, *given, **named):\n"
        f"        {body}\n        return super().{step}(*given, **named)\n"
        "Changed(read_spec()).run()\n"
    )
    [worker] = workers(CONTENDERS / "honest", WantedChecks(scenario="s1"))
    return replace(worker, command=[sys.executable, str(source)])


@pytest.mark.parametrize("line", BAD_EVENTS)
def test_a_line_that_is_no_event_is_caught(tmp_path: Path, line: str) -> None:
    worker = honest_with(tmp_path, "say_done", f"print({line!r}, flush=True)")
    found = lived(worker)
    details = found["events"].detail + found["runtime"].detail
    assert BAD_EVENTS[line] in details


REWRITTEN = "self.samples.seek(32); self.samples.write(bytes(32)); self.samples.seek(0, 2)"
MOVED = "given = (given[0]._replace(start_ns=given[0].start_ns - 1),)"


@pytest.mark.parametrize(
    ("step", "body", "name", "words"),
    [
        ("say_ready", 'print(\'{"event": "ready"}\', flush=True)', "events", "without contract"),
        ("record", "given = (given[0], given[2], given[1], given[3])", "clock", "ends before"),
        ("record", "given = (given[0], given[0] - 9, *given[2:])", "clock", "before its tick"),
        ("record", "given = (*given[:3], 9)", "samples", "op [9] is no operation"),
        ("finish", "self.answers.write(b'{')", "answers", "line"),
        ("give", MOVED, "answers", "has the stamps of no record"),
        ("write_answer", "named.pop('records', 0)", "published", "do not say how many records"),
        ("finish", REWRITTEN, "published", "client.samples is not what was seen of it"),
        ("say_ready", "named['capabilities'] = [1]", "ready", "strings"),
        ("say_ready", "open(self.spec['paths']['answers'], 'w')", "preflight", "0 answers at"),
    ],
)
def test_a_smaller_breach_is_caught(
    tmp_path: Path, step: str, body: str, name: str, words: str
) -> None:
    found = lived(honest_with(tmp_path, step, body))
    assert found[name].outcome == "fail"
    assert words in found[name].detail


def test_other_children_of_the_process_are_left_alone() -> None:
    bystander = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        checked("leaves-grandchild", parts=())
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.communicate()
