"""The command line in a house of its own: one suite, results in a temporary folder."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.command_lines import said
from reports_of_runs import with_reports

REPOSITORY = Path(__file__).parents[2]
SUITES = {
    "loopback": REPOSITORY / "tests" / "sabotage" / "suite",
    "whiteboard": REPOSITORY / "tests" / "sabotage" / "websocket",
    "mailbox": REPOSITORY / "tests" / "sabotage" / "messaging",
    "limited": REPOSITORY / "tests" / "sabotage" / "capacity",
    "record-table": REPOSITORY / "tests" / "sabotage" / "kv",
    "watched": REPOSITORY / "tests" / "sabotage" / "watched",
    "metronome": REPOSITORY / "tests" / "sabotage" / "blocks",
    "freezer": REPOSITORY / "tests" / "sabotage" / "outage",
    "spoken": REPOSITORY / "tests" / "sabotage" / "spoken",
    "accounts": REPOSITORY / "tests" / "sabotage" / "accounts",
    "refusals": REPOSITORY / "tests" / "sabotage" / "refusals",
    "spiky": REPOSITORY / "tests" / "sabotage" / "spikes",
}


MEASURED = (0, 5)
"""Exit codes of a run whose trials went well: whether a cell is valid is up to the machine."""

SABOTAGED = (0, 4, 5)
"""Exit codes of a run with contenders that misbehave, some of which make their trials fail."""


class SuiteRepository:
    """A repository with one suite of sabotaged workers, to run ``wl`` in."""

    def __init__(self, root: Path, suite: str = "loopback") -> None:
        self.root = root
        self.launcher: list[str] = []
        """A command that starts ``wl``, which begins with nothing but its own words otherwise."""
        (root / "suites").mkdir(parents=True, exist_ok=True)
        self._link(f"suites/{suite}", SUITES[suite])
        for shared in ("sdk", "crates"):
            self._link(shared, REPOSITORY / shared)
        self.environment = {
            **os.environ,
            "WIRELAB_ROOT": str(root),
        }

    def _link(self, name: str, target: Path) -> None:
        with contextlib.suppress(FileExistsError):
            (self.root / name).symlink_to(target)

    def command(self, *arguments: str) -> list[str]:
        """``wl`` with ``arguments``."""
        return [*self.launcher, sys.executable, "-m", "wirelab", *with_reports(arguments)]

    def wl(self, *arguments: str, timeout: float = 300) -> subprocess.CompletedProcess[str]:
        """Run ``wl`` to its end."""
        return subprocess.run(
            self.command(*arguments),
            cwd=self.root,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )

    def here(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run ``wl`` in this process, which is quicker where that of the core is not looked at."""
        return said(*with_reports(arguments), cwd=self.root, root=self.root, **variables)

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start ``wl`` and leave it running, in a process group of its own.

        Ctrl-C reaches it even where the tests were started with it ignored, as shells start what
        they put in the background.
        """
        heard = ["env", "--default-signal=INT"]
        return subprocess.Popen(
            [*heard, *self.command(*arguments)],
            cwd=self.root,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def only_run(self) -> Path:
        """The one folder below ``results``."""
        (run,) = (self.root / "results").iterdir()
        return run


def repository_of_two(root: Path) -> SuiteRepository:
    """A repository with the same small suite by two names, of which ``again`` comes first."""
    house = SuiteRepository(root)
    again = root / "suites" / "again"
    shutil.copytree(SUITES["loopback"], again)
    manifest = (again / "suite.toml").read_text()
    workers = SUITES["loopback"].parent / "workers"
    manifest = manifest.replace('suite = "loopback"', 'suite = "again"')
    (again / "suite.toml").write_text(manifest.replace("{source}/../workers", str(workers)))
    (root / "suites" / "workers").symlink_to(workers)
    return house


@pytest.fixture
def house(tmp_path: Path) -> SuiteRepository:
    return SuiteRepository(tmp_path)


@pytest.fixture(scope="module")
def shared_house(tmp_path_factory: pytest.TempPathFactory) -> SuiteRepository:
    return SuiteRepository(tmp_path_factory.mktemp("house"))


@pytest.fixture
def eventually() -> Callable[[Callable[[], bool], float], None]:
    """Wait until something is so, or fail."""
    import time

    def wait(condition: Callable[[], bool], patience: float = 120.0) -> None:
        deadline = time.monotonic() + patience
        while not condition():
            assert time.monotonic() < deadline, "it never came to be so"
            time.sleep(0.05)

    return wait
