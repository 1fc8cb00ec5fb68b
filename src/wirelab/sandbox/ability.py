"""Whether this machine can give a sandbox: one is started, and what stands in its way is named."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from wirelab.sandbox import bubblewrap
from wirelab.sandbox.namespaces import ENTER, Namespaces
from wirelab.sandbox.view import View

DEBIAN = "bubblewrap"
"""The package that provides it."""

_WITHIN_S = 30
_SYSCTL = "/proc/sys"
_SWITCHES = {
    "user/max_user_namespaces": ("0", "sudo sysctl -w user.max_user_namespaces=10000"),
    "kernel/unprivileged_userns_clone": (
        "0",
        "sudo sysctl -w kernel.unprivileged_userns_clone=1",
    ),
    "kernel/apparmor_restrict_unprivileged_userns": (
        "1",
        "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 (AppArmor of Ubuntu 24.04 "
        "and later refuses user namespaces to programs without a profile)",
    ),
}
"""Settings of the machine: the value that refuses sandboxes, and how to change it."""

_NEWER = "install bubblewrap 0.8 or later (Debian 12, Ubuntu 24.04)"
_IN_A_CONTAINER = (
    "start the container, which forbids it, with --security-opt seccomp=unconfined "
    "--security-opt apparmor=unconfined --security-opt systempaths=unconfined"
)


@dataclass(frozen=True)
class Obstacle:
    """The reason why roles cannot be put into a sandbox here, and its remedy."""

    reason: str
    remedy: str


def obstacle() -> Obstacle | None:
    """Find what stands in the way of a sandbox; None where one has just been started."""
    missing = {bubblewrap.PROGRAM: DEBIAN, ENTER: "util-linux"}
    for program, package in missing.items():
        if shutil.which(program) is None:
            return Obstacle(f"{program} is not installed", f"apt-get install {package}")
    if not Path("/proc/self/ns/user").exists():
        return Obstacle(
            "this kernel has no user namespaces", "start one that is built with CONFIG_USER_NS"
        )
    try:
        namespaces = Namespaces("own")
    except OSError as error:
        return _explained(f"no namespaces can be made: {error.strerror}")
    try:
        return _tried(namespaces)
    finally:
        namespaces.close()


def version() -> str:
    """The sandbox's name and version."""
    shown = subprocess.run(
        [bubblewrap.PROGRAM, "--version"], capture_output=True, text=True, check=False
    )
    number = re.search(r"\d[\d.]*", shown.stdout)
    return f"{DEBIAN} {number[0] if number else '?'}"


def _tried(namespaces: Namespaces) -> Obstacle | None:
    places = (
        path for path in map(Path, ("/usr", "/bin", "/lib", "/lib64")) if os.path.lexists(path)
    )
    command = bubblewrap.command(View(readable=list(places)), ["/bin/true"])
    try:
        ended = subprocess.run(
            namespaces.entered(command),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_WITHIN_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return _explained(f"a sandbox did not start within {_WITHIN_S} s")
    if ended.returncode == 0:
        return None
    said = ended.stderr.strip().splitlines()
    if any("disable-userns" in line and "nknown" in line for line in said):
        return Obstacle(f"{version()} cannot keep roles from namespaces of their own", _NEWER)
    return _explained(f"no sandbox can be started: {said[-1] if said else ended.returncode}")


def _explained(reason: str) -> Obstacle:
    for name, (refusing, remedy) in _SWITCHES.items():
        if _value(name) == refusing and (os.geteuid() != 0 or name.startswith("user/")):
            return Obstacle(reason, remedy)
    forbidden = _contained() or _filtered()
    return Obstacle(reason, _IN_A_CONTAINER if forbidden else "see docs/concepts/security.md")


def _value(name: str) -> str:
    try:
        return Path(_SYSCTL, name).read_text().strip()
    except OSError:
        return ""


def _contained() -> bool:
    signs = ("/.dockerenv", "/run/.containerenv", "/run/secrets/kubernetes.io")
    return any(map(os.path.exists, signs)) or "container" in os.environ


def _filtered() -> bool:
    """Whether somebody has put this process behind a filter of system calls, as containers do."""
    try:
        return "\nSeccomp:\t2" in Path("/proc/self/status").read_text(errors="replace")
    except OSError:
        return False
