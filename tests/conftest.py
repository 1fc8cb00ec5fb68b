"""Set-up of all tests: the path of the package, and the order of tests side by side."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

import processor_time
import programs
import second_attempt
import side_by_side
from conform.conformance_cache import told
from fuzzing import MORE
from wirelab import cache
from wirelab.build.permission import allowed
from wirelab.processes.neighbour import Bursts, BusyNeighbour

ROOT = Path(__file__).parents[1]


@pytest.fixture
def neighbour(tmp_path: Path) -> Iterator[BusyNeighbour]:
    """Other work on this machine: each processor busy for a third of two minutes at most."""
    bursts = Bursts(duty=0.3, seed=4711, seconds=120)
    with BusyNeighbour(bursts, tmp_path / "neighbour.jsonl") as started:
        yield started


os.environ["PYTHONPATH"] = str(ROOT / "src")
# Tests run side by side, on machines that are not quiet: what gates say of their trials must not
# depend on it, so that nothing is left out. What others disturb is tested on made-up hosts.
os.environ.setdefault("WIRELAB_BESIDE", "1")
# Tests have caches of their own, and yet nothing is to be fetched twice.
os.environ.setdefault(cache.DOWNLOADS, str(cache.downloads()))


# Timing is never asserted: an example may take as long as the machine takes.
settings.register_profile("untimed", deadline=None, max_examples=100 * MORE)
settings.load_profile("untimed")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Keep a file in one process, and one process behind the others."""
    return side_by_side.scheduler(config, log)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Tests that a developer's machine need not repeat, and can."""
    text = "repeat every conformance verdict, also those that were reached with the same content"
    parser.addoption("--no-cache", action="store_true", help=text)
    second_attempt.add_option(parser)


PATH = os.environ.get("PATH", os.defpath)
NEWCOMERS_PATH = pytest.StashKey[str]()
TEMPORARY = pytest.StashKey[Path]()


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Have the programs of tests before it is asked which are missing; make newcomers' PATH.

    What failed workers leave to be looked at, and whatever else is put where temporary files are,
    lies in a folder of this session: it goes with it, but for a session that failed.
    """
    second_attempt.refuse_where_much_failed(session.config)
    if allowed() and not hasattr(session.config, "workerinput"):
        programs.have_all()
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir())
    folder = Path(tempfile.mkdtemp(prefix="wirelab-tests-"))
    folder.chmod(0o1777)  # tests become another user
    session.config.stash[TEMPORARY] = folder
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    newcomers = Path(tempfile.mkdtemp(prefix="path-"))
    newcomers.chmod(0o755)
    session.config.stash[NEWCOMERS_PATH] = programs.path_of_newcomers(PATH, newcomers)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Remove it."""
    if exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        shutil.rmtree(session.config.stash[TEMPORARY], ignore_errors=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Let a test that `./wl test` runs find the programs alone that every newcomer has."""
    left = item.get_closest_marker("left_to_all")
    os.environ["PATH"] = PATH if left else item.config.stash[NEWCOMERS_PATH]
    return (yield)


STOPWATCH = pytest.StashKey[processor_time.Stopwatch]()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Collecting is no test's, and all processes wait for the one that is last at it."""
    side_by_side.stand_behind(session.config)
    session.config.stash[STOPWATCH] = processor_time.Stopwatch()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """The report of a part of a test says what that took."""
    report = yield
    report.processor_s = item.config.stash[STOPWATCH].lap()
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Number of conformance verdicts taken from the cache, the time spent, what passed late."""
    reports = [report for found in terminalreporter.stats.values() for report in found]
    late = second_attempt.told(terminalreporter)
    for line in (told(reports), *processor_time.told(reports), *late):
        if line:
            terminalreporter.write_line(line)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Say what a test needs; where processes share the tests, what takes long begins first."""
    for item in items:
        needed = [name for mark in item.iter_markers("needs") for name in mark.args]
        if set(needed) - programs.NEWCOMERS:
            item.add_marker("left_to_all")
        for name in filter(programs.is_missing, needed):
            reason = f"needs {name}: {programs.PROVIDED[name]}"
            item.add_marker(pytest.mark.skip(reason=reason))
    if hasattr(config, "workerinput"):
        minutes = Counter[Path]()
        for item in items:
            for mark in item.iter_markers("long"):
                minutes[item.path] = max(minutes[item.path], mark.args[0])
        e2e = {item.path for item in items if item.get_closest_marker("e2e")}
        items.sort(
            key=lambda item: (
                side_by_side.is_patient(item.path),
                -minutes[item.path],
                item.path not in e2e,
            )
        )
