"""The doctor tells what it sees, and what it cannot see."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import psutil
import pytest

from cli.command_lines import on_a_terminal, piped
from wirelab import cache
from wirelab.build import tools
from wirelab.cgroups.hierarchies import hierarchies
from wirelab.cgroups.offer import offered
from wirelab.doctor import (
    Examined,
    Health,
    cgroups,
    disclosure,
    examine,
    machine,
    quiet,
    toolchains,
)
from wirelab.doctor.neighbours import Neighbour

STILL = quiet.Noise(canary_ns=1_000_000, canary_spread=0.01, steal_ratio=0.0, foreign_cores=0.01)


@pytest.fixture(scope="module")
def examined(tmp_path_factory: pytest.TempPathFactory) -> list[Examined]:
    """An examination of this machine, and of a folder that is not there yet."""
    return examine(tmp_path_factory.mktemp("results") / "not" / "there" / "yet")


@pytest.fixture
def checks(examined: list[Examined]) -> dict[str, Examined]:
    return {check.name: check for check in examined}


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine whose quietness is known, so that nobody has to measure it."""
    monkeypatch.setattr(quiet, "measure_noise", lambda: STILL)
    monkeypatch.setattr(quiet, "measure_timer", lambda: quiet.TimerGrain(60_000, 90_000, 200_000))


def test_every_check_has_a_name_of_its_own_and_advice_where_it_is_needed(examined, checks):
    assert len(checks) == len(examined)
    for check in examined:
        assert check.found
        assert bool(check.advice) == (check.health is not Health.OK)


def test_what_is_looked_at(checks):
    assert {
        *("processors", "smt", "governor", "turbo", "pinning", "clock-source", "timer", "steal"),
        *("neighbours", "evenness", "pressure", "open-files", "cpu-quota", "cgroup", "disk"),
        *(
            "memory",
            "cache",
            "sandbox",
            "build-cmake",
            "build-maven",
            "build-npm",
            "build-cargo",
            "build-go",
            "build-dotnet",
        ),
    } == set(checks)


@pytest.mark.usefixtures("still")
def test_what_stands_in_the_way_of_a_sandbox_is_named(monkeypatch, tmp_path):
    refusing = tmp_path / "bwrap"
    refusing.write_text(
        "#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2; exit 1\n"
    )
    refusing.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    (found,) = [check for check in examine(tmp_path) if check.name == "sandbox"]
    assert found.health is Health.WARN
    assert found.found.endswith("bwrap: setting up uid map: Permission denied")
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    (found,) = [check for check in examine(tmp_path) if check.name == "sandbox"]
    assert (found.found, found.advice) == ("bwrap is not installed", "apt-get install bubblewrap")


@pytest.mark.needs("bwrap")
def test_a_sandbox_is_really_started(checks):
    assert "bubblewrap" in checks["sandbox"].found


def test_what_control_groups_give_is_told_or_what_stands_in_the_way(checks):
    found, offer = checks["cgroup"], offered(hierarchies())
    for need, place in offer.places.items():
        assert f"{need} (version {place.version})" in found.found
    assert found.health is (Health.WARN if offer.reason else Health.OK)
    assert offer.reason in found.found
    assert found.advice == offer.remedy


def test_the_disclosure_is_plain_data():
    told = disclosure()
    assert json.loads(json.dumps(told)) == told
    assert told["cpus"] == len(os.sched_getaffinity(0))
    assert told["memory_bytes"] > 0
    assert told["kernel"] == os.uname().release
    assert told["toolchains"]["python"].startswith("3.")
    assert os.uname().nodename not in json.dumps([v for k, v in told.items() if k != "kernel"])


