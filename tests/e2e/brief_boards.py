"""Brief runs of the suite `websocket`, and what their servers have delivered."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any, NamedTuple

from e2e import whole_runs
from e2e.building import build_behind_others


class Delivered(NamedTuple):
    """Counts of a cell's messages; ``flaws`` has those of what must not be, where there is any."""

    expected: int
    received: int
    loss: int
    flaws: dict[str, int]


def brief_run(
    here: Path, scenarios: Collection[str], contenders: Collection[str], *, built: Collection[str]
) -> Path:
    """Folder of a run, for which these contenders are built before."""
    build_behind_others("websocket", *built)
    options = (
        *whole_runs.only("--scenario", scenarios),
        *whole_runs.only("--contender", contenders),
    )
    return whole_runs.run_suite(here, "websocket", *options, "--profile", "brief", "--seed", "11")


def by_contender(folder: Path, scenario: str, step: str) -> dict[str, dict[str, Any]]:
    """The cell of each contender at a step."""
    found = whole_runs.cells_of(whole_runs.result_of(folder), scenario, step)
    return {cell["contender"]: cell for cell in found}


def delivered(cell: dict[str, Any]) -> Delivered:
    """Messages of a cell that are owed, came, were lost, or came as they must not."""

    def count(what: str) -> int:
        value: int = cell["metrics"][f"delivery.{what}.count"]["value"]
        return value

    flaws = {what: count(what) for what in ("reorder", "duplicate", "wrong")}
    return Delivered(
        count("expected"),
        count("received"),
        count("loss"),
        {w: n for w, n in flaws.items() if n != 0},
    )
