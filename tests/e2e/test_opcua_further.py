"""Further clients of OPC UA, as a user runs them.

Those whose workers have other SDKs below them, and those that are another version or tuning of a
neighbour, go through the main scenario; where their subscriptions and lanes are another harness's,
or version's, through those as well.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from e2e import whole_runs
from e2e.building import build_behind_others
from e2e.opcua_clients import FURTHER, WAYS

pytestmark = [pytest.mark.e2e, pytest.mark.long(5), pytest.mark.left_to_all]


@pytest.fixture(scope="module")
def further(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of contenders that go through the main scenario alone."""
    for name in FURTHER:
        build_behind_others("opcua", name)
    here = tmp_path_factory.mktemp("further")
    chosen = [*whole_runs.only("--contender", FURTHER), "--scenario", "s7"]
    return whole_runs.run_suite(here, "opcua", *chosen, "--profile", "check", "--seed", "11")


@pytest.fixture(scope="module")
def harnessed(further: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of those that are no mere tuning in what their harness has besides."""
    here = tmp_path_factory.mktemp("harnessed")
    names = [name for name in FURTHER if name != "milo-c2"]
    scenarios = whole_runs.only("--scenario", ["subscriptions", "capacity"])
    chosen = [*whole_runs.only("--contender", names), *scenarios]
    return whole_runs.run_suite(here, "opcua", *chosen, "--profile", "check", "--seed", "11")


def test_further_contenders_answer_rightly(further: Path) -> None:
    result = whole_runs.result_of(further)
    assert {n: p["manifest"]["language"] for n, p in result["participants"].items()} == FURTHER
    whole_runs.no_trial_failed(further)
    cells = {cell["contender"]: cell for cell in whole_runs.cells_of(result, "s7")}
    assert set(cells) == set(FURTHER)
    for name, cell in cells.items():
        assert cell["statuses"] == {"read": {"ok": 30}, "write": {"ok": 3}}, name
        accused = {finding["gate"] for finding in cell["findings"]}
        assert not accused & {"wrong-answer", "not-on-the-wire", "clock", "resource-sanity"}, name
    records = whole_runs.records_of(further).values()
    assert [record["verified"] for record in records if not 10 <= record["verified"] <= 37] == []
    english, korean = ((further / f"report-{which}.md").read_text() for which in ("en", "ko"))
    for participant in result["participants"].values():
        library = participant["manifest"]["library"]
        assert library["licence"] in english
        assert participant["manifest"]["title"] in korean


def test_further_contenders_learn_of_changes_and_have_many_callers(harnessed: Path) -> None:
    result = whole_runs.result_of(harnessed)
    names = set(FURTHER) - {"milo-c2"}
    changes = {
        (cell["variant"], cell["contender"]): cell
        for cell in whole_runs.cells_of(result, "subscriptions")
    }
    assert set(changes) == {(way, one) for way in WAYS for one in names}
    for (way, contender), cell in changes.items():
        assert cell["statuses"] == {WAYS[way]: {"ok": 15}}, (way, contender)
        gates = {found["gate"] for found in cell["findings"]}
        assert not gates & {"wrong-answer", "not-on-the-wire", "not-served"}, (way, contender)
    carried = {cell["contender"]: cell for cell in whole_runs.cells_of(result, "capacity")}
    assert set(carried) == names
    for name, cell in carried.items():
        [search] = cell["remarks"]["capacity"]["searches"]
        assert search["probes"], name
        assert "wrong-answer" not in {probe["reason"] for probe in search["probes"]}, name