@pytest.mark.usefixtures("still")
def test_the_size_of_what_was_built_is_shown(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("WIRELAB_CACHE_GIB", "3")
    build = tmp_path / "wirelab" / "builds" / "demo-one-0123"
    build.mkdir(parents=True)
    with (build / "program").open("wb") as program:
        program.truncate(2**31)
    found = {check.name: check.found for check in examine(tmp_path)}
    where = f"2.0 of at most 3 GiB in {tmp_path / 'wirelab'} "
    assert found["cache"].startswith(where)


@pytest.mark.usefixtures("still")
def test_a_noisy_machine_is_told(monkeypatch, tmp_path):
    noise = quiet.Noise(canary_ns=1_000_000, canary_spread=0.3, steal_ratio=0.2, foreign_cores=1.5)
    monkeypatch.setattr(quiet, "measure_noise", lambda: noise)
    found = {check.name: check for check in examine(tmp_path)}
    assert found["steal"].health is Health.BAD
    assert found["steal"].found.startswith("20.0%")
    assert found["neighbours"].health is Health.WARN
    assert "1.50 cores" in found["neighbours"].found
    assert "the busiest by cores: " in found["neighbours"].found
    assert found["evenness"].health is Health.WARN


def test_who_disturbs_is_named(tmp_path):
    """Only by name and number: what a process was called with may be nobody's business."""
    busy = [sys.executable, "-c", "while True: pass", "secret"]
    with subprocess.Popen(busy) as neighbour:
        try:
            name = psutil.Process(neighbour.pid).name()
            # A child of the doctor's own would be left out.
            said = piped("doctor", cwd=tmp_path).stdout
        finally:
            neighbour.kill()
    (line,) = (line for line in said.splitlines() if "neighbours" in line)
    others = re.findall(r"\(pid (\d+)\) \d\.\d\d", line)
    assert str(neighbour.pid) in others or len(others) == 5, line
    assert f"{name} (pid {neighbour.pid})" in line or len(others) == 5, line
    assert "secret" not in said


def test_a_name_of_a_process_is_no_markup_and_moves_no_cursor():
    assert str(Neighbour("a\x1b[2J[red]b", 7, 1.0)) == "a?[2J[red]b (pid 7) 1.00"


def test_lines_are_not_broken(tmp_path):
    _, said = on_a_terminal("doctor", cwd=tmp_path, columns=80)
    (line,) = (line for line in said.splitlines() if re.match(r"\S+ +cache ", line))
    assert "GiB" in line
    assert str(cache.home()) in line


@pytest.mark.usefixtures("still")
def test_a_quiet_machine_is_fine(tmp_path):
    found = {check.name: check for check in examine(tmp_path)}
    for name in ("steal", "neighbours", "evenness", "timer"):
        assert found[name].health is Health.OK


@pytest.mark.usefixtures("still")
def test_one_processor_only(monkeypatch, tmp_path):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    found = {check.name: check for check in examine(tmp_path)}
    assert found["processors"].health is Health.WARN


@pytest.mark.usefixtures("still")
def test_pinning_that_is_forbidden(monkeypatch, tmp_path):
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    with monkeypatch.context() as forbidden:
        forbidden.setattr(os, "sched_setaffinity", refuse)
        refused = quiet.pinning_refused()
    assert refused == "Operation not permitted"
    monkeypatch.setattr(quiet, "pinning_refused", lambda: refused)
    found = {check.name: check for check in examine(tmp_path)}
    assert found["pinning"].health is Health.WARN
    assert found["pinning"].found == refused


def test_pinning_leaves_the_affinity_as_it_was():
    before = os.sched_getaffinity(0)
    assert quiet.pinning_refused() == ""
    assert os.sched_getaffinity(0) == before


def test_noise_and_timer_are_figures():
    noise, grain = quiet.measure_noise(), quiet.measure_timer()
    assert noise.canary_ns > 0
    assert noise.canary_spread >= 0
    assert 0 <= noise.steal_ratio <= 1
    assert noise.foreign_cores >= 0
    assert 0 < grain.median_ns <= grain.p95_ns


def test_a_missing_toolchain_comes_with_its_command(monkeypatch, tmp_path):
    for name in ("PATH", "HOME", "DOTNET_ROOT"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    tools.ask_again()
    found = {check.name: check for check in toolchains.checks()}
    assert found["build-cmake"].health is Health.WARN
    assert found["build-cmake"].found == "cmake is missing; make is missing; cc is missing"
    assert found["build-cmake"].advice == (
        "sudo apt-get install -y --no-install-recommends cmake make gcc libc6-dev"
    )
    assert found["build-dotnet"].found == "dotnet is missing"
    assert found["build-dotnet"].advice.startswith("install the .NET SDK 10.0 or later: on PATH")
    assert toolchains.versions().keys() == {"python"}


def test_an_old_toolchain_is_told(monkeypatch, tmp_path):
    for name, answer in {"node": "v16.1.0", "npm": "9.0.0"}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\necho {answer}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/bin")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    tools.ask_again()
    found = {check.name: check for check in toolchains.checks()}
    assert found["build-npm"].found == "node 16.1.0 is older than 18"


class TestKernelFiles:
    """Files that some kernels, guests and containers do not have."""

    @pytest.fixture
    def files(self, monkeypatch, tmp_path):
        monkeypatch.setattr(machine, "CPUS", tmp_path / "cpu")
        monkeypatch.setattr(machine, "DMI", tmp_path / "dmi")

        def write(name: str, text: str) -> None:
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

        return write

    def test_nothing_is_there(self, files):
        assert machine.smt() is None
        assert machine.governors() == []
        assert machine.turbo() is None
        assert machine.physical_cores() is None

    def test_bare_metal(self, files):
        files("cpu/smt/active", "1\n")
        for number in range(4):
            files(f"cpu/cpu{number}/cpufreq/scaling_governor", "powersave\n")
            pair = f"{number % 2},{number % 2 + 2}\n"
            files(f"cpu/cpu{number}/topology/thread_siblings_list", pair)
        files("cpu/intel_pstate/no_turbo", "0\n")
        assert machine.smt() is True
        assert machine.governors() == ["powersave"]
        assert machine.turbo() is True
        assert machine.physical_cores() == 2

    def test_a_guest(self, files):
        files("dmi/sys_vendor", "QEMU\n")
        files("dmi/product_name", "Standard PC (i440FX + PIIX, 1996)\n")
        assert machine.virtualisation() == "qemu"

    @pytest.mark.parametrize(
        ("name", "text", "cores"),
        [
            ("cpu.max", "150000 100000\n", 1.5),
            ("cpu.max", "max 100000\n", None),
            ("cpu.cfs_quota_us", "50000\n", 0.5),
            ("cpu.cfs_quota_us", "-1\n", None),
        ],
    )
    def test_a_quota(self, monkeypatch, tmp_path, name, text, cores):
        (tmp_path / name).write_text(text)
        (tmp_path / "cpu.cfs_period_us").write_text("100000\n")
        monkeypatch.setattr(cgroups, "own_groups", lambda controller: [tmp_path])
        assert cgroups.cpu_quota() == cores
