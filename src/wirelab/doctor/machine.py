"""Facts about the host that do not change while wirelab runs, read from /proc and /sys."""

from __future__ import annotations

import os
import platform
import re
from pathlib import Path

import psutil

from wirelab.doctor import cgroups

CPUS = Path("/sys/devices/system/cpu")
"""The kernel's folder about its processors."""

DMI = Path("/sys/class/dmi/id")
"""The firmware's folder about the machine."""

_CONTAINER_MARKS = {"/.dockerenv": "docker", "/run/.containerenv": "podman"}
_HYPERVISORS = {
    "kvm": "kvm",
    "qemu": "qemu",
    "vmware": "vmware",
    "virtualbox": "virtualbox",
    "amazon ec2": "amazon",
    "google compute engine": "google",
    "hvm domu": "xen",
    "virtual machine": "hyper-v",
}


def line(path: Path | str) -> str:
    """First line of a kernel file; empty when this kernel, or this user, does not have it."""
    try:
        return Path(path).read_text(errors="replace").partition("\n")[0].strip("\0 ")
    except OSError:
        return ""


def distribution() -> str:
    """Such as ``Debian GNU/Linux 12 (bookworm)``."""
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME", "unknown")
    except OSError:
        return "unknown"


def cpu_model() -> str:
    """The processor as the kernel names it; the board where the kernel does not (arm64)."""
    for entry in _cpuinfo():
        name, _, value = entry.partition(":")
        if name.strip() in ("model name", "Model", "Hardware"):
            return value.strip()
    return line("/proc/device-tree/model") or platform.processor() or platform.machine()


def _cpuinfo() -> list[str]:
    try:
        return Path("/proc/cpuinfo").read_text(errors="replace").splitlines()
    except OSError:
        return []


def physical_cores() -> int | None:
    """Cores, of which each may run several threads."""
    siblings = {line(path) for path in CPUS.glob("cpu[0-9]*/topology/thread_siblings_list")}
    return len(siblings - {""}) or None


def smt() -> bool | None:
    """Whether cores run more than one thread at once."""
    return {"1": True, "0": False}.get(line(CPUS / "smt" / "active"))


def governors() -> list[str]:
    """Frequency governors in use; empty where frequencies are not the guest's to see."""
    found = {line(path) for path in CPUS.glob("cpu[0-9]*/cpufreq/scaling_governor")}
    return sorted(found - {""})


def turbo() -> bool | None:
    """Whether the processor may go above its nominal frequency."""
    if no_turbo := line(CPUS / "intel_pstate" / "no_turbo"):
        return no_turbo == "0"
    boost = line(CPUS / "cpufreq" / "boost")
    return boost == "1" if boost else None


def virtualisation() -> str:
    """The hypervisor, ``virtual machine`` when it hides its name, ``none`` on bare metal."""
    if named := line("/sys/hypervisor/type"):
        return named
    product = f"{line(DMI / 'sys_vendor')} {line(DMI / 'product_name')}".lower()
    for words, name in _HYPERVISORS.items():
        if words in product:
            return name
    flags = next((entry for entry in _cpuinfo() if entry.startswith("flags")), "")
    return "virtual machine" if re.search(r"\bhypervisor\b", flags) else "none"


def container() -> str:
    """The kind of container this runs in; empty when in none that can be told."""
    for mark, name in _CONTAINER_MARKS.items():
        if Path(mark).exists():
            return name
    return os.environ.get("container", "")  # noqa: SIM112 - systemd's name for it


def facts() -> dict[str, object]:
    """Everything above, for the disclosure of a run."""
    return {
        "kernel": platform.release(),
        "architecture": platform.machine(),
        "distribution": distribution(),
        "cpu": cpu_model(),
        "cpus": len(os.sched_getaffinity(0)),
        "cores": physical_cores(),
        "smt": smt(),
        "governors": governors(),
        "turbo": turbo(),
        "memory_bytes": psutil.virtual_memory().total,
        "swap_bytes": psutil.swap_memory().total,
        "virtualisation": virtualisation(),
        "container": container(),
        "cgroup_version": cgroups.version(),
        "cpu_quota": cgroups.cpu_quota(),
        "psi": Path("/proc/pressure/cpu").exists(),
    }
