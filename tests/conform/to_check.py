"""The workers of a contender's folder, as ``wl conform`` hands them to the checker."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from wirelab import conform
from wirelab.build import PartBuilds
from wirelab.catalog import SuiteEntry, suite_at
from wirelab.conform import CheckedWorker
from wirelab.run.checking import Json, Prepare, WantedChecks, described

ROOT = Path(__file__).parents[2]
SABOTAGE = ROOT / "tests" / "sabotage"
ANYTHING = WantedChecks()


@cache
def workshop() -> PartBuilds:
    return PartBuilds(ROOT, print)


@cache
def unchanged(file: Path) -> SuiteEntry:
    """A suite of sabotaged workers, read once a process: dozens of files for every check."""
    return suite_at(file)


def document(
    contender: Path,
    wanted: WantedChecks = ANYTHING,
    suite: Path | None = None,
    prepare: Prepare | None = None,
) -> Json:
    """Input of the checker. Without a name the suite is that of the folder around."""
    file = (suite or contender.parents[1]) / "suite.toml"
    entry = unchanged(file) if file.is_relative_to(SABOTAGE) else suite_at(file)
    [chosen] = entry.chosen_contenders([f"{contender}/"])
    return described(entry, chosen, wanted, prepare or workshop().prepare, ROOT)


def workers(
    contender: Path,
    wanted: WantedChecks = ANYTHING,
    suite: Path | None = None,
    prepare: Prepare | None = None,
) -> list[CheckedWorker]:
    """The workers that are to be checked."""
    return conform.workers(document(contender, wanted, suite, prepare))
