"""Search for the capacity of a server, as a user starts it, between other ends.

What a busy machine holds is not asked: each search ends with a bracket, or says why there is none.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from e2e import whole_runs
from e2e.building import REPOSITORY, build_behind_others
from wirelab.model.capacity import CapacityFound, Search

pytestmark = [pytest.mark.e2e, pytest.mark.long(2), pytest.mark.left_to_all]

SCENARIOS = ("capacity", "capacity-core")
MOST = 60


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    build_behind_others("websocket", "node-ws")
    here = tmp_path_factory.mktemp("capacity")
    mine = here / "mine" / "whiteboards"
    shutil.copytree(REPOSITORY / "suites/websocket", mine)
    manifest = (mine / "suite.toml").read_text("utf-8")
    for told, instead, times in (
        (r'^suite = "websocket"$', 'suite = "whiteboards"', 1),
        (r"^lowest = 100$", "lowest = 20", 2),
        (r"^highest = 19_500$", f"highest = {MOST}", 2),
        (r"highest = 200 }", f"highest = {MOST} }}", 2),
        (r"count = 20, settle = 14, probes = 4", "count = 5, settle = 3, probes = 4", 2),
        (r'(en = "probe".*\nusers = "users"\njoin) = "10s"', r'\1 = "1s"', 2),
    ):
        manifest, made = re.subn(told, instead, manifest, flags=re.M)
        assert made == times, told
    (mine / "suite.toml").write_text(manifest, "utf-8")
    chosen = whole_runs.only("--scenario", SCENARIOS)
    options = ("--suites", "mine", "--contender", "node-ws", "--profile", "brief", "--seed", "11")
    return whole_runs.run_suite(here, "whiteboards", *chosen, *options)


@pytest.fixture(scope="module")
def searches(folder: Path) -> dict[str, Search]:
    result = whole_runs.result_of(folder)
    found: dict[str, Search] = {}
    for scenario in SCENARIOS:
        (cell,) = whole_runs.cells_of(result, scenario)
        remark: dict[str, Any] = cell["remarks"]["capacity"]
        (found[scenario],) = CapacityFound.model_validate(remark).searches
    return found


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_search_begins_with_the_most_users_and_ends(
    searches: dict[str, Search], scenario: str
) -> None:
    search = searches[scenario]
    assert search.probes[0].load == MOST
    assert len(search.probes) <= 4
    assert search.verified is not None or search.failed is not None


@pytest.mark.parametrize(
    ("scenario", "bounds"),
    [
        ("capacity", 5),
        ("capacity-core", 6),
    ],
)
def test_every_bound_is_looked_at(searches: dict[str, Search], scenario: str, bounds: int) -> None:
    looked_at = {len(probe.figures) for probe in searches[scenario].probes if probe.figures}
    assert looked_at == {bounds}
    counts = [
        figure
        for probe in searches[scenario].probes
        for figure in probe.figures
        if figure.metric.endswith((".count", ".error.ratio"))
    ]
    assert len(counts) >= 3
    assert [figure.metric for figure in counts if figure.value is None] == []


@pytest.mark.parametrize(
    ("language", "title", "column"),
    [
        ("en", "How many users a server holds", "users, one core's processor time"),
        ("ko", "서버별 최대 수용 용량", "사용자 수(CPU 시간 코어 1개분)"),
    ],
)
def test_the_report_has_both_capacities_side_by_side(
    folder: Path, language: str, title: str, column: str
) -> None:
    text = (folder / f"report-{language}.md").read_text("utf-8")
    assert title in text
    assert column in text
