"""The dashboard asks for nothing that is not there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from live.live_examples import everything
from wirelab.live.exposition import text

OBSERVABILITY = Path(__file__).parents[2] / "observability"
DASHBOARD = json.loads((OBSERVABILITY / "dashboards" / "wirelab.json").read_text())

SELECTOR = re.compile(r"(wirelab_\w+)(?:\{([^}]*)\})?")
LABEL = re.compile(r"(\w+)\s*(?:=~|!=|!~|=)")
BY = re.compile(r"\bby \(([^)]*)\)")
SHOWN = re.compile(r"\{\{(\w+)\}\}")


def labels_by_name() -> dict[str, set[str]]:
    shown: dict[str, set[str]] = {}
    for family in text_string_to_metric_families(text(everything()).decode()):
        for sample in family.samples:
            shown.setdefault(sample.name, set()).update(sample.labels)
    return shown


def queries() -> Iterator[tuple[str, str]]:
    """Every expression, and how its series are called."""
    for panel in DASHBOARD["panels"]:
        for target in panel.get("targets", []):
            yield target["expr"], target["legendFormat"]
    for annotation in DASHBOARD["annotations"]["list"]:
        shown = f"{annotation['titleFormat']} {annotation['textFormat']}"
        yield annotation["expr"], shown
    for variable in DASHBOARD["templating"]["list"]:
        if variable["type"] == "query":
            yield variable["query"]["query"], ""


@pytest.mark.parametrize(("expression", "legend"), list(queries()))
def test_names_and_labels_of_an_expression_exist(expression: str, legend: str) -> None:
    known = labels_by_name()
    names = SELECTOR.findall(expression)
    assert names
    for name, selector in names:
        assert name in known, f"{name} is in no exposition"
        assert set(LABEL.findall(selector)) <= known[name], expression
    common = set.intersection(*(known[name] for name, _ in names))
    kept = [part.strip() for group in BY.findall(expression) for part in group.split(",")]
    assert set(kept) <= common
    assert set(SHOWN.findall(legend)) <= (set(kept) or common), f"{legend} of {expression}"


def test_what_was_asked_for_is_on_it() -> None:
    asked = " ".join(expression for expression, _ in queries())
    for name in (
        *("wirelab_sent_total", "wirelab_received_total", "wirelab_lost"),
        *("wirelab_response_seconds", "wirelab_service_seconds"),
        *("wirelab_cpu_seconds_total", "wirelab_resident_memory_bytes"),
        *('figure="connected"', "wirelab_trial_info"),
        *("wirelab_network_in_bytes_total", "wirelab_network_out_bytes_total"),
    ):
        assert name in asked


def test_tps_is_the_sum_of_what_clients_of_a_contender_send_and_receive() -> None:
    (panel,) = (panel for panel in DASHBOARD["panels"] if panel["title"].startswith("TPS"))
    (target,) = panel["targets"]
    added = target["expr"].split(" + ")
    assert [SELECTOR.findall(part)[0][0] for part in added] == [
        *("wirelab_sent_total", "wirelab_received_total"),
    ]
    assert [BY.findall(part) for part in added] == [["contender"], ["contender"]]
    # Joins are counted as operations, too, and are no messages.
    assert target["expr"].count('operation!="connect"') == 2


def test_panels_do_not_cover_each_other() -> None:
    assert len(DASHBOARD["panels"]) == 23
    taken: set[tuple[int, int]] = set()
    ids: set[int] = set()
    for panel in DASHBOARD["panels"]:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & taken, panel["title"]
        assert max(x for x, _ in cells) < 24
        assert panel["id"] not in ids
        taken |= cells
        ids.add(panel["id"])


def test_every_panel_asks_the_source_that_is_chosen() -> None:
    chosen: dict[str, Any] = {"type": "prometheus", "uid": "${datasource}"}
    panels = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
    assert len(panels) == 18
    for panel in panels:
        assert panel["datasource"] == chosen
        assert panel["targets"], panel["title"]
        assert all(target["datasource"] == chosen for target in panel["targets"])
