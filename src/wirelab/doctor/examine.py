"""The examination: every check, and the host's disclosure for the records of a run."""

from __future__ import annotations

import os
import resource
import shutil
from pathlib import Path
from typing import Any

import psutil

from wirelab.build import store
from wirelab.cgroups.hierarchies import hierarchies
from wirelab.cgroups.offer import offered
from wirelab.conform import environment
from wirelab.doctor import canaries, cgroups, machine, neighbours, quiet, toolchains
from wirelab.doctor.check import Examined, Health
from wirelab.model.disclosure import NOT_FOREIGN
from wirelab.monitor.census import BESIDE_VARIABLE
from wirelab.monitor.host import clock_source
from wirelab.sandbox import ability

_STEADY_CLOCKS = ("tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page")
_OPEN_FILES = 1024
_QUIET_CORES = 0.05
_GIB = 1 << 30


def examine(folder: Path) -> list[Examined]:
    """Everything about this machine that figures depend on; ``folder`` is where results go.

    Takes one to two seconds, most of it asking toolchains for their versions. Thresholds of
    steal and noise are those of the gates.
    """
    return [
        *_processors(),
        *_clock(),
        *_noise(quiet.measure_noise()),
        *_limits(),
        *_room(folder),
        _cache(),
        _sandbox(),
        *toolchains.checks(),
    ]


def disclosure() -> dict[str, Any]:
    """The host as ``run.json`` keeps it. Holds no name of the host or of its user."""
    grain, noise = quiet.measure_timer(), quiet.measure_noise()
    host = machine.facts()
    return {
        **host,
        "clock_source": clock_source(),
        "timer_slack_ns": _timer_slack(),
        "timer_late_ns": {
            "p50": grain.median_ns,
            "p95": grain.p95_ns,
            "max": grain.max_ns,
        },
        "canary_ns": noise.canary_ns,
        "canary_fastest_ns": canaries.fastest_ns(host, noise.canaries),
        "canary_spread": round(noise.canary_spread, 4),
        "steal_ratio": round(noise.steal_ratio, 4),
        "open_files": list(resource.getrlimit(resource.RLIMIT_NOFILE)),
        "toolchains": toolchains.versions(),
        **_environment(),
    }


def _environment() -> dict[str, list[str]]:
    """List variables that would change figures: kept from workers, or passed on by request."""
    told = {
        "kept_from_workers": environment.kept_away(os.environ),
        "inherited_on_request": environment.on_request(os.environ),
        NOT_FOREIGN: [beside] if (beside := os.environ.get(BESIDE_VARIABLE)) else [],
    }
    return {name: said for name, said in told.items() if said}


def _check(
    name: str, good: bool, found: str, advice: str, otherwise: Health = Health.WARN
) -> Examined:
    if good:
        return Examined(name=name, health=Health.OK, found=found)
    return Examined(name=name, health=otherwise, found=found, advice=advice)


def _processors() -> list[Examined]:
    usable, cores = len(os.sched_getaffinity(0)), machine.physical_cores()
    guest = machine.virtualisation()
    where = "bare metal" if guest == "none" else f"in {guest}"
    governors, turbo = machine.governors(), machine.turbo()
    refused = quiet.pinning_refused()
    return [
        _check(
            "processors",
            usable >= 2,
            f"{machine.cpu_model()}, {usable} usable, {cores or '?'} cores, {where}",
            "use a machine with 2 processors or more: server and client share one here",
        ),
        _check(
            "smt",
            machine.smt() is not True,
            {True: "on", False: "off", None: "not shown"}[machine.smt()],
            "roles on two threads of one core slow each other: "
            "echo off | sudo tee /sys/devices/system/cpu/smt/control",
        ),
        _check(
            "governor",
            governors in ([], ["performance"]),
            ", ".join(governors) or "not shown (frequencies are not this system's to set)",
            "sudo cpupower frequency-set -g performance (Debian package linux-cpupower)",
        ),
        _check(
            "turbo",
            turbo is not True,
            {True: "on", False: "off", None: "not shown"}[turbo],
            "frequencies then depend on heat and load; switch it off in the firmware or in /sys",
        ),
        _check(
            "pinning",
            not refused,
            refused or "permitted",
            "allow sched_setaffinity (a container's cpuset or seccomp profile forbids it)",
        ),
    ]


