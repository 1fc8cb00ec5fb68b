"""Chapters of ``opcua`` on what the study did not measure, from results built by hand: how soon a
caller learns of a change, what opening a session costs, and a session that has expired."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from report_build import cell, metric
from report_sample import SUITE, sample
from told_once import report_of

from synthetic.judged import judged
from wirelab.model.result import CallerView, Cell, Result


def report(folder: Path, cells: Iterable[Cell], language: str = "en") -> str:
    """The Markdown of the sample with these cells as well."""
    found, _series = sample()
    own = [one.model_copy(update={"suite": "opcua", "statuses": {}}) for one in cells]
    changed: Result = found.model_copy(update={"cells": [*found.cells, *own]})
    return report_of(SUITE, folder, judged(changed), language, "md")


def rows(text: str, start: str) -> list[str]:
    """Every row that begins so."""
    return [line for line in text.splitlines() if line.startswith(f"| {start}")]


def learnt() -> list[Cell]:
    """A client that learns of changes in both ways."""
    ways = {"subscribed": ("notification", 55.0), "polled": ("poll", 62.0)}
    return [
        cell(
            "asyncua",
            {
                f"{operation}.response.p50": metric(held),
                f"{operation}.miss.count": metric(0, "count"),
                "wire.packets": metric(held / 5, "1/s"),
            },
            scenario_name="subscriptions",
            variant=variant,
        )
        for variant, (operation, held) in ways.items()
    ]


@pytest.mark.parametrize(
    ("language", "figure"),
    [("en", "change to caller, p50, ms"), ("ko", "변경에서 호출자까지 p50(ms)")],
)
def test_a_subscription_stands_beside_polling_at_the_same_freshness(
    tmp_path: Path, language: str, figure: str
) -> None:
    text = report(tmp_path, learnt(), language)
    chapter = text.split('<a id="subscriptions"></a>')[1].split("<a id=")[0]
    assert chapter.count("100 ms") >= 2
    [own] = rows(chapter, f"asyncua (Python) | {figure}")
    assert own.endswith("| 55.0 | 62.0 |")


def opened() -> list[Cell]:
    """A client that opens sessions under three policies, and has no calls there."""
    held = {"none": 4.0, "basic256sha256-sign": 40.0, "basic256sha256-encrypt": 48.0}
    return [
        cell(
            "milo",
            {"session.latency.p50": metric(value, "ms", (value * 0.97, value * 1.03))},
            scenario_name="security",
            variant=f"{policy}-open",
        )
        for policy, value in held.items()
    ]


def test_opening_a_session_is_told_apart_from_its_calls(tmp_path: Path) -> None:
    text = report(tmp_path, opened())
    chapter = text.split("What security costs")[-1].split("\n## ")[0]
    assert "Calls by policy" not in chapter
    [own] = rows(chapter, "Eclipse Milo (Java) | session p50, ms |")
    assert [figure in own for figure in ("4.00", "40.0", "48.0")] == [True] * 3
    [times] = rows(chapter, " | p50, × without security")
    assert "10.0" in times


def expired() -> list[Cell]:
    """A client whose session ran out beside one that was not answered."""
    views = {
        "request-timeout": ("recovered", "TimeoutError"),
        "session-expired": ("recovered", "BadSessionIdInvalid"),
    }
    return [
        cell(
            "asyncua",
            scenario_name="faults",
            variant=variant,
            caller=[
                CallerView(
                    trial=f"0009-{variant}", outcome=outcome, error_class=error, error_status=""
                )
            ],
        )
        for variant, (outcome, error) in views.items()
    ]


def test_an_expired_session_stands_below_the_timeout_that_the_study_calls_so(
    tmp_path: Path,
) -> None:
    found, _series = sample()
    gone = found.model_copy(update={"cells": [c for c in found.cells if c.scenario != "faults"]})
    own = [one.model_copy(update={"suite": "opcua"}) for one in expired()]
    changed = judged(gone.model_copy(update={"cells": [*gone.cells, *own]}))
    text = report_of(SUITE, tmp_path, changed, "en", "md")
    table = text.split("**What the caller sees**")[1].split("\n\n")[1].splitlines()
    heads = [line.split(" | ")[0].strip("| ") for line in table[2:]]
    assert heads == [
        "Request timeout (server stopped for 3 s)",
        "",
        "Session expired (client stopped for 4 s)",
    ]
    assert "published: Session timeout" in table[3]
    assert "asyncio.TimeoutError" in table[3]
    assert "BadSessionIdInvalid" in table[4]


@pytest.mark.parametrize(
    ("scenario", "beside"), [("s7", True), ("soak-check", True), ("processes", False)]
)
def test_figures_of_the_study_stand_beside_its_own_load_alone(
    tmp_path: Path, scenario: str, beside: bool
) -> None:
    found, _series = sample()
    variant = "ten" if scenario == "processes" else ""
    update = {"scenario": scenario, "variant": variant, "spikes": {}}
    loads = [c.model_copy(update=update) for c in found.cells if c.scenario == "s7"]
    assert len(loads) == 3
    alone = judged(found.model_copy(update={"cells": loads}))
    text = report_of(SUITE, tmp_path, alone, "en", "md")
    figures = ("20,027.21", "22.45", "1.70", "25.43", "62.11", "1.014", "lowest variation")
    # Without the chapter that judges statements, which quotes them.
    shown = text.split('<a id="validity"></a>')[0]
    assert [one in shown for one in figures] == [beside] * len(figures)
    assert "264 MB" in shown
