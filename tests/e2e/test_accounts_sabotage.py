"""Clients whose accounts do not balance: of what they were given, of time, of their records."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from e2e.conftest import REPOSITORY, SABOTAGED, SuiteRepository

TAKEN = {
    "raises-its-priority": ("client", "raised"),
    "raises-one-thread": ("client", "raised"),
    "leaves-its-processors": ("client", "elsewhere"),
    "moves-its-server": ("server", "elsewhere"),
}
"""The role whose threads have something that it was not given, and what."""

LOWERS = "lowers-itself"
STAMPS = {
    "starts-before-its-time": "early",
    "hides-that-it-was-late": "overlapping",
    "rounds-its-stamps": "rounded",
    "stamps-coarsely": "in_steps",
    "takes-no-time": "in_no_time",
}
"""The stamps that cannot be."""

REWRITTEN = {
    "rewrites-its-records": "is not what was seen of it",
    "rewrites-after-done": "is not what was seen of it",
    "writes-at-the-end": "records; 0 were seen",
    "holds-back": "written later says that it had ended by then",
    "records-ahead": "after it was seen in the file",
}
"""Words of the reason for which its trial fails."""

SILENT = "says-nothing-of-records"
BETWEEN = "works-between-ticks"
LEAVES_OUT = "leaves-out-the-slow"
WHEN_ASKED = "reads-when-asked"
HONEST = "honest"
CHEATS = (*TAKEN, LOWERS, *STAMPS, *REWRITTEN, SILENT, BETWEEN, LEAVES_OUT, WHEN_ASKED)
LONG = (BETWEEN, WHEN_ASKED, HONEST)
"""The workers of the longer scenario."""

PROCESSORS = len(os.sched_getaffinity(0))

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(os.geteuid() != 0, reason="to raise a priority takes a right"),
    pytest.mark.skipif(PROCESSORS < 2, reason="with one processor, roles are given all there are"),
]

Cells = dict[tuple[str, str], dict[str, Any]]


def made(folder: Path, name: str, scenario: str) -> str:
    """The contender that cheats in this way; its folder."""
    own = folder / f"{name}-{scenario}"
    own.mkdir()
    said = (REPOSITORY / "tests/sabotage/accounts/contender.toml").read_text("utf-8")
    said = said.replace('"NAME"', f'"{name}"').replace('"SCENARIO"', f'"{scenario}"')
    (own / "contender.toml").write_text(said, "utf-8")
    return str(own)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    house = SuiteRepository(tmp_path_factory.mktemp("house"), "accounts")
    here = tmp_path_factory.mktemp("contenders")
    both = '["short", "long"]'
    paths = [made(here, name, "long" if name in LONG else "short") for name in (*CHEATS, HONEST)]
    honest = Path(paths[-1]) / "contender.toml"
    honest.write_text(honest.read_text("utf-8").replace('["long"]', both), "utf-8")
    options = [word for path in paths for word in ("--contender", path)]
    # In a sandbox no contender reaches its server's threads, nor a higher priority.
    ended = house.here(
        "run", "accounts", "--no-sandbox", "--profile", "once", "--seed", "1", *options
    )
    assert ended.returncode in SABOTAGED, ended.stdout + ended.stderr
    shutil.rmtree(here)
    return house.only_run()


@pytest.fixture(scope="module")
def cells(run: Path) -> Cells:
    result = json.loads((run / "result.json").read_text())
    found = {(cell["scenario"], cell["contender"]): cell for cell in result["cells"]}
    assert len(found) == len(CHEATS) + 2
    return found


def records(run: Path) -> dict[str, dict[str, Any]]:
    found = [json.loads(path.read_text()) for path in run.glob("trials/*/trial.json")]
    return {record["planned"]["contender"]: record for record in found}


def findings(cell: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["gate"]: one for one in cell["findings"]}


@pytest.mark.parametrize(("name", "whose"), TAKEN.items())
def test_who_takes_what_it_was_not_given_is_accused(
    cells: Cells, name: str, whose: tuple[str, str]
) -> None:
    found = findings(cells["short", name])["own-scheduling"]
    assert found["verdict"] == "invalid"
    (roles,) = found["evidence"]["trials"].values()
    role, how = whose
    assert list(roles) == [role]
    assert list(roles[role]) == [how]
    assert roles[role][how]["threads"] >= 1
    assert cells["short", name]["verdict"] == "invalid"


def test_who_gives_something_up_is_told_of_and_not_accused(cells: Cells) -> None:
    found = findings(cells["short", LOWERS])["own-scheduling"]
    assert found["verdict"] == "valid"
    (roles,) = found["evidence"]["trials"].values()
    assert list(roles["client"]) == ["lowered"]


@pytest.mark.parametrize(("name", "stamp"), STAMPS.items())
def test_stamps_that_cannot_be_are_counted_however_small(
    run: Path, cells: Cells, name: str, stamp: str
) -> None:
    assert cells["short", name]["verdict"] == "invalid"
    found, record = findings(cells["short", name]), records(run)[name]
    # A false time may reach into the pause in which its lane was asked: that ends the trial.
    ended = record["reason"] == "rewritten-records" and "while lane" in record["detail"]
    clock = found.get("clock", {"verdict": "", "evidence": {}})
    (count,) = [trial.get(stamp, 0) for trial in clock["evidence"].values()] or [0]
    assert ended or (clock["verdict"] == "invalid" and count >= 5)


@pytest.mark.parametrize(("name", "words"), REWRITTEN.items())
def test_what_was_seen_of_records_stays_so(run: Path, name: str, words: str) -> None:
    record = records(run)[name]
    assert (record["status"], record["reason"]) == ("failed", "rewritten-records")
    assert words in record["detail"]


def test_who_does_not_say_what_it_has_recorded_has_no_figures(run: Path) -> None:
    record = records(run)[SILENT]
    assert (record["status"], record["reason"]) == ("failed", "unpublished-records")
    assert "answers do not say how many records there were" in record["detail"]


def test_work_between_ticks_is_told_of(cells: Cells) -> None:
    found = findings(cells["long", BETWEEN])["between-ticks"]
    assert found["verdict"] == "warn"
    least = found["evidence"]["least"]
    # A half of each period as far as it has a processor, and hardly anything under way.
    assert least["cores"] > least["under_way"] + 0.05
    assert found["evidence"]["cpus"] == PROCESSORS // 2


def test_ticks_without_a_record_are_counted(cells: Cells) -> None:
    found = findings(cells["short", LEAVES_OUT])["left-out"]
    assert found["verdict"] == "invalid"
    ((operation,),) = (of.values() for of in found["evidence"]["trials"].values())
    assert operation == {"left_out": 4, "due": 75}


def test_an_answer_that_takes_longer_than_its_operation_is_told_of(cells: Cells) -> None:
    found = findings(cells["long", WHEN_ASKED])["made-when-asked"]
    assert found["verdict"] == "warn"
    (took,) = found["evidence"]["operations"].values()
    assert took["answer_ms"] > took["operation_ms"] + 1


@pytest.mark.parametrize("scenario", ["short", "long"])
def test_who_is_honest_is_accused_of_none_of_it(cells: Cells, scenario: str) -> None:
    accused = {"own-scheduling", "clock", "between-ticks", "trial-failed", "another-version"}
    accused |= {"left-out", "made-when-asked"}
    assert not accused & set(findings(cells[scenario, HONEST]))


def test_what_an_honest_client_publishes_is_held_against_looks(run: Path) -> None:
    (path,) = run.glob("trials/*-short-honest/client.answers.jsonl")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    said = [line["records"] for line in lines if "records" in line]
    assert len(said) >= 5
    assert said == sorted(said)
    assert said[0] < said[-1] <= 80
