"""Commands of builds: kept, told shortly, and ended with everything they started."""

from __future__ import annotations

import signal
import time

import pytest
from build_parts import alive

from wirelab.build import Unavailable
from wirelab.build.commands import Log


@pytest.fixture
def log(tmp_path) -> Log:
    return Log(tmp_path / "build.log")


def test_everything_is_kept(log):
    log.run(["sh", "-c", "echo out; echo err >&2"])
    assert log.output(["sh", "-c", "echo answer; echo aside >&2"]) == "answer\n"
    text = log.path.read_text()
    assert text == (
        "$ sh -c 'echo out; echo err >&2'\nout\nerr\n$ sh -c 'echo answer; echo aside >&2'\naside\n"
    )
    assert list(log.path.parent.iterdir()) == [log.path]


def test_a_failure_shows_the_last_lines_of_its_own_command(log):
    log.run(["sh", "-c", "echo of an earlier command"])
    with pytest.raises(Unavailable) as raised:
        log.run(["sh", "-c", "seq 100; exit 3"])
    reason = raised.value.reason
    assert reason.startswith("sh failed with exit code 3:\n")
    assert reason.endswith("\n99\n100")
    assert "\n50\n" not in reason
    with pytest.raises(Unavailable) as raised:
        log.run(["sh", "-c", "exit 1"])
    assert "earlier" not in raised.value.reason


def test_a_signal_is_named(log):
    with pytest.raises(Unavailable, match="failed with signal SIGKILL"):
        log.run(["sh", "-c", "kill -9 $$"])


def test_a_program_that_is_not_there(log):
    with pytest.raises(Unavailable, match="no-such-program: No such file"):
        log.run(["no-such-program"])


def test_a_failure_may_be_allowed(log):
    log.run(["false"], must_succeed=False)


def test_wirelabs_own_python_path_reaches_no_build(log, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    answer = log.output(["sh", "-c", "echo ${PYTHONPATH-none} $OWN"], environment={"OWN": "kept"})
    assert answer == "none kept\n"


def test_ctrl_c_ends_what_was_started(log, tmp_path):
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        with pytest.raises(KeyboardInterrupt):
            log.run(["sh", "-c", f"sleep 1000 & echo $! > {tmp_path}/pid; wait"])
    finally:
        signal.signal(signal.SIGALRM, before)
    pid = int((tmp_path / "pid").read_text())
    for _ in range(100):
        if not alive(pid):
            return
        time.sleep(0.02)
    pytest.fail("a child of the build is still alive")
