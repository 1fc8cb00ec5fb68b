"""Members who are gone without a word, or stop reading, and strokes that are left out, always or by
overload, as a user has them measured."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from e2e import whole_runs
from e2e.brief_boards import brief_run

pytestmark = [pytest.mark.e2e, pytest.mark.needs("node"), pytest.mark.left_to_all]

SERVERS = ("fastapi", "fastapi-gather", "fastapi-pings", "node-ws-sampling", "node-ws-overload")
GONE, HELD, SHED, FULL = "silent-peers", "slow-readers", "shedding", "overload"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return brief_run(
        tmp_path_factory.mktemp("silence"),
        (GONE, HELD, SHED, FULL),
        SERVERS,
        built=("fastapi", "node-ws-sampling", "node-ws-overload"),
    )


@pytest.fixture(scope="module")
def cells(folder: Path) -> dict[tuple[str, str], dict[str, Any]]:
    whole_runs.no_trial_failed(folder)
    result = whole_runs.result_of(folder)
    steps = {
        (cell["scenario"], cell["contender"]): cell for cell in result["cells"] if cell["step"]
    }
    assert {*steps} == {
        *((GONE, "fastapi"), (GONE, "fastapi-pings")),
        *((HELD, "fastapi"), (HELD, "fastapi-gather")),
        (SHED, "node-ws-sampling"),
    }
    return steps


def value(cell: dict[str, Any], metric: str) -> Any:
    return cell["metrics"][metric]["value"]


def test_pings_alone_find_who_is_gone(cells: dict[tuple[str, str], dict[str, Any]]) -> None:
    without, pinging = cells[GONE, "fastapi"], cells[GONE, "fastapi-pings"]
    assert value(without, "connect.silent.count") == value(pinging, "connect.silent.count") == 8
    assert value(without, "connect.ended.count") == 0
    assert value(without, "connect.ended.after") is None
    assert value(pinging, "connect.ended.count") == 8
    # A ping a second, and five seconds for its answer: within the twelve that are left.
    assert 0 < value(pinging, "connect.ended.after") < 12


def test_nothing_is_owed_to_the_silent(cells: dict[tuple[str, str], dict[str, Any]]) -> None:
    for name in ("fastapi", "fastapi-pings"):
        cell = cells[GONE, name]
        # Boards of fifty, of which one is silent and one is the sender.
        sent = sum(cell["statuses"]["rtt"].values())
        assert sent > 0
        assert value(cell, "delivery.expected.count") == sent * 48, name
        assert value(cell, "connect.drop.count") == 0, name


def test_who_waits_for_all_members_waits_for_the_one_who_reads_nothing(
    cells: dict[tuple[str, str], dict[str, Any]],
) -> None:
    apart, together = cells[HELD, "fastapi"], cells[HELD, "fastapi-gather"]
    # Statuses are told even where other programs took so much of the time that no metric is.
    lost = {
        name: cell["statuses"]["delivery"].get("lost", 0)
        for name, cell in (("apart", apart), ("together", together))
    }
    assert together["statuses"]["rtt"].get("timeout", 0) > 0
    assert lost["together"] > lost["apart"]
    # What a server does about it is the result, and nobody is ranked by it.
    assert not any(cell["ranks"] for cell in cells.values())


def test_what_is_left_out_on_purpose_is_no_loss(
    cells: dict[tuple[str, str], dict[str, Any]],
) -> None:
    cell = cells[SHED, "node-ws-sampling"]
    expected, received, shed, lost = (
        value(cell, f"delivery.{what}.count") for what in ("expected", "received", "shed", "loss")
    )
    assert expected == received + shed + lost
    # Two of three strokes at 60 Hz are within 50 ms of the last one that passed.
    assert shed > received > 0
    assert lost == 0
    assert set(cell["statuses"]["rtt"]) == {"ok"}


def test_strokes_are_left_out_by_who_has_too_little_of_the_machine(folder: Path) -> None:
    cells = whole_runs.cells_of(whole_runs.result_of(folder), FULL)
    found = {cell["variant"]: cell for cell in cells}
    assert {*found} == {"whole", "processor-10"}
    shed = {}
    for variant, cell in found.items():
        assert cell["contender"] == "node-ws-overload"
        expected, received, lost = (
            value(cell, f"delivery.{what}.count") for what in ("expected", "received", "loss")
        )
        # Who has enough of it may have nothing to leave out.
        shed[variant] = cell["metrics"].get("delivery.shed.count", {"value": 0})["value"]
        # One of fifty draws, three seconds of 500 strokes.
        assert expected == received + shed[variant] + lost == 1500 * 49, variant
        assert received > 0, variant
        assert not cell["ranks"], variant
    assert shed["processor-10"] > 0


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", ("silence until the end", "left out, share", "10 % of a processor")),
        ("ko", ("종료까지 걸린 시간", "생략 비율", "CPU 10 %")),
    ],
)
def test_the_report_tells_who_was_found_and_what_was_left_out(
    folder: Path, language: str, told: tuple[str, str]
) -> None:
    text = (folder / f"report-{language}.md").read_text("utf-8")
    assert {one for one in told if one in text} == {*told}
