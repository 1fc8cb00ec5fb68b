"""Instructions of codecs under a real valgrind: they repeat, and who has none says why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from e2e.building import build_behind_others
from e2e.whole_runs import run_suite

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.long(3),
    pytest.mark.needs("valgrind"),
]

COUNTED = ("cpp-cgd-buffer", "python-orjson")
REFUSED = "java-gson"
STEPS = ("T1", "T3")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("counted")
    build_behind_others("codec", *COUNTED)
    chosen = [part for name in (*COUNTED, REFUSED) for part in ("--contender", name)]
    options = ("--scenario", "instructions", "--profile", "brief", "--seed", "7")
    return run_suite(here, "codec", *options, *chosen)


@pytest.fixture(scope="module")
def cells(folder: Path) -> dict[str, dict[str, Any]]:
    found = json.loads((folder / "result.json").read_text("utf-8"))["cells"]
    return {cell["id"]: cell for cell in found}


@pytest.mark.parametrize("contender", COUNTED)
@pytest.mark.parametrize("step", STEPS)
def test_two_repeats_agree(cells: dict[str, dict[str, Any]], contender: str, step: str) -> None:
    cell = cells[f"codec/instructions/{step}/{contender}"]
    metric = cell["metrics"]["round_trip.instructions"]
    assert cell["verdict"] == "valid", cell["findings"]
    assert metric["n"] == 2
    assert metric["unit"] == "instr/iteration"
    assert set(cell["metrics"]) == {
        "round_trip.instructions",
        "round_trip.instructions.spread",
    }
    assert cell["ranks"] == {}


def test_an_iteration_of_ten_numbers_takes_what_it_can(cells: dict[str, dict[str, Any]]) -> None:
    counts = {
        name: cells[f"codec/instructions/T1/{name}"]["metrics"]["round_trip.instructions"]["value"]
        for name in COUNTED
    }
    assert 50 < counts["cpp-cgd-buffer"] < 1_000
    assert counts["python-orjson"] > 20 * counts["cpp-cgd-buffer"]


def test_what_does_not_repeat_is_not_offered(folder: Path) -> None:
    run = json.loads((folder / "run.json").read_text("utf-8"))
    assert not [trial for trial in run["plan"] if trial["contender"] == REFUSED]
    out = run["participants"][REFUSED]
    reason = out["barred"]["instructions"]["reason"]
    assert out["unavailable"] == reason["en"]
    for language in ("en", "ko"):
        assert reason[language] in (folder / f"report-{language}.md").read_text("utf-8")


def test_profiles_are_kept_with_their_trials(folder: Path) -> None:
    planned = json.loads((folder / "run.json").read_text("utf-8"))["plan"]
    trials = list((folder / "trials").iterdir())
    assert {trial.name for trial in trials} == {trial["id"] for trial in planned}
    # Two processes of each contender, each of its steps, in each of two trials.
    assert len(trials) == 2 * 2 * len(COUNTED) * len(STEPS)
    for trial in trials:
        record = json.loads((trial / "trial.json").read_text("utf-8"))
        assert record["roles"]["codec"]["instructions"] > 1_000_000
        # Other tests run beside this one: most of these trials are disturbed.
        assert not record["lost"]
        assert len(list((trial / "codec").glob("callgrind.out.*.gz"))) >= 1
