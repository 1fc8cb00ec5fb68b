"""Processes of the machine: roles get processors, and nothing of a trial outlives it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from wirelab.processes import leftovers, pinning
from wirelab.processes.guardian import Guardian
from wirelab.processes.interrupts import terminated_as_interrupted
from wirelab.processes.kept import KeptProcess
from wirelab.processes.pinning import pinned

SLEEPER = [sys.executable, "-c", "import time; time.sleep(60)"]


def sleeper(mark: str, **more: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(SLEEPER, env={**os.environ, "WIRELAB_TRIAL": mark}, **more)  # type: ignore[call-overload,no-any-return]


def test_roles_get_whole_cores_of_their_own() -> None:
    cores = [[0, 4], [1, 5], [2, 6], [3, 7]]
    assigned = pinning.assign({"server": 1, "client": 1}, cores)
    assert assigned == {"server": [0, 1, 4, 5], "client": [2, 3, 6, 7]}


def test_weights_share_the_cores_out() -> None:
    assigned = pinning.assign({"server": 3, "client": 1}, [[n] for n in range(8)])
    assert (len(assigned["server"]), len(assigned["client"])) == (6, 2)


def test_a_small_weight_still_gets_a_core() -> None:
    assigned = pinning.assign({"server": 100, "client": 1}, [[0], [1]])
    assert assigned == {"server": [0], "client": [1]}


def test_too_few_cores_pin_nothing() -> None:
    assert pinning.assign({"server": 1, "client": 1}, [[0]]) == {"server": [], "client": []}


def test_a_refused_pin_is_said_and_survived() -> None:
    before = os.sched_getaffinity(0)
    with pinned([100_000]) as refused:
        assert "100000" in refused
    with pinned([min(before)]) as refused:
        assert refused == ""
        assert os.sched_getaffinity(0) == {min(before)}
    assert os.sched_getaffinity(0) == before


def test_a_marked_process_is_found_and_ended_even_in_a_session_of_its_own() -> None:
    process = sleeper("run-x/trial-1", start_new_session=True)
    try:
        assert leftovers.end(lambda mark: mark == "run-x/trial-1") == [process.pid]
        assert process.wait(timeout=5) == -9
        assert leftovers.end(lambda mark: mark == "run-x/trial-1") == []
    finally:
        process.kill()


def test_a_process_is_found_in_the_moment_it_is_started() -> None:
    """Its environment is not there for some microseconds after its parent knows that it is."""
    missed = 0
    for number in range(50):
        mark = f"run-x/young-{number}"
        with subprocess.Popen(["sleep", "60"], env={"WIRELAB_TRIAL": mark}) as process:
            missed += leftovers.end(lambda found, mark=mark: found == mark) != [process.pid]
            process.kill()
    assert missed == 0


def test_descendants_that_cleared_their_environment_are_found_through_their_parent() -> None:
    script = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'], env={})\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        env={**os.environ, "WIRELAB_TRIAL": "run-x/trial-2"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    with process, process.stdout:
        child = int(process.stdout.readline())
        ended = leftovers.end(lambda mark: mark == "run-x/trial-2")
    assert sorted(ended) == sorted([process.pid, child])
    assert leftovers.stat_of(child) is None or leftovers.stat_of(child)[0] in "ZX"  # type: ignore[index]


def test_an_id_that_is_somebody_elses_meanwhile_is_left_alone() -> None:
    process = sleeper("run-y/trial-1")
    try:
        leftovers.kill({process.pid}, set)
        assert process.poll() is None
        leftovers.kill({process.pid, 0x3FFFFF}, lambda: {process.pid, 0x3FFFFF})
        assert process.wait(timeout=10) == -9
    finally:
        process.kill()
        process.wait()


def test_other_marks_are_left_alone() -> None:
    process = sleeper("run-y/trial-1")
    try:
        assert leftovers.end(lambda mark: mark == "run-x/trial-1") == []
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()


def test_the_guardian_ends_what_a_killed_core_left() -> None:
    core = (
        "import subprocess, sys, time, os\n"
        "from wirelab.processes.guardian import Guardian\n"
        "with Guardian('run-g'):\n"
        "    env = {**os.environ, 'WIRELAB_TRIAL': 'run-g/trial-1'}\n"
        f"    child = subprocess.Popen({SLEEPER!r}, env=env, start_new_session=True)\n"
        "    print(child.pid, flush=True)\n"
        "    time.sleep(60)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", core], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process, process.stdout:
        child = int(process.stdout.readline())
        process.kill()
    for _ in range(200):
        stat = leftovers.stat_of(child)
        if stat is None or stat[0] == "Z":
            return
        time.sleep(0.05)
    os.kill(child, 9)
    pytest.fail("the guardian left a process of the dead core alive")


def test_the_core_ends_what_is_left_before_it_says_goodbye() -> None:
    left, other = sleeper("run-h/trial-1"), sleeper("run-i/trial-1")
    try:
        with pytest.raises(LookupError), Guardian("run-h"):
            raise LookupError("nobody expected this")
        assert left.wait(timeout=30) == -9
        assert other.poll() is None
    finally:
        for process in (left, other):
            process.kill()
            process.wait()


@pytest.mark.parametrize(("before", "interrupted"), [("ignored", False), ("default", True)])
def test_what_nohup_has_ignored_stays_ignored(before: str, interrupted: bool) -> None:
    handler = signal.SIG_IGN if before == "ignored" else signal.SIG_DFL
    earlier = signal.signal(signal.SIGHUP, handler)
    heard = False
    try:
        with terminated_as_interrupted():
            os.kill(os.getpid(), signal.SIGHUP)
    except KeyboardInterrupt:
        heard = True
    finally:
        signal.signal(signal.SIGHUP, earlier)
    assert heard is interrupted


KEPT = """
import os, sys
from pathlib import Path
from wirelab.processes.kept import KeptProcess

