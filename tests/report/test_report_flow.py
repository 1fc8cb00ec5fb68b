"""Charts of rate, loss and traffic over time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from synthetic import Client, SyntheticRun, crowd_run
from wirelab.cells.analysis import analyse
from wirelab.model.result import CellSeries, Result, Series, Timeline
from wirelab.report.cell_table import CellTable
from wirelab.report.charts import network_over_time, rate_over_time
from wirelab.report.context import Context
from wirelab.report.document import Chart, words_of
from wirelab.words.translation import words

TICKS = 64
"""Ticks of each step: a trial has more seconds than a line has points."""


Analysed = tuple[Result, Series]


def run(*, lost: int) -> SyntheticRun:
    """Two trials of a server; deliveries are lost in second 100 of one of them."""
    built = crowd_run({"swift": Client()}, ticks=TICKS)
    for trial in built.trials:
        for line in trial.intervals:
            line["counts"] |= {"written": 1_000, "wire": 5_000}
    line = next(one for one in built.trial("swift").intervals if one["second"] == 100)
    line["counts"]["received"] -= lost
    line["service"] = line["response"] = ""
    return built


@pytest.fixture(scope="module")
def lossy(tmp_path_factory: pytest.TempPathFactory) -> Analysed:
    """Three deliveries are lost."""
    return analyse(run(lost=3).write(tmp_path_factory.mktemp("lossy")))


def drawn(
    result: Result, series: Series, language: str = "en"
) -> tuple[Chart | None, Chart | None]:
    """The chart of rates and the one of the network."""
    told = Context(result, series, words(language))
    whole = CellTable.of(told, "crowd").whole
    return rate_over_time(told, whole), network_over_time(told, whole)


def points(chart: Chart, title: str) -> list[dict[str, Any]]:
    """The points of a panel."""
    (panel,) = [one for one in chart.panels if one.title == title]
    found: list[dict[str, Any]] = panel.spec["datasets"]["points"]
    return found


def test_losses_are_drawn_where_there_are_any_and_no_spike_is_lost(lossy: Analysed) -> None:
    rate, _network = drawn(*lossy)
    assert rate is not None
    titles = [panel.title for panel in rate.panels]
    assert titles == ["rtt rate", "delivery rate", "delivery lost", "connect rate"]
    lost = points(rate, "delivery lost")
    assert {row["y"] for row in lost} == {0, 3}
    assert [(row["x"], row["who"]) for row in lost if row["y"]] == [(100, "swift")]
    # Two trials, a point for each two seconds.
    assert len(lost) == 2 * TICKS
    assert "Nothing was lost" not in words_of(rate.caption)


def test_points_of_several_seconds_are_their_mean(tmp_path: Path) -> None:
    rate, network = drawn(*analyse(run(lost=0).write(tmp_path)))
    assert rate is not None
    assert network is not None
    # In the first two seconds nobody sends yet.
    assert {row["y"] for row in points(rate, "rtt rate")} == {0, 10, 20}
    assert {row["y"] for row in points(network, "into the server")} == {0, 0.001}
    assert {row["y"] for row in points(network, "out of the server")} == {0, 0.005}
    assert "delivery lost" not in {panel.title for panel in rate.panels}
    assert words_of(rate.caption).endswith("Nothing was lost in any second.")


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_panel_has_a_title_an_axis_and_a_text_instead(lossy: Analysed, language: str) -> None:
    rate, network = drawn(*lossy, language)
    assert rate is not None
    assert network is not None
    panels = [*rate.panels, *network.panels]
    assert len({panel.title for panel in panels}) == len({p.description for p in panels}) == 7
    axes = [axis for panel in panels for axis in axes_of(panel.spec)]
    assert len(axes) == 2 * 7
    assert all(axes)
    korean = "서버에서 나간 트래픽" in {panel.title for panel in panels}
    assert korean is (language == "ko")


def axes_of(spec: dict[str, Any]) -> list[str]:
    """Titles of the axes of what is drawn with points."""
    (layer,) = [one for one in spec.get("layer", [spec]) if one["mark"]["type"] == "line"]
    return [layer["encoding"][side]["axis"]["title"] for side in ("x", "y")]


def test_series_stored_before_have_no_such_charts(lossy: Analysed) -> None:
    result, series = lossy
    assert drawn(result, Series(cells={})) == (None, None)
    older = {name: before(one) for name, one in series.cells.items()}
    assert older["demo/crowd/swift"].operations
    assert drawn(result, Series(cells=older)) == (None, None)


def before(series: CellSeries) -> CellSeries:
    """The same without what an earlier version did not compute."""
    operations = {name: list(map(of_latency, lines)) for name, lines in series.operations.items()}
    return series.model_copy(update={"operations": operations, "network": []})


def of_latency(line: Timeline) -> Timeline:
    """The percentiles of a line alone."""
    kept = {name: values for name, values in line.values.items() if name in ("p50", "p95", "max")}
    return line.model_copy(update={"values": kept})
