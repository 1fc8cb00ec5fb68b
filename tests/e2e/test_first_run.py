"""A newcomer's first run: a real server, a client in Python and one in C, and a report."""

from __future__ import annotations

from pathlib import Path

import pytest

from e2e.whole_runs import (
    APART,
    REPOSITORY,
    accused,
    available,
    cells_of,
    keeps_its_schema,
    left_of,
    no_trial_failed,
    only,
    records_of,
    result_of,
    run_suite,
)
from excused import excused
from reports_of_runs import EVERY
from tree import suites_of_the_tree
from wirelab.build import PartBuilds, contender_part

pytestmark = [pytest.mark.e2e, pytest.mark.long(2)]

CONTENDERS = {"asyncua", "open62541"}
OF_ANSWERS = {"trial-failed", "wrong-answer", "loss-or-error"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    suite = suites_of_the_tree().suite("opcua")
    for name in CONTENDERS:
        if lacking := PartBuilds(REPOSITORY).lacking(contender_part(suite, suite.contenders[name])):
            if not excused(lacking):
                raise lacking
            pytest.skip(f"{name}: {lacking.reason}; to mend it: {lacking.remedy}")
    chosen = ["--scenario", "s7", *only("--contender", sorted(CONTENDERS))]
    here = tmp_path_factory.mktemp("first")
    options = ("--profile", "check", "--seed", "11", *chosen)
    return run_suite(here, "opcua", *options, reports=EVERY, launcher=APART)


def test_both_clients_read_and_write_what_is_right(folder: Path) -> None:
    no_trial_failed(folder)
    result = result_of(folder)
    keeps_its_schema(result)
    assert available(result) == CONTENDERS
    assert accused(result, OF_ANSWERS) == {}
    assert {record["verified"] > 0 for record in records_of(folder).values()} == {True}


def test_every_figure_of_a_read_is_there(folder: Path) -> None:
    cells = cells_of(result_of(folder), "s7")
    assert {cell["contender"] for cell in cells} == CONTENDERS
    for cell in cells:
        assert cell["metrics"]["read.rate"]["value"] > 0, cell["contender"]
        assert cell["metrics"]["read.latency.p50"]["unit"] == "ms"


@pytest.mark.parametrize("form", ["report-en.html", "report-ko.html", "report-en.md"])
def test_the_report_names_both(folder: Path, form: str) -> None:
    text = (folder / form).read_text("utf-8")
    assert "asyncua" in text
    assert "open62541" in text


def test_nothing_is_left(folder: Path) -> None:
    assert left_of(folder) == set()
