"""Broadcasts by size and echoes by size and clients, as a user runs them: each message is whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from e2e import whole_runs
from e2e.building import build_behind_others

pytestmark = [pytest.mark.e2e, pytest.mark.left_to_all]

CONTENDERS = ("socket", "python-zeromq", "go-nats", "rust-zeromq")
"""The lightest of each language: a broker that is slow to start is none of them."""
BYTES = {"c16-1000": 1_000, "c16-10000": 10_000}
CLIENTS, MESSAGES = 16, 10


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    build_behind_others("messaging", *CONTENDERS)
    asked = (
        *whole_runs.only("--scenario", ("broadcast-size", "echo-size-clients", "echo-clients")),
        *whole_runs.only("--contender", CONTENDERS),
    )
    here = tmp_path_factory.mktemp("sizes")
    return whole_runs.run_suite(here, "messaging", *asked, "--profile", "check", "--seed", "7")


def test_everybody_gets_every_message_in_its_size(run: Path) -> None:
    whole_runs.no_trial_failed(run)
    for step in BYTES:
        cells = whole_runs.cells_of(whole_runs.result_of(run), "broadcast-size", step)
        assert {cell["contender"] for cell in cells} == set(CONTENDERS)
        for cell in cells:
            metrics = cell["metrics"]
            told = [metrics[f"delivery.{of}.count"]["value"] for of in ("expected", "received")]
            assert told == [CLIENTS * MESSAGES * CLIENTS] * 2, cell["id"]
            assert metrics["delivery.wrong.count"]["value"] == 0


def test_everybody_gets_its_own_answers_in_their_size(run: Path) -> None:
    whole_runs.no_trial_failed(run)
    for step, size in BYTES.items():
        cells = whole_runs.cells_of(whole_runs.result_of(run), "echo-size-clients", step)
        assert {cell["contender"] for cell in cells} == set(CONTENDERS)
        for cell in cells:
            (trial,) = cell["trials"]
            assert size_asked_for(run / "trials" / trial, step) == size
            assert cell["statuses"]["echo"] == {"ok": CLIENTS * MESSAGES}, cell["id"]


def test_everybody_gets_every_answer_of_table_8(run: Path) -> None:
    cells = whole_runs.cells_of(whole_runs.result_of(run), "echo-clients", "c100-m10")
    found = {cell["contender"]: cell["statuses"]["echo"] for cell in cells}
    assert found == {name: {"ok": 100 * 10} for name in CONTENDERS}


def test_the_first_and_the_last_client_of_table_8_are_both_told(run: Path) -> None:
    cells = whole_runs.cells_of(whole_runs.result_of(run), "echo-clients", "c100-m10")
    # A figure without samples is there too, and has no value.
    told = {
        (cell["contender"], which)
        for cell in cells
        for which in ("first", "last")
        if cell["metrics"][f"echo.{which}"]["value"] is not None
    }
    assert told == {(name, which) for name in CONTENDERS for which in ("first", "last")}


def size_asked_for(trial: Path, step: str) -> int:
    spec = json.loads((trial / "client.spec.json").read_text("utf-8"))
    (own,) = (one for one in spec["schedule"]["steps"] if one["name"] == step)
    size: int = own["parameters"]["message_bytes"]
    return size


@pytest.mark.parametrize(
    ("language", "heading"),
    [
        ("en", "By size: broadcasts, and many clients"),
        ("ko", "크기별: 브로드캐스트와 여러 클라이언트"),
        ("en", "Echo with many clients: table 8 at last"),
        ("ko", "클라이언트 수에 따른 에코: 빠져 있던 표 8"),
    ],
)
def test_the_report_tells_of_both(run: Path, language: str, heading: str) -> None:
    assert heading in (run / f"report-{language}.md").read_text("utf-8")
