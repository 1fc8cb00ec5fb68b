"""What a sandbox holds back, and what it leaves as it was, through the command line."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import resource
import select
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from e2e.attackers import Attacker, write_suite
from e2e.conftest import SABOTAGED, House
from wirelab.processes import leftovers
from wirelab.samples.removal import remove
from wirelab.samples.run_folder import RunFolder
from wirelab.sandbox import bubblewrap

pytestmark = [pytest.mark.e2e, pytest.mark.long(1)]
confined = pytest.mark.needs("bwrap")

Json = dict[str, Any]
Eventually = Callable[..., None]

REFUSED = {
    "change-sources",
    "change-verifier",
    "change-system",
    "change-interpreter",
    "read-results",
    "list-results",
    "edit-own-record",
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

CONTENDERS = {
    "honest": Attacker("intruder"),
    "intruder": Attacker("intruder"),
    "daemon": Attacker("intruder"),
    "nests": Attacker("intruder"),
    "signals": Attacker("intruder"),
    "shared": Attacker("intruder", serves=True),
    "leaves-grandchild": Attacker("deviations"),
}

KEY = "the-key-of-the-test"

INVITING = f"""
import ctypes, os, platform, resource, sys
_, hard = resource.getrlimit(resource.RLIMIT_CORE)
resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))
add, keyctl = {{"x86_64": (248, 250), "aarch64": (217, 219)}}[platform.machine()]
libc = ctypes.CDLL(None)
own_session, new_session = ctypes.c_long(-3), ctypes.c_long(1)
assert libc.syscall(ctypes.c_long(keyctl), new_session, None) > 0
key = libc.syscall(ctypes.c_long(add), b"user", b"{KEY}", b"secret", ctypes.c_long(6), own_session)
assert key > 0
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Starts a program in a session with a key, and with core dumps as large as they may be."""

SENT = r"^wirelab_sent_total\{[^}]*\} [1-9]"
RESIDENT = r'^wirelab_resident_memory_bytes\{[^}]*role="(\w+)"[^}]*\} (\S+)'

LIMITS = {
    'ready_limit = "3s"': 'ready_limit = "60s"',
    'stop_limit = "3s"': 'stop_limit = "30s"',
    "smoke = { trials = 1, count = 60": "smoke = { trials = 2, count = 60",
    "smoke = { trials = 2, count = 130": "smoke = { trials = 1, count = 60",
}


class Guarded:
    """A house with victims around it, and what became of them."""

    def __init__(self, root: Path) -> None:
        write_suite(root / "elsewhere" / "guarded", CONTENDERS, LIMITS)
        self.house = House(root, "loopback")
        (root / "suites" / "loopback").unlink()
        (root / "suites" / "guarded").symlink_to(root / "elsewhere" / "guarded")
        self.result = root / "results" / "earlier" / "trials" / "0000" / "trial.json"
        self.result.parent.mkdir(parents=True)
        self.result.write_text("{}")
        self.home = root / "home"
        self.home.mkdir()
        (self.home / "secret").write_text("the key of everything")
        node = self.home / ".local" / "bin" / "node"
        self.beside = self.home / ".local" / "share" / "keyrings" / "login"
        for file in (node, self.beside):
            file.parent.mkdir(parents=True)
            file.write_text("#!/bin/sh\n")
        node.chmod(0o755)
        self.house.environment["PATH"] = f"{node.parent}:{os.environ['PATH']}"
        self.house.environment["HOME"] = str(self.home)
        self.house.launcher = [sys.executable, "-c", INVITING]

    def attacked(self, port: int, pid: int, *more: str) -> subprocess.CompletedProcess[str]:
        victims = {
            "result": str(self.result),
            "secret": str(self.home / "secret"),
            "beside": str(self.beside),
            "key": KEY,
            "port": port,
            "pid": pid,
        }
        self.house.environment["WIRELAB_INTRUDER"] = json.dumps(victims)
        return self.house.wl("run", "guarded", "--profile", "smoke", *more, timeout=600)

    @property
    def run(self) -> Path:
        (found,) = self.house.root.glob("results/*-guarded-*")
        return found

    def records(self, contender: str) -> list[Json]:
        found = sorted(self.run.glob(f"trials/*-{contender}*/trial.json"))
        assert found
        return [json.loads(path.read_bytes()) for path in found]


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    found = Guarded(tmp_path_factory.mktemp("guarded"))
    sleeper = [sys.executable, "-c", "import time; time.sleep(900)"]
    with socket.create_server(("127.0.0.1", 0)) as server, subprocess.Popen(sleeper) as victim:
        try:
            ended = found.attacked(server.getsockname()[1], victim.pid)
            assert ended.returncode in SABOTAGED, ended.stdout + ended.stderr
            assert victim.poll() is None
            yield found
        finally:
            victim.kill()
            # What removes the folders of tests recurses, and these are deeper.
            for nested in found.run.glob("trials/*-nests"):
                remove(nested)


@pytest.fixture(scope="module")
def unguarded(guarded: Guarded) -> Path:
    """A run of the same without a sandbox."""
    options = ("--no-sandbox", "--contender", "honest", "--profile", "smoke", "--out", "plain")
    ended = guarded.house.wl("run", "guarded", *options)
    assert ended.returncode in SABOTAGED, ended.stdout + ended.stderr
    assert "sandbox" not in ended.stdout
    (run,) = (guarded.house.root / "plain").iterdir()
    return run


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
def test_an_honest_trial_is_as_it_is_without(guarded: Guarded, unguarded: Path) -> None:
    (without,) = unguarded.glob("trials/*/trial.json")
    (record,) = guarded.records("honest")
    for one in (record, json.loads(without.read_bytes())):
        assert (one["status"], one["reason"], one["wrong_answers"]) == ("ok", "", [])
        assert one["roles"]["client"]["exit_code"] == one["roles"]["server"]["exit_code"] == 0
        assert one["roles"]["server"]["owns_socket"] is True
    assert record["verified"] == json.loads(without.read_bytes())["verified"] > 0
    assert record["monitor_failure"] == ""
    names = {path.name for path in without.parent.iterdir()}
    assert {path.name for path in (next(guarded.run.glob("trials/*-honest"))).iterdir()} == names


@confined
def test_figures_of_resources_are_of_the_worker_alone(guarded: Guarded) -> None:
    result = json.loads((guarded.run / "result.json").read_bytes())
    (cell,) = [one for one in result["cells"] if one["contender"] == "honest"]
    assert 1 < cell["metrics"]["rss.max"]["value"] < 200  # MB
    assert cell["metrics"]["cpu.mean"]["value"] is not None
    (monitored,) = guarded.run.glob("trials/*-honest/monitor.parquet")
    rows = pq.read_table(monitored).to_pylist()
    assert max(row["processes"] for row in rows if row["role"] == "client") == 1
    assert max(row["net_rx_bytes"] for row in rows if row["role"] == "host") > 0


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


@confined
def test_a_sandbox_is_opened_by_hand(guarded: Guarded) -> None:
    (trial,) = guarded.run.glob("trials/*-honest")
    looks = 'pwd; id -u; grep -c role "$WIRELAB_SPEC"; ls ..; touch new; ls "$HOME"; exit 7'
    asked = (str(guarded.run), trial.name, "client", "--", "sh", "-c", looks)
    ended = guarded.house.wl("shell", *asked)
    assert ended.returncode == 7, ended.stderr
    *seen, last = ended.stdout.split()
    assert seen[:3] == [str(trial / "client"), bubblewrap.USER, "1"]
    files = {"client.answers.jsonl", "client.spec.json"}  # not the core's, nor other roles'
    assert {*seen[3:], last} == {"client", "server"} | files
    assert "Read-only file system" in ended.stderr


@confined
def test_what_is_typed_reaches_who_is_in_the_sandbox(guarded: Guarded) -> None:
    (trial,) = guarded.run.glob("trials/*-honest")
    caught = "import time\ntry: print('waits', flush=True); time.sleep(300)\n"
    caught += "except KeyboardInterrupt: print('caught', flush=True); raise SystemExit(9)"
    asked = (str(guarded.run), trial.name, "client", "--", sys.executable, "-c", caught)
    ours, its = pty.openpty()
    command = guarded.house.command("shell", *asked)
    streams = {"stdin": its, "stdout": its, "stderr": its}
    with subprocess.Popen(
        command, cwd=guarded.house.root, env=guarded.house.environment, **streams
    ) as opened:
        os.close(its)
        seen = _read_until(ours, b"waits")
        os.write(ours, b"\x03")
        seen += _read_until(ours, b"caught")
        assert opened.wait(timeout=60) == 9, seen
    os.close(ours)


def _read_until(terminal: int, expected: bytes) -> bytes:
    """What a terminal shows, up to these bytes; all of it where they never come."""
    seen = b""
    while expected not in seen and select.select([terminal], [], [], 60)[0]:
        try:
            seen += os.read(terminal, 4096)
        except OSError:
            break
    return seen


@confined
def test_results_and_reports_say_it(guarded: Guarded) -> None:
    result = json.loads((guarded.run / "result.json").read_bytes())
    assert result["disclosure"]["sandbox"].startswith("bubblewrap ")
    assert "**sandbox of the roles**: bubblewrap" in (guarded.run / "report-en.md").read_text()
    assert "**역할의 샌드박스**: bubblewrap" in (guarded.run / "report-ko.md").read_text()


@confined
def test_a_run_without_one_says_that_it_was_asked_for(guarded: Guarded, unguarded: Path) -> None:
    disclosed = json.loads((unguarded / "run.json").read_bytes())["disclosure"]
    assert (disclosed["sandbox"], disclosed["unconfined"]) == ("", "")
    said = "**sandbox of the roles**: none, as asked for (--no-sandbox): the roles ran with all"
    assert said in (unguarded / "report-en.md").read_text()
    assert "지정한 대로(--no-sandbox)" in (unguarded / "report-ko.md").read_text()
    compared = guarded.house.wl("compare", str(unguarded), str(guarded.run))
    assert re.search(r"^sandbox: none → bubblewrap [\d.]+$", compared.stdout, re.MULTILINE)


@confined
def test_a_run_goes_on_as_it_began(guarded: Guarded, tmp_path: Path) -> None:
    refused = guarded.house.wl("run", "--resume", str(guarded.run), "--no-sandbox")
    assert refused.returncode == 2
    assert "begun in one" in " ".join(refused.stderr.replace("│", " ").split())
    refuse_sandboxes(guarded.house, tmp_path)
    refused = guarded.house.wl("run", "--resume", str(guarded.run))
    guarded.house.environment["PATH"] = os.environ["PATH"]
    assert refused.returncode == 2
    assert "the roles of this run are to be kept in sandboxes" in refused.stderr
    assert "Permission denied" in refused.stderr


@confined
def test_live_figures_are_of_the_roles(tmp_path: Path) -> None:
    options = ("--contender", "honest", "--profile", "quick", "--metrics", "0")
    running = Guarded(tmp_path).house.start("run", "guarded", *options)
    seen = ""
    try:
        assert running.stdout is not None
        said = running.stdout.readline()
        (served,) = re.findall(r"live metrics: (http://127\.0\.0\.1:\d+/metrics)", said)
        while running.poll() is None and not re.search(SENT, seen, re.MULTILINE):
            with contextlib.suppress(OSError), urllib.request.urlopen(served, timeout=30) as page:
                seen = page.read().decode()
            time.sleep(0.1)
    finally:
        running.communicate(timeout=300)
    assert re.search(SENT, seen, re.MULTILINE), seen
    resident = re.findall(RESIDENT, seen, re.MULTILINE)
    assert {role for role, _ in resident} >= {"server", "client"}
    assert min(float(size) for _, size in resident) > 0


def alive(pid: int) -> bool:
    """Whether a process still runs; one that nobody has taken note of yet does not."""
    stat = leftovers.stat_of(pid)
    return stat is not None and stat[0] != "Z"


def namespaces(pids: Iterable[int]) -> set[str]:
    """Networks, process trees and mounts that these processes use, and this one does not."""

    def used(pid: int) -> set[str]:
        found = set()
        for kind in ("net", "pid", "mnt"):
            with contextlib.suppress(OSError):
                found.add(str(Path(f"/proc/{pid}/ns/{kind}").readlink()))
        return found

    return set().union(*map(used, pids)) - used(os.getpid())


def below_core(core: int) -> set[int]:
    return {pid for pid in leftovers.below(core) if "bwrap" in command_of(pid)}


def command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace")
    except OSError:
        return ""


@confined
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_of_a_sandbox(
    tmp_path: Path, eventually: Eventually, number: signal.Signals
) -> None:
    house = Guarded(tmp_path).house
    mounts = Path("/proc/self/mounts").read_text()
    options = ("--contender", "honest", "--profile", "quick")
    process = house.start("run", "guarded", *options)
    written = "results/*/trials/0000-*/client.out/client.samples"
    eventually(lambda: list(house.root.glob(written)) != [], 120.0)
    below = leftovers.below(process.pid)
    assert len(below_core(process.pid)) == 2
    used = namespaces(below)
    assert len(used) >= 6  # a network of both, and of each its processes and mounts
    os.kill(process.pid, number)
    output, _ = process.communicate(timeout=120)
    assert process.returncode == (130 if number == signal.SIGINT else -9), output
    eventually(lambda: not used & namespaces(leftovers.processes()))
    eventually(lambda: not any(map(alive, below)))
    assert Path("/proc/self/mounts").read_text() == mounts


def refuse_sandboxes(house: House, folder: Path) -> None:
    """A bubblewrap that the machine does not let do its work."""
    refusing = folder / "bin" / "bwrap"
    refusing.parent.mkdir()
    refusing.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo bubblewrap 0.8.0 && exit 0\n'
        "echo 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n"
    )
    refusing.chmod(0o755)
    house.environment["PATH"] = f"{refusing.parent}:{os.environ['PATH']}"


def test_who_insists_on_a_sandbox_that_is_missing_is_told_the_remedy(tmp_path: Path) -> None:
    house = Guarded(tmp_path).house
    empty = tmp_path / "bin"
    empty.mkdir()
    house.environment["PATH"] = str(empty)
    ended = house.wl("run", "guarded", "--sandbox", "--profile", "smoke")
    assert ended.returncode == 2
    assert "bwrap is missing" in ended.stderr
    assert "--install" in ended.stderr or "apt-get install" in ended.stderr
    assert not list(tmp_path.glob("results/*-guarded-*"))


def test_where_a_sandbox_does_not_start_a_run_goes_on_and_says_why(tmp_path: Path) -> None:
    house = Guarded(tmp_path).house
    refuse_sandboxes(house, tmp_path)
    options = ("--contender", "honest", "--profile", "smoke")
    insisted = house.wl("run", "guarded", "--sandbox", *options)
    assert insisted.returncode == 2
    assert "setting up uid map: Permission denied" in insisted.stderr
    assert "Traceback" not in insisted.stderr
    assert not list(tmp_path.glob("results/*-guarded-*"))
    ended = house.wl("run", "guarded", *options)
    assert ended.returncode in SABOTAGED, ended.stdout + ended.stderr
    assert "roles run with all your rights, in no sandbox: no sandbox can be" in ended.stdout
    assert "Permission denied; to mend it: " in ended.stdout
    (run,) = tmp_path.glob("results/*-guarded-*")
    disclosed = json.loads((run / "run.json").read_bytes())["disclosure"]
    assert disclosed["sandbox"] == ""
    assert "Permission denied; to mend it: " in disclosed["unconfined"]
    said = "**sandbox of the roles**: none, because none could be started (no sandbox can be"
    assert said in (run / "report-en.md").read_text()
    assert "샌드박스를 시작할 수 없어" in (run / "report-ko.md").read_text()
