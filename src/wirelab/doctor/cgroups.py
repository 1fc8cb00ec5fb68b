"""Control groups: which version is mounted, and how many cores they leave to this process."""

from __future__ import annotations

from pathlib import Path

import psutil

_QUOTAS = ("cpu.max", "cpu.cfs_quota_us")


def version() -> int | None:
    """2 where the unified hierarchy is the only one, 1 where it is not, None without any."""
    kinds = {mount.fstype for mount in psutil.disk_partitions(all=True)}
    if "cgroup" in kinds:
        return 1
    return 2 if "cgroup2" in kinds else None


def cpu_quota() -> float | None:
    """Cores that the groups of this process may use at most; None when they are not limited."""
    limits = [_quota(own / name) for own in own_groups("cpu") for name in _QUOTAS]
    return min((limit for limit in limits if limit is not None), default=None)


def _quota(file: Path) -> float | None:
    try:
        quota, _, period = file.read_text().strip().partition(" ")
        period = period or (file.parent / "cpu.cfs_period_us").read_text()
        return int(quota) / int(period) if int(quota) > 0 else None
    except (OSError, ValueError):
        # Not this version, or "max".
        return None


def own_groups(controller: str) -> list[Path]:
    """Folders of the groups of this process under ``controller``."""
    mounts = {
        mount.mountpoint: mount.opts.split(",")
        for mount in psutil.disk_partitions(all=True)
        if mount.fstype in ("cgroup", "cgroup2")
    }
    found = []
    for entry in _memberships():
        _, controllers, path = entry.split(":", 2)
        for place, options in mounts.items():
            unified = not controllers and version() == 2
            if unified or (controller in controllers.split(",") and controller in options):
                found.append(Path(place, path.lstrip("/")))
    return found


def _memberships() -> list[str]:
    try:
        return Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return []