def _clock() -> list[Examined]:
    source, grain = clock_source(), quiet.measure_timer()
    late = f"a sleep of 1 ms ends {grain.median_ns / 1000:.0f} us late, "
    late += f"p95 {grain.p95_ns / 1000:.0f} us; timer slack {_timer_slack() / 1000:g} us"
    return [
        _check(
            "clock-source",
            source in _STEADY_CLOCKS,
            source,
            "reading this clock is slow; see /sys/devices/system/clocksource/clocksource0/"
            "available_clocksource for a better one",
        ),
        _check(
            "timer",
            grain.p95_ns < 1_000_000,
            late,
            "ticks will drift: the kernel has a coarse timer, or the machine is busy",
        ),
    ]


def _noise(noise: quiet.Noise) -> list[Examined]:
    stolen = Health.BAD if noise.steal_ratio > 0.05 else Health.WARN
    load = ", ".join(f"{value:.2f}" for value in os.getloadavg())
    return [
        _check(
            "steal",
            noise.steal_ratio <= 0.01,
            f"{noise.steal_ratio:.1%} of the CPU time went to other guests",
            "the host is overcommitted: measure at another time or on another machine",
            stolen,
        ),
        _check(
            "neighbours",
            noise.foreign_cores <= _QUIET_CORES,
            f"other processes use {noise.foreign_cores:.2f} cores; load {load}{_named(noise)}",
            "stop them, or measure when the machine is idle",
        ),
        _check(
            "evenness",
            noise.canary_spread <= 0.05,
            f"a fixed loop takes {noise.canary_ns / 1e6:.2f} ms, "
            f"spread {noise.canary_spread:.1%} over 20 repeats",
            "the processor's speed changes: frequency scaling, heat, a busy sibling thread, or "
            "other processes",
        ),
        _check(
            "pressure",
            Path("/proc/pressure/cpu").exists(),
            "PSI is there" if Path("/proc/pressure/cpu").exists() else "no PSI in this kernel",
            "boot with psi=1 to see when tasks wait for a processor",
        ),
    ]


def _named(noise: quiet.Noise) -> str:
    """Names of the noisy programs, where they are to be stopped."""
    if noise.foreign_cores <= _QUIET_CORES:
        return ""
    named = ", ".join(map(str, neighbours.busiest()))
    return f"; the busiest by cores: {named or 'none that can be seen from here'}"


def _limits() -> list[Examined]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    quota = cgroups.cpu_quota()
    return [
        _check(
            "open-files",
            soft >= _OPEN_FILES,
            f"{soft} (at most {hard})",
            f"ulimit -n {max(_OPEN_FILES, min(hard, 4 * _OPEN_FILES))}",
        ),
        _check(
            "cpu-quota",
            quota is None,
            "none" if quota is None else f"at most {quota:g} cores",
            "the kernel stops everything when the quota of a period is used up: lift it "
            "(docker run without --cpus; pin with --cpuset-cpus instead)",
        ),
        _groups(),
    ]


def _groups() -> Examined:
    """Control groups, tried: what they give to roles, and what stands in the way of the rest."""
    offer = offered(hierarchies())
    given = ", ".join(f"{need} (version {place.version})" for need, place in offer.places.items())
    found = "; ".join(filter(None, (given, offer.reason)))
    return _check("cgroup", not offer.reason, found, offer.remedy)


def _room(folder: Path) -> list[Examined]:
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    memory = psutil.virtual_memory()
    return [
        _check(
            "disk",
            free >= 2 * _GIB,
            f"{free / _GIB:.1f} GiB free",
            "free some space: builds take up to 1 GiB, a published run several hundred MiB",
            Health.BAD if free < _GIB // 4 else Health.WARN,
        ),
        _check(
            "memory",
            memory.available >= 2 * _GIB,
            f"{memory.available / _GIB:.1f} of {memory.total / _GIB:.1f} GiB free",
            "stop what uses it: a machine that swaps measures its disk",
        ),
    ]


def _cache() -> Examined:
    """The size of what was built, which is bounded and so no fault."""
    kept = store.Store()
    most = store.limit() / _GIB
    found = f"{kept.size() / _GIB:.1f} of at most {most:.0f} GiB in {kept.home}"
    return Examined(name="cache", health=Health.OK, found=f"{found} (./wl clean; {store.LIMIT})")


def _sandbox() -> Examined:
    """Ability to put roles into sandboxes: one is started."""
    hindered = ability.obstacle()
    found = hindered.reason if hindered else f"{ability.version()} starts"
    return _check("sandbox", hindered is None, found, hindered.remedy if hindered else "")


def _timer_slack() -> int:
    """Nanoseconds the kernel may delay a sleep of this process by; its default is 50 us."""
    slack = machine.line("/proc/self/timerslack_ns")
    return int(slack) if slack.isdigit() else 50_000
