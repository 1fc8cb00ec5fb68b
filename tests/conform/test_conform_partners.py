"""The partners of a worker: how often they start, what becomes of them, and whose fault it is."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from conform_servers import LINES, checked, failures, line_server, server
from to_check import workers

from wirelab import conform
from wirelab.conform import CannotCheckError, CheckedWorker
from wirelab.run.checking import WantedChecks

WORKERS = Path(__file__).parents[1] / "sabotage/workers"

PARTNER = """
import subprocess, sys
sys.path.insert(0, {workers!r})
from reference import *

class Partner(Reference):
    def reply(self, server, words):
        {reply}
        return super().reply(server, words)

with open({log!r}, "a") as log:
    log.write(f"{{os.getpid()}}\\n")
{change}
Partner(read_spec()).run()
"""


def partner(tmp_path: Path, reply: str = "pass", change: str = "") -> CheckedWorker:
    """The honest server of lines, which notes each of its starts."""
    source, log = tmp_path / "partner.py", tmp_path / "starts"
    log.touch()
    text = PARTNER.format(workers=str(WORKERS), log=str(log), reply=reply, change=change)
    source.write_text(text)
    return replace(server(LINES), command=[sys.executable, str(source)])


def starts(tmp_path: Path) -> list[int]:
    """The process of each start of the partner."""
    return [int(line) for line in (tmp_path / "starts").read_text().split()]


def client(*partners: CheckedWorker) -> CheckedWorker:
    """The honest client of lines."""
    [worker] = workers(LINES, WantedChecks(scenario="s1"))
    return replace(worker, partners=partners)


def running(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def test_a_partner_is_started_once_for_trials_one_after_the_other(tmp_path: Path) -> None:
    found = checked(client(partner(tmp_path)))
    assert failures(found) == {}
    assert {"values", "stop", "stop before start", "end of input"} <= set(found)
    [pid] = starts(tmp_path)
    assert not running(pid)


def test_trials_side_by_side_have_partners_each(tmp_path: Path) -> None:
    found = checked(replace(server(LINES), partners=(partner(tmp_path),)))
    assert failures(found) == {}
    assert found["beside"].outcome == found["restart"].outcome == "pass"
    pids = starts(tmp_path)
    assert len(pids) == 2
    assert not any(map(running, pids))


def test_a_partner_that_is_dead_is_killed_once(tmp_path: Path) -> None:
    worker = client(partner(tmp_path))
    found = checked(replace(worker, killed=frozenset(["server"]), command=["true"]))
    assert "exit 0 before ready" in failures(found)["ready"]
    [pid] = starts(tmp_path)
    assert not running(pid)


# In the preflight, in the whole schedule, and in a trial after it.
@pytest.mark.parametrize("requests", [2, 9, 25])
def test_a_partner_that_dies_is_not_the_worker_s_fault(tmp_path: Path, requests: int) -> None:
    reply = (
        "self.asked = getattr(self, 'asked', 0) + 1\n"
        f"        if self.asked == {requests}:\n"
        "            print('no more beans', file=sys.stderr, flush=True)\n"
        "            os._exit(7)"
    )
    with pytest.raises(CannotCheckError) as told:
        conform.check(client(partner(tmp_path, reply)))
    assert "the role server, which this worker needs, ended in the middle" in str(told.value)
    assert "exit 7; standard error ends: no more beans" in str(told.value)
    assert len(starts(tmp_path)) == 1


def test_a_partner_that_ends_slowly_is_not_the_worker_s_fault(tmp_path: Path) -> None:
    # It refuses everybody first, as a server does that shuts down.
    change = "Connection.handle = lambda self: (time.sleep(0.1), os._exit(7))"
    with pytest.raises(CannotCheckError, match="ended in the middle of a trial: exit 7"):
        conform.check(client(partner(tmp_path, change=change)))


def test_a_partner_that_does_not_get_ready_is_told_of(tmp_path: Path) -> None:
    change = "sys.exit('the oven is cold')"
    with pytest.raises(CannotCheckError, match=r"did not get ready: exit 1; .* the oven is cold"):
        conform.check(client(partner(tmp_path, change=change)))


ORPHAN = (
    "if os.fork() == 0:\n"
    "    child = subprocess.Popen(['sleep', '300'])\n"
    "    open({place!r}, 'w').write(str(child.pid))\n"
    "    os._exit(0)\n"
    "os.wait()"
)


def test_what_a_partner_left_running_is_not_the_worker_s(tmp_path: Path) -> None:
    place = tmp_path / "orphan"
    change = ORPHAN.format(place=str(place))
    reply = f"os.kill(int(open({str(place)!r}).read()), 0)"
    found = checked(client(partner(tmp_path, reply, change)))
    # Every answer came while the orphan was there, and it is gone with the partner.
    assert failures(found) == {}
    assert not running(int(place.read_text()))


def test_what_a_worker_leaves_beside_a_partner_is_found(tmp_path: Path) -> None:
    change = ORPHAN.format(place=str(tmp_path / "orphan"))
    worker = line_server(tmp_path, change=f"\n{change}\n")
    found = failures(checked(replace(worker, partners=(partner(tmp_path),))))
    assert "left running: sleep 300" in found["leftovers"]
    assert not running(int((tmp_path / "orphan").read_text()))
