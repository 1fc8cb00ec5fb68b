"""No process of a run is left, whatever becomes of the core, and the guardian knows."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from e2e.conftest import SUITES, SuiteRepository
from wirelab.cgroups import removal
from wirelab.cgroups.hierarchies import hierarchies
from wirelab.cgroups.offer import offered
from wirelab.processes import leftovers

pytestmark = pytest.mark.e2e

Eventually = Callable[..., None]

ARGUMENTS = ("run", "loopback", "--scenario", "s1", "--contender", "leaves-grandchild")

UNEXPECTED = """
import runpy
from wirelab.trial import trial


class Fatal(BaseException):
    pass


def unexpected(*_):
    raise {error}("nobody expected this")


trial.grace_ns = unexpected  # it is asked for while all roles of the trial are at work
runpy.run_module("wirelab", run_name="__main__", alter_sys=True)
"""

VERIFIER = """
def verify(spec, facts, answers):
    {then}
"""


def nothing_runs(folder: Path, core: int) -> bool:
    """Whether the core's processes have ended, and the control groups are gone.

    Another run of this second has the same name.
    """
    session = f"{folder.name}/{core}"
    marked = leftovers.marked(lambda mark: mark.startswith(f"{session}/"))
    return marked == set() and removal.of_session(session) == []


def verified_by(house: SuiteRepository, then: str) -> None:
    """Let the suite's verifier do ``then``."""
    linked = house.root / "suites" / "loopback"
    linked.unlink()
    shutil.copytree(SUITES["loopback"], linked)
    workers = house.root / "suites" / "workers"
    workers.symlink_to(SUITES["loopback"].parent / "workers")
    (linked / "verify.py").write_text(VERIFIER.format(then=then))


def a_client_works(house: SuiteRepository) -> bool:
    return list(house.root.glob("results/*/trials/0000-*/**/client.samples")) != []


def raises(
    house: SuiteRepository, monkeypatch: pytest.MonkeyPatch, error: str
) -> tuple[int | None, str]:
    """Exit code and output of a run that raises this error while its roles are at work; nothing of
    it is left.
    """
    code = UNEXPECTED.format(error=error)
    program = [sys.executable, "-c", code, *ARGUMENTS, "--profile", "once"]
    monkeypatch.setattr(house, "command", lambda *_: program)
    process = house.start()
    output, _ = process.communicate(timeout=300)
    folder = house.only_run()
    assert nothing_runs(folder, process.pid)
    assert (folder / "run.lock").read_text() == ""
    return process.returncode, output


def test_an_exception_that_nobody_expected_ends_its_trial_and_leaves_no_process(
    house: SuiteRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, output = raises(house, monkeypatch, "LookupError")
    assert code == 5, output
    trials = house.root.glob("results/*/trials/*/trial.json")
    records = [json.loads(file.read_text()) for file in trials]
    assert [record["reason"] for record in records] == ["harness-failed"]
    assert "LookupError: nobody expected this" in records[0]["detail"]
    assert "Traceback" not in output


def test_what_ends_the_core_leaves_no_process(
    house: SuiteRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, output = raises(house, monkeypatch, "Fatal")
    assert code == 1
    assert "Fatal: nobody expected this" in output


def test_a_verifier_that_fails_takes_its_trial_alone(house: SuiteRepository) -> None:
    verified_by(house, "return [] if 'honest' in spec['paths']['answers'] else facts['no such']")
    process = house.start(*ARGUMENTS, "--contender", "honest", "--profile", "once")
    output, _ = process.communicate(timeout=300)
    assert process.returncode == 4, output
    folder = house.only_run()
    records = [json.loads(file.read_text()) for file in folder.glob("trials/*/trial.json")]
    ends = {record["planned"]["contender"]: record for record in records}
    assert ends["honest"]["status"] == "ok"
    failed = ends["leaves-grandchild"]
    assert (failed["status"], failed["reason"]) == ("failed", "rules-failed")
    assert "KeyError: 'no such' (verify.py:3)" in failed["detail"]
    assert "the suite's verifier gave no verdict on it" in (folder / "report-en.md").read_text()
    assert nothing_runs(folder, process.pid)


def test_interrupts_that_keep_coming_leave_no_process(
    house: SuiteRepository, eventually: Eventually
) -> None:
    process = house.start(*ARGUMENTS)
    eventually(lambda: a_client_works(house), 120.0)
    folder = house.only_run()
    assert not nothing_runs(folder, process.pid)
    sent = 0
    while process.poll() is None and sent < 400:
        os.kill(process.pid, signal.SIGINT)
        sent += 1
        time.sleep(0.002)
    output, _ = process.communicate(timeout=120)
    assert sent > 1
    eventually(lambda: nothing_runs(folder, process.pid))
    assert process.returncode != 0, output


def test_a_killed_core_leaves_neither_process_nor_group(
    house: SuiteRepository, eventually: Eventually
) -> None:
    process = house.start(*ARGUMENTS)
    eventually(lambda: a_client_works(house), 120.0)
    folder = house.only_run()
    offers = offered(hierarchies()).places
    assert bool(removal.of_session(f"{folder.name}/{process.pid}")) == bool(offers)
    process.kill()
    process.communicate(timeout=120)
    eventually(lambda: nothing_runs(folder, process.pid))


def test_a_second_ctrl_c_does_not_stop_the_cleaning(
    house: SuiteRepository, eventually: Eventually
) -> None:
    process = house.start(*ARGUMENTS)
    eventually(lambda: a_client_works(house), 120.0)
    folder = house.only_run()
    os.kill(process.pid, signal.SIGINT)
    time.sleep(0.02)
    os.kill(process.pid, signal.SIGINT)
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 130, output
    assert "--resume" in output or "while the report was written" in output
    assert "Traceback" not in output
    assert nothing_runs(folder, process.pid)


def test_an_end_while_the_report_is_written_is_said(
    house: SuiteRepository, eventually: Eventually
) -> None:
    verified_by(house, "return []")
    report = house.root / "suites" / "loopback" / "report.py"
    report.write_text(
        "import time\n\n\ndef compose(context):\n"
        "    open('writing', 'w').close()\n    time.sleep(60)\n"
    )
    process = house.start(*ARGUMENTS, "--profile", "once")
    eventually((house.root / "writing").exists, 60.0)
    os.kill(process.pid, signal.SIGTERM)
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 130, output
    assert "interrupted while the report was written" in output
    assert f"wl report {house.only_run()}" in output
    assert "Traceback" not in output
