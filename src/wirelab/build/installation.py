"""Installing Debian packages as root, without their services.

A package that brings a daemon enables it at boot and starts it. Its scripts do so through four
programs, which they find on PATH; ``without_services`` has others of the same names, and apt puts
that folder first. So nothing of the machine's own policy (``policy-rc.d``) is touched, nothing has
to be removed afterwards, however this process ends, and an installation that somebody else begins
meanwhile is not changed. ``policy-rc.d`` would not keep a unit from being enabled, either.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from wirelab.build.commands import Log
from wirelab.build.lock import locked
from wirelab.build.packages import ask_again, choose
from wirelab.build.unavailable import Unavailable
from wirelab.processes.interrupts import uninterrupted

INSTALL = ("apt-get", "install", "-y", "--no-install-recommends")

_STAND_INS = Path(__file__).parent / "without_services"
_SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

_CAUTIOUS = (
    "--no-remove",
    *("-o", "DPkg::Lock::Timeout=600"),
    # A name that is none is no expression that names others.
    *("-o", "APT::Cmd::Pattern-Only=true"),
)

_ENVIRONMENT = {"DEBIAN_FRONTEND": "noninteractive"}


def possible() -> bool:
    """Whether this process may install packages: root, on a machine with apt-get."""
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


class Installation:
    """Installs packages; ``folder`` keeps the log and the lock."""

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        self._folder = folder
        self._say = say
        self._updated = False

    def carry_out(self, packages: Sequence[str]) -> None:
        """Install ``packages``; raises Unavailable where apt-get fails."""
        if ":" in str(_STAND_INS):
            raise Unavailable(
                f"packages cannot be installed from {_STAND_INS}: PATH cannot hold its colon",
                "move wirelab to a folder without a colon in its name",
            )
        log = Log(self._folder / "apt-get.log")
        with locked(self._folder / "apt-get.lock", self._say, "apt-get"):
            if not self._updated:
                self._say("refreshing the list of Debian packages (apt-get update)")
                # A source of the user's own that fails must not stop the others.
                log.run(["apt-get", "update"], environment=_ENVIRONMENT, must_succeed=False)
                self._updated = True
                ask_again()
            names = [choose(package) for package in packages]
            self._say(f"installing Debian packages: {' '.join(names)}")
            path = ("-o", f"DPkg::Path={_STAND_INS}:{_SYSTEM_PATH}")
            command = [*INSTALL, *_CAUTIOUS, *path]
            log.run([*command, "--download-only", *names], environment=_ENVIRONMENT)
            # Half an installation is somebody's work with dpkg: Ctrl-C waits until it has ended.
            with uninterrupted():
                log.run([*command, "--no-download", *names], environment=_ENVIRONMENT)