kept = KeptProcess(
    [sys.executable, "-c", {script!r}], os.environ, Path.cwd(),
    mark="run-k/trial-1", role="client", introduce=lambda _: None,
)
print(kept.stdout.readline().decode().strip(), flush=True)
sys.stdin.read()
"""

ESCAPES = """
import os, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        print(os.getpid(), flush=True)
        for stream in range(3):
            os.close(stream)
        os.execve(sys.executable, [sys.executable, "-c", "import time; time.sleep(60)"], {})
    os._exit(0)
os.wait()
sys.stdin.read()
"""


def kept(command: list[str]) -> KeptProcess:
    return KeptProcess(
        command, os.environ, Path.cwd(), mark="run-k/t", role="client", introduce=lambda _: None
    )


def released(process: KeptProcess) -> None:
    process.close()
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()


def is_gone(pid: int) -> bool:
    stat = leftovers.stat_of(pid)
    return stat is None or stat[0] == "Z"


def test_a_kept_process_says_its_exit_code_to_everybody_who_waits() -> None:
    process = kept([sys.executable, "-c", "input(); raise SystemExit(3)"])
    assert process.poll() is None
    codes: list[int | None] = []
    waiting = [threading.Thread(target=lambda: codes.append(process.wait())) for _ in range(3)]
    for thread in waiting:
        thread.start()
    process.stdin.write(b"\n")
    process.stdin.flush()
    for thread in waiting:
        thread.join(timeout=30)
    assert codes == [3, 3, 3]
    assert process.poll() == 3
    assert process.let_go() == 0
    released(process)


def test_a_kept_process_leads_a_session_and_is_ended_by_signals() -> None:
    process = kept(["sleep", "60"])
    assert os.getsid(process.pid) == process.pid
    os.killpg(process.pid, 15)
    assert process.wait(30) == -15
    released(process)


def test_what_cannot_be_started_says_why() -> None:
    with pytest.raises(OSError, match="No such file"):
        kept(["/no/such/program"])


def test_an_orphan_without_an_environment_is_ended_with_its_role() -> None:
    process = kept([sys.executable, "-c", ESCAPES])
    orphan = int(process.stdout.readline())
    process.stdin.close()
    assert process.wait(30) == 0
    assert not is_gone(orphan)
    assert process.let_go() == 1
    assert is_gone(orphan)
    released(process)


ENDS_AFTER = """
import os, time
waits, holds = os.pipe()
if os.fork() == 0:
    os.close(holds)
    print(os.getpid(), flush=True)
    os.read(waits, 1)
    time.sleep(0.1)
    os._exit(0)
input()
"""


def test_what_ends_with_its_parent_was_not_left() -> None:
    process = kept([sys.executable, "-c", ENDS_AFTER])
    child = int(process.stdout.readline())
    process.stdin.write(b"\n")
    process.stdin.flush()
    assert process.wait(30) == 0
    assert process.let_go() == 0
    assert is_gone(child)
    released(process)


def test_a_killed_keeper_counts_as_a_killed_process() -> None:
    process = kept(["sleep", "60"])
    os.kill(process.keeper_pid, 9)
    assert process.wait(30) == -9
    os.kill(process.pid, 9)
    released(process)


def test_an_orphan_without_an_environment_ends_with_a_killed_core() -> None:
    core = [sys.executable, "-c", KEPT.format(script=ESCAPES)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(core, text=True, **pipes) as process:  # type: ignore[call-overload]
        orphan = int(process.stdout.readline())
        assert not is_gone(orphan)
        process.kill()
    for _ in range(600):
        if is_gone(orphan):
            return
        time.sleep(0.05)
    os.kill(orphan, 9)
    pytest.fail("an orphan of the dead core's role is alive")


READS_ITS_SECRET = """
import os, sys
given = int(os.environ["WIRELAB_SECRET"])
print(os.read(given, 100).hex(), os.read(given, 100), flush=True)
sys.stdin.read()
"""


def test_a_secret_is_in_a_descriptor_and_nowhere_else() -> None:
    secret = os.urandom(32)
    process = KeptProcess(
        [sys.executable, "-c", READS_ITS_SECRET],
        os.environ,
        Path.cwd(),
        mark="run-k/t",
        role="server",
        introduce=lambda _: None,
        secret=secret,
    )
    try:
        assert process.stdout.readline().decode().split() == [secret.hex(), "b''"]
        for pid in (process.pid, process.keeper_pid):
            for name in ("environ", "cmdline"):
                told = Path(f"/proc/{pid}/{name}").read_bytes()
                assert told
                assert secret not in told
                assert secret.hex().encode() not in told
    finally:
        released(process)
