"""Honest runs in a sandbox are as they were, and the report tells of it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from e2e.conftest import SABOTAGED
from e2e.guarded import Guarded, confined, measured, refuse_sandboxes

pytestmark = [pytest.mark.e2e, pytest.mark.long(1)]


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    yield from measured(Guarded(tmp_path_factory.mktemp("guarded")), "honest")


@pytest.fixture(scope="module")
def unguarded(guarded: Guarded) -> Path:
    """A run of the same without a sandbox."""
    options = ("--no-sandbox", "--contender", "honest", "--profile", "smoke", "--out", "plain")
    ended = guarded.house.wl("run", "guarded", *options)
    assert ended.returncode in SABOTAGED, ended.stdout + ended.stderr
    assert "sandbox" not in ended.stdout
    (run,) = (guarded.house.root / "plain").iterdir()
    return run


@confined
def test_an_honest_trial_is_as_it_is_without(guarded: Guarded, unguarded: Path) -> None:
    (without,) = unguarded.glob("trials/*/trial.json")
    (record,) = guarded.records("honest")
    for one in (record, json.loads(without.read_bytes())):
        assert (one["status"], one["reason"], one["wrong_answers"]) == ("ok", "", [])
        assert one["roles"]["client"]["exit_code"] == one["roles"]["server"]["exit_code"] == 0
        assert one["roles"]["server"]["owns_socket"] is True
        assert one["verified"] > 0  # how many are asked for is drawn
    assert record["monitor_failure"] == ""
    names = {path.name for path in without.parent.iterdir()}
    assert {path.name for path in (next(guarded.run.glob("trials/*-honest"))).iterdir()} == names


@confined
def test_figures_of_resources_are_of_the_worker_alone(guarded: Guarded) -> None:
    result = json.loads((guarded.run / "result.json").read_bytes())
    (cell,) = [one for one in result["cells"] if one["contender"] == "honest"]
    # A figure is withheld where others took the machine meanwhile; what was recorded is not.
    assert {"rss.max", "cpu.mean"} <= set(cell["metrics"])
    (monitored,) = guarded.run.glob("trials/*-honest/monitor.parquet")
    rows = pq.read_table(monitored).to_pylist()
    client = [row for row in rows if row["role"] == "client"]
    assert 1e6 < max(row["rss_bytes"] for row in client) < 200e6
    assert max(row["processes"] for row in client) == 1
    assert max(row["net_rx_bytes"] for row in rows if row["role"] == "host") > 0


@confined
def test_results_and_reports_say_it(guarded: Guarded) -> None:
    result = json.loads((guarded.run / "result.json").read_bytes())
    assert result["disclosure"]["sandbox"].startswith("bubblewrap ")
    assert "**sandbox of the roles**: bubblewrap" in (guarded.run / "report-en.md").read_text()
    assert "**역할의 샌드박스**: bubblewrap" in (guarded.run / "report-ko.md").read_text()


@confined
def test_a_run_without_one_says_that_it_was_asked_for(guarded: Guarded, unguarded: Path) -> None:
    disclosed = json.loads((unguarded / "run.json").read_bytes())["disclosure"]
    assert (disclosed["sandbox"], disclosed["unconfined"]) == ("", "")
    said = "**sandbox of the roles**: none, as asked for (--no-sandbox): the roles ran with all"
    assert said in (unguarded / "report-en.md").read_text()
    assert "지정한 대로(--no-sandbox)" in (unguarded / "report-ko.md").read_text()
    compared = guarded.house.wl("compare", str(unguarded), str(guarded.run))
    assert re.search(r"^sandbox: none → bubblewrap [\d.]+$", compared.stdout, re.MULTILINE)


@confined
def test_a_run_goes_on_as_it_began(guarded: Guarded, tmp_path: Path) -> None:
    refused = guarded.house.wl("run", "--resume", str(guarded.run), "--no-sandbox")
    assert refused.returncode == 2
    assert "begun in one" in " ".join(refused.stderr.replace("│", " ").split())
    refuse_sandboxes(guarded.house, tmp_path)
    refused = guarded.house.wl("run", "--resume", str(guarded.run))
    guarded.house.environment["PATH"] = os.environ["PATH"]
    assert refused.returncode == 2
    assert "the roles of this run are to be kept in sandboxes" in refused.stderr
    assert "Permission denied" in refused.stderr
