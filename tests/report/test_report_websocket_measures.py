"""The WebSocket study's thirteen measures: how each works, and its ratio or its command."""

from __future__ import annotations

from pathlib import Path

import pytest
from report_build import metric as figure
from websocket_sample import sample, with_tunings
from websocket_text import report

from wirelab.model.result import ByBlock, Metric, Result
from wirelab.model.units import Text

CAPTIONS = {
    "en": "The study's thirteen measures: mechanism, load and what was measured",
    "ko": "원문의 13가지 방안: 원리, 부하, 측정 결과",
}


def rows(text: str, language: str) -> list[list[str]]:
    """Rows of the table of measures."""
    table = text.split(f"**{CAPTIONS[language]}**", 1)[1].strip().split("\n\n")[0]
    return [[c.strip() for c in line.strip("|").split(" | ")] for line in table.splitlines()[2:]]


@pytest.mark.parametrize("language", ["en", "ko"])
def test_each_of_the_thirteen_has_mechanism_load_and_a_command(
    tmp_path: Path, language: str
) -> None:
    table = rows(report(tmp_path, sample(), language), language)
    assert len(table) == 13
    assert all(len(row) == 4 and all(row) for row in table)
    told = {row[3].strip("`") for row in table}
    assert "./wl run websocket --scenario tuning" in told
    names = ("compression", "shedding", "overload", "connection-limit")
    asked = " ".join(f"--scenario {name}" for name in names)
    assert f"./wl run websocket {asked}" in told


def test_where_tunings_were_run_their_ratios_stand_there(tmp_path: Path) -> None:
    table = rows(report(tmp_path, with_tunings(sample())), "en")
    told = {row[0]: row[3] for row in table}
    assert told["Spring WebSocket: tune the garbage collector"].count(": ") == 2
    varied = [name for name, said in told.items() if "--scenario tuning" not in said]
    assert len(varied) == 13
    assert "--scenario compression" in told["Spring STOMP: GZIP compression, filtering by topic"]


DEGRADED = {
    "compression": ("", "short-random", "node-ws-deflate"),
    "shedding": ("drawing", "", "node-ws-sampling"),
    "overload": ("", "processor-10", "node-ws-overload"),
    "connection-limit": ("users-3000", "", "node-ws-limit"),
}
"""Step, variant and the changed server, by the scenario that shows a measure."""


def in_blocks(times: float) -> Metric:
    values = [value * (times + 0.01 * (at % 3 - 1)) for at, value in enumerate((9, 8, 7, 6, 5, 4))]
    by_block = ByBlock(of="run", values={1: dict(enumerate(values))})
    found = figure(sum(values) / 6, "ms", (4, 9), per_trial=values)
    return found.model_copy(update={"by_block": by_block})


def with_scenarios(found: Result, of: dict[str, tuple[str, str, str]], plain: str) -> Result:
    """The sample with these scenarios, in which the changed server takes half the time."""
    like = next(one for one in found.cells if one.contender == plain and one.scenario == "ramp")
    cells = [
        like.model_copy(
            update={
                **{"scenario": scenario, "step": step, "variant": variant, "contender": name},
                "id": f"websocket/{scenario}/{step or variant}/{name}",
                "metrics": like.metrics | {"delivery.response.p99": in_blocks(times)},
                "ranks": {},
            }
        )
        for scenario, (step, variant, changed) in of.items()
        for name, times in ((plain, 1.0), (changed, 0.5))
    ]
    base = found.participants[plain]
    participants = {**found.participants}
    for _step, _variant, name in of.values():
        update = {"title": Text(en=name), "contender": name}
        manifest = base.manifest.model_copy(update=update)
        participants[name] = base.model_copy(update={"manifest": manifest})
    return found.model_copy(update={"cells": [*found.cells, *cells], "participants": participants})


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_measure_that_no_tuning_varies_has_the_ratios_of_its_scenarios(
    tmp_path: Path, language: str
) -> None:
    found = with_scenarios(sample(), DEGRADED, "node-ws")
    (told,) = (
        row[3]
        for row in rows(report(tmp_path, found, language), language)
        if "node-ws-limit" in row[3]
    )
    assert told.count("0.50 [") == len(DEGRADED)
    assert {name for _step, _variant, name in DEGRADED.values() if name in told} == {
        name for _step, _variant, name in DEGRADED.values()
    }
    assert "--scenario" not in told


def test_what_of_a_measure_is_not_measured_has_its_command_beside_the_ratios(
    tmp_path: Path,
) -> None:
    own = {"compression": ("", "short-random", "spring-stomp-deflate")}
    table = rows(report(tmp_path, with_scenarios(sample(), own, "spring-stomp")), "en")
    told = {row[0]: row[3] for row in table}
    stomp = told["Spring STOMP: GZIP compression, filtering by topic"]
    assert "spring-stomp-deflate" in stomp
    assert "0.50 [" in stomp
    assert "--scenario" not in stomp
    (node,) = (said for name, said in told.items() if name.startswith("Node.js: limit"))
    assert "--scenario shedding --scenario overload --scenario connection-limit" in node
    assert "--scenario compression" not in node
