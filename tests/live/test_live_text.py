"""The text: read back as Prometheus reads it, with the right names, labels and values."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from prometheus_client.core import Metric
from prometheus_client.openmetrics import exposition as openmetrics
from prometheus_client.openmetrics.parser import (
    text_string_to_metric_families as openmetrics_families,
)
from prometheus_client.parser import text_string_to_metric_families

from live.live_examples import everything
from wirelab.live import families
from wirelab.live.exposition import Exposition, text
from wirelab.live.figures import LiveFigures

OWN = {
    "run": "20260102-030405-demo-smoke",
    "suite": "demo",
    "scenario": "board",
    "contender": "swift",
    "trial": "0000-board-swift",
}


def parsed(written: bytes) -> dict[str, Metric]:
    return {family.name: family for family in text_string_to_metric_families(written.decode())}


def value(name: str, figures: LiveFigures | None = None, **labels: str) -> float:
    """The one sample of that name and these labels, those of the trial left out."""
    found = [
        sample.value
        for family in parsed(text(figures or everything())).values()
        for sample in family.samples
        if sample.name == name and labels.items() <= sample.labels.items()
    ]
    assert len(found) == 1, f"{name} {labels}: {found}"
    return found[0]


@pytest.mark.parametrize(
    ("name", "labels", "expected"),
    [
        ("wirelab_operations_total", {"operation": "rtt", "status": "timeout"}, 1),
        ("wirelab_sent_total", {"operation": "rtt"}, 8),
        ("wirelab_received_total", {"operation": "rtt"}, 7),
        ("wirelab_received_total", {"operation": "delivery"}, 5),
        ("wirelab_expected_total", {"operation": "delivery"}, 9),
        ("wirelab_lost", {"operation": "delivery"}, 4),
        ("wirelab_received_bytes_total", {"operation": "delivery"}, 5),
        ("wirelab_other_counts_total", {"operation": "delivery", "count": "odd"}, 5),
        ("wirelab_response_seconds", {"operation": "rtt", "quantile": "0.5"}, 0.001),
        ("wirelab_service_seconds", {"operation": "rtt", "quantile": "1"}, 0.004),
        ("wirelab_cpu_seconds_total", {"role": "server"}, 3),
        ("wirelab_resident_memory_bytes", {"role": "generator"}, 1 << 19),
        ("wirelab_worker_progress", {"role": "generator", "figure": "connected"}, 10),
        ("wirelab_worker_runtime", {"role": "server", "figure": "heap_bytes"}, 5),
        ("wirelab_trial_info", {"step": "few", "profile": "smoke", "variant": ""}, 1),
        ("wirelab_trial_elapsed_seconds", {}, 2),
        ("wirelab_trial_scheduled_seconds", {}, 8),
        ("wirelab_run_planned_trials", {}, 3),
        ("wirelab_run_trials_total", {"status": "ok"}, 1),
        ("wirelab_live_pushes_total", {"result": "failed"}, 1),
        ("wirelab_live_cpu_seconds_total", {}, 0.01),
    ],
)
def test_each_figure_has_its_name(name: str, labels: dict[str, str], expected: float) -> None:
    assert value(name, None, **labels) == pytest.approx(expected)


def test_everything_of_a_trial_says_which_trial() -> None:
    families_ = parsed(text(everything())).values()
    samples = [sample for family in families_ for sample in family.samples]
    of_the_run = {sample.name for sample in samples if "trial" not in sample.labels}
    assert of_the_run == {
        *("wirelab_run_planned_trials", "wirelab_run_trials_total"),
        *("wirelab_live_pushes_total", "wirelab_live_cpu_seconds_total"),
    }
    assert len(samples) == 39
    for sample in samples:
        own = {k: OWN[k] for k in ("run", "suite")} if sample.name in of_the_run else OWN
        assert own.items() <= sample.labels.items(), sample.name


def test_every_family_is_shown_with_its_type_and_a_warning_not_to_quote_it() -> None:
    shown = parsed(text(everything()))
    known = [f for f in vars(families).values() if isinstance(f, families.Family)]
    assert {f.name.removesuffix("_total") for f in known} == set(shown)
    for family in known:
        metric = shown[family.name.removesuffix("_total")]
        assert metric.type == family.kind
        assert families.LOOKING in metric.documentation


def test_a_pushed_text_carries_its_time_in_milliseconds_a_scraped_one_none() -> None:
    lines = text(everything(), 1_700_000_000.25).decode().splitlines()
    figures = [line for line in lines if not line.startswith("#")]
    assert len(figures) == 39
    assert all(line.endswith(" 1700000000250") for line in figures)
    scraped = [s for family in parsed(text(everything())).values() for s in family.samples]
    assert [sample.timestamp for sample in scraped] == [None] * 39


def test_a_scraper_that_asks_for_openmetrics_can_read_it() -> None:
    written = openmetrics.generate_latest(Exposition(everything).registry()).decode()
    assert {family.name for family in openmetrics_families(written)} == set(
        parsed(text(everything()))
    )


def test_names_that_need_escaping_come_back_as_they_were() -> None:
    figures = everything()
    assert figures.trial is not None
    odd = 'a"b\\c\nd'
    trial = replace(figures.trial, step=odd)
    assert value("wirelab_trial_info", replace(figures, trial=trial), step=odd) == 1


def test_a_trial_at_rest_keeps_its_totals_and_loses_what_was_of_the_moment() -> None:
    figures = everything()
    assert figures.trial is not None
    rest = replace(figures, trial=replace(figures.trial, under_way=False).at_rest())
    shown = set(parsed(text(rest)))
    assert {"wirelab_sent", "wirelab_lost", "wirelab_cpu_seconds"} <= shown
    gone = {"wirelab_trial_info", "wirelab_response_seconds", "wirelab_resident_memory_bytes"}
    assert not gone & shown


def test_nothing_is_said_before_a_run() -> None:
    assert text(LiveFigures()) == b""


def test_the_page_names_every_metric() -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "watch-a-run.md").read_text()
    known = {f.name for f in vars(families).values() if isinstance(f, families.Family)}
    assert known == set(re.findall(r"wirelab_[a-z_]+", page))
