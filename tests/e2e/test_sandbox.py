"""Limits of a sandbox, and the end of programs that misbehave in one."""

from __future__ import annotations

import json
import os
import re
import resource
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.conftest import SABOTAGED
from e2e.guarded import CONTENDERS, Guarded, confined, measured
from wirelab.samples.run_folder import RunFolder
from wirelab.sandbox import bubblewrap

pytestmark = [pytest.mark.e2e, pytest.mark.long(1)]

REFUSED = {
    "change-sources",
    "change-verifier",
    "change-system",
    "change-interpreter",
    "read-results",
    "list-results",
    "edit-own-record",
    "read-modules",
    "read-firmware",
    "read-home",
    "read-beside-runtime",
    "reach-host",
    "kill-foreign",
    "read-key",
    "read-passwords",
    "change-kernel",
    "change-network",
    "make-namespaces",
    "read-keeper",
    "fill-dev",
    "fill-results",
}
"""Attempts that end in an error of the system."""

ATTACKERS = sorted(CONTENDERS.keys() - {"honest"})


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    yield from measured(Guarded(tmp_path_factory.mktemp("guarded")), *ATTACKERS)


@confined
def test_what_a_role_must_not_do_fails(guarded: Guarded) -> None:
    (record,) = guarded.records("intruder")
    assert (record["status"], record["reason"]) == ("ok", ""), record["detail"]
    came: dict[str, str] = record["roles"]["client"]["ready"]["facts"]
    held = {name for name in REFUSED if came[name] == "0" or came[name].endswith("Error")}
    assert held == REFUSED, came
    assert came["kill-core"] in {"killed", "PermissionError"}  # nothing hears of it: see below
    assert 0 < int(came["fill-tmp"]) <= bubblewrap.PRIVATE_BYTES >> 20
    assert 0 < int(came["fill-home"]) <= bubblewrap.PRIVATE_BYTES >> 20
    assert int(came["see-processes"]) == 2  # its keeper and itself
    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    assert came["core-limit"] == ("(1, 1)" if most else "(0, 0)")
    assert came["user"] == bubblewrap.USER
    assert set(came["capabilities"]) == {"0"}
    assert came["no-new-privileges"] == "1"
    assert came["read-closed"] == "[]"
    assert came["list-optional"] in {"FileNotFoundError", "[]"}
    assert came["write-scratch"] == "written"
    assert came["own-address"] == "127.0.0.1"
    # Runtimes find the limits of memory and processors where they find them outside: in its own
    # groups, below those of the core.
    outside = re.sub(r"(:/)wirelab-.*|/wirelab-.*", r"\1", came["groups"])
    assert outside == Path("/proc/self/cgroup").read_text()
    assert guarded.result.read_text() == "{}"


@confined
def test_results_among_sources_are_not_seen_either(tmp_path: Path) -> None:
    found = Guarded(tmp_path)
    found.result = tmp_path / "elsewhere" / "guarded" / "out" / "earlier" / "trials" / "trial.json"
    found.result.parent.mkdir(parents=True)
    found.result.write_text("{}")
    place = str(found.result.parents[2])
    ended = found.attacked(9, os.getpid(), "--contender", "intruder", "--out", place)
    assert ended.returncode in SABOTAGED, ended.stdout + ended.stderr
    (record,) = found.result.parents[2].glob("*/trials/*/trial.json")
    loaded = json.loads(record.read_bytes())
    assert loaded["status"] == "ok", loaded["detail"]
    came = loaded["roles"]["client"]["ready"]["facts"]
    assert came["read-results"] == came["list-results"] == "FileNotFoundError"
    assert came["fill-results"] in {"0", "OSError"}  # nothing written, or not even tried


@confined
def test_a_process_without_any_tie_is_found_and_ended(guarded: Guarded) -> None:
    for name in ("daemon", "leaves-grandchild"):
        (record,) = guarded.records(name)
        assert (record["status"], record["reason"]) == ("failed", "left-children")


@confined
def test_folders_deeper_than_one_can_recurse_are_removed(guarded: Guarded) -> None:
    (record,) = guarded.records("nests")
    assert (record["status"], record["reason"]) == ("ok", ""), record["detail"]
    trial = guarded.run / "trials" / record["planned"]["id"]
    assert (trial / "client" / "x").is_dir()
    assert not (trial / "client.out").exists()
    RunFolder(guarded.run).begin_anew(trial)
    assert list(trial.iterdir()) == []


@confined
def test_a_signal_is_told_as_one(guarded: Guarded) -> None:
    (record,) = guarded.records("signals")
    assert record["reason"] == "exited"
    assert "signal 11" in record["detail"]
    assert record["roles"]["client"]["exit_code"] == -signal.SIGSEGV


@confined
def test_roles_of_a_trial_share_memory_and_trials_do_not(guarded: Guarded) -> None:
    records = guarded.records("shared")
    assert len(records) == 2
    for record in records:
        assert record["status"] == "ok", record["detail"]
        assert record["roles"]["server"]["ready"]["facts"]["met"] is False
        assert record["roles"]["client"]["ready"]["facts"]["met"] == "here"
