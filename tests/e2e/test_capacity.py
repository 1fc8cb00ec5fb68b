"""Capacities of servers with a known limit, through the real core and a real generator.

What these servers do, hang up, no generator can have done: a probe is judged by it on any machine.
Whether the generator is accused of lateness depends on the machine, so that is not asked.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from e2e.conftest import SABOTAGED, SuiteRepository
from e2e.whole_runs import only
from reports_of_runs import EVERY
from wirelab.model.capacity import CapacityFound, Search

pytestmark = [pytest.mark.e2e, pytest.mark.long(2)]

LIMIT = 200


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    house = SuiteRepository(tmp_path_factory.mktemp("limited"), "limited")
    chosen = [*only("--contender", ("refuses", "never")), *only("--report", EVERY)]
    ended = house.here("run", "limited", "--profile", "once", "--seed", "1", *chosen)
    assert ended.returncode in SABOTAGED, ended.stdout + ended.stderr
    (house.root / "output").write_text(ended.stdout)
    return house.only_run()


def cell_of(run: Path, contender: str) -> dict[str, Any]:
    cells = json.loads((run / "result.json").read_text())["cells"]
    (cell,) = [cell for cell in cells if cell["contender"] == contender]
    return dict(cell)


def search_of(run: Path, contender: str) -> Search:
    found = CapacityFound.model_validate(cell_of(run, contender)["remarks"]["capacity"])
    assert found.parameter == "users"
    (search,) = found.searches
    return search


def test_a_limit_is_found_within_five_per_cent(run: Path) -> None:
    found = search_of(run, "refuses")
    assert found.verified is not None
    assert found.failed is not None
    assert found.verified <= LIMIT < found.failed
    assert found.verified >= 0.95 * LIMIT
    metrics = cell_of(run, "refuses")["metrics"]
    assert metrics["capacity.verified"]["value"] == found.verified
    assert metrics["capacity.failed"]["value"] == found.failed


def test_it_is_said_why_the_next_load_failed(run: Path) -> None:
    decisive = search_of(run, "refuses").decisive
    assert decisive is not None
    assert decisive.outcome == "failed"
    broken = decisive.broken
    assert broken is not None
    assert broken.metric == "connect.attainment"
    assert broken.value == pytest.approx(100 * LIMIT / decisive.load)


def test_each_probe_is_a_trial_of_its_own(run: Path) -> None:
    plan = json.loads((run / "run.json").read_text())["plan"]
    own = [trial for trial in plan if trial["contender"] == "refuses"]
    assert len(own) > 3
    assert [probe.trial for probe in search_of(run, "refuses").probes] == [t["id"] for t in own]
    for trial in own:
        load = trial["probe"]["load"]
        assert trial["parameters"]["users"] == trial["load"]["steps"][0]["users"] == load
        record = json.loads((run / "trials" / trial["id"] / "trial.json").read_text())
        assert record["status"] == "ok", record["detail"]
    assert len({trial["seed"] for trial in own}) == len(own)


def test_what_never_holds_is_invalid(run: Path) -> None:
    found, cell = search_of(run, "never"), cell_of(run, "never")
    assert (found.verified, found.failed) == (None, 10)
    assert cell["verdict"] == "invalid"
    assert "no-load-held" in {finding["gate"] for finding in cell["findings"]}
    assert cell["metrics"]["capacity.verified"]["value"] is None


def test_progress_and_summary_tell_of_it(run: Path) -> None:
    said = (run.parents[1] / "output").read_text()
    assert "2 of them begin a search of at most 16 probes" in said
    assert "400 did not hold: connect.attainment = 50 %" in said
    assert "How many clients?" in said


@pytest.mark.parametrize(("language", "heading"), [("en", "Capacity"), ("ko", "최대 수용 용량")])
def test_the_report_has_the_bracket_and_every_probe(run: Path, language: str, heading: str) -> None:
    report = (run / f"report-{language}.md").read_text()
    found = search_of(run, "refuses")
    assert heading in report
    assert f"{found.verified}" in report
    assert "connect" in report
    assert "<svg" in (run / f"report-{language}.html").read_text()


def test_a_resumed_run_measures_only_what_is_missing(run: Path, tmp_path: Path) -> None:
    """The last probe of the search is lost: the others are replayed, that one is repeated."""
    house = SuiteRepository(tmp_path, "limited")
    again = tmp_path / "results" / run.name
    shutil.copytree(run, again)
    lost = search_of(run, "refuses").probes[-1].trial
    (again / "trials" / lost / "trial.json").unlink()
    before = {path: path.stat().st_mtime_ns for path in again.glob("trials/*/trial.json")}
    ended = house.here("run", "--resume", str(again))
    assert ended.returncode in SABOTAGED, ended.stdout + ended.stderr
    assert {path: path.stat().st_mtime_ns for path in before} == before
    found = search_of(again, "refuses")
    assert [p.load for p in found.probes] == [p.load for p in search_of(run, "refuses").probes]
    assert (again / "trials" / lost / "trial.json").exists()
