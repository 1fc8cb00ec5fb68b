"""Places to look at after a role failed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from synthetic.behaviour import Client
from synthetic.manifests import faults_scenario, load_scenario, run_of
from wirelab.conform.last_words import last_words
from wirelab.conform.leftovers import command_line
from wirelab.model.planned import PlannedSchedule, PlannedTrial
from wirelab.model.run import Run
from wirelab.model.trial import RoleRecord, TrialRecord, TrialStatus
from wirelab.samples.run_folder import RunFolder
from wirelab.trial.crashes import check_by_hand, log_of, places_to_look


def run() -> Run:
    return run_of(
        "demo",
        "quick",
        scenarios={"s1": load_scenario(), "faults": faults_scenario()},
        clients={"swift": Client(median_ms=1.0)},
        plan=[],
        seed=1,
    )


def record(role: str = "client", log: str = "client.stderr", **planned: Any) -> TrialRecord:
    """A failed trial of swift, whose parameters are the scenario's where not given."""
    parameters = {"tags": 2000, "write_tags": 200, "security": "None"}
    given = {"scenario": "s1", "variant": "", "parameters": parameters, **planned}
    return TrialRecord.model_construct(
        planned=PlannedTrial.model_construct(
            id="0001",
            suite="demo",
            contender="swift",
            load=PlannedSchedule.model_construct(),
            **given,
        ),
        status=TrialStatus.FAILED,
        role=role,
        roles={role: RoleRecord(role=role, command=["py", "a b.py"], cpus=[], log=log)},
    )


def test_the_check_asks_for_the_same_case() -> None:
    swift = "./wl conform suites/demo/contenders/swift"
    assert check_by_hand(run(), record()) == f"{swift} --scenario s1 --role client"
    down = record(
        scenario="faults", variant="server-down", parameters={"request_timeout_ns": 1_000_000_000}
    )
    asked = "--scenario faults --variant server-down --role client"
    assert check_by_hand(run(), down) == f"{swift} {asked}"


def test_the_check_is_given_what_the_run_was_given() -> None:
    changed = {"tags": 9, "write_tags": 200, "security": "a b", "target": "127.0.0.1:1"}
    said = check_by_hand(run(), record(parameters=changed))
    assert said.endswith(" --role client --set tags=9 --set 'security=a b'")


def test_a_contender_elsewhere_is_checked_where_it_is() -> None:
    elsewhere = run().model_copy(update={"elsewhere": {"swift": "/far/my swift"}})
    said = check_by_hand(elsewhere, record())
    assert said == "./wl conform '/far/my swift' --suite demo --scenario s1 --role client"


def test_a_neutral_role_has_a_log_and_a_command_but_no_check(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.write_run(run())
    assert places_to_look(folder, record("server", "server-2.stderr")) == (
        f"log: {tmp_path}/trials/0001/server-2.stderr",
        "was started as: py 'a b.py'",
    )


def test_a_role_in_a_sandbox_can_be_looked_at_from_within(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    told = run().disclosure.model_copy(update={"sandbox": "bwrap 0.8.0"})
    folder.write_run(run().model_copy(update={"disclosure": told}))
    places = places_to_look(folder, record())
    assert f"its sandbox: ./wl shell {tmp_path} 0001 client" in places


def test_what_the_host_refused_or_went_well_has_no_log() -> None:
    of_the_host = record().model_copy(update={"role": ""})
    assert log_of(of_the_host) == ""
    assert log_of(record().model_copy(update={"status": TrialStatus.OK})) == ""
    assert log_of(record()) == "trials/0001/client.stderr"


@pytest.mark.parametrize("mark", ["\u202e", "\u2066", "\u200f", "\u2028", "\ufeff", "\x9b"])
def test_what_others_wrote_turns_nothing_around(tmp_path: Path, mark: str) -> None:
    folder = RunFolder(tmp_path)
    folder.write_run(run())
    waited = record()
    waited.roles["server"] = RoleRecord(
        role="server", command=["srv"], cpus=[], log="server.stderr", stderr_tail=f"a{mark}gnp.exe"
    )
    assert mark not in "".join(places_to_look(folder, waited))
    assert places_to_look(folder, waited)[-1].endswith("standard error ends: a?gnp.exe")
    assert last_words(f"ValueError: a{mark}b") == "standard error ends: ValueError: a?b"


def test_a_command_line_turns_nothing_around() -> None:
    words = "import time; time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", words, "\x1b]0;a\u202eb"]) as sleeping:
        try:
            said = command_line(sleeping.pid)
        finally:
            sleeping.kill()
    assert said.isprintable()


def test_what_others_wrote_last_is_told_and_where(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.write_run(run())
    others = {
        "server": RoleRecord(
            role="server",
            command=["srv"],
            cpus=[],
            log="server.stderr",
            stderr_tail="starts\nthe disk is full: senders wait\n",
        ),
        "responder": RoleRecord(role="responder", command=["r"], cpus=[], log="responder.stderr"),
    }
    waited = record()
    waited.roles.update(others)
    assert [line for line in places_to_look(folder, waited) if " wrote to " in line] == [
        f"server wrote to {tmp_path}/trials/0001/server.stderr: "
        "standard error ends: the disk is full: senders wait"
    ]
