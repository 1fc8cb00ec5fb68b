"""Treatments of silence and of too many strokes in the report of ``websocket``: each with its
mechanism, load and proof by counts, and beside the plain server within blocks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from report_build import metric as figure
from websocket_sample import sample
from websocket_text import report

from wirelab.model.result import ByBlock, Cell, Metric, Result
from wirelab.model.units import Text

SCENES = {
    "silent-peers": ("crowd", "", "fastapi", "fastapi-pings"),
    "slow-readers": ("held", "", "fastapi", "fastapi-gather"),
    "shedding": ("drawing", "", "node-ws", "node-ws-sampling"),
    "connection-limit": ("users-3000", "", "node-ws", "node-ws-limit"),
    "overload": ("", "processor-10", "node-ws", "node-ws-overload"),
}
"""By scenario: step, variant, the plain server, the one that treats it."""
COUNTED = {
    "silent-peers": "connect.ended.count",
    "slow-readers": "connect.silent.count",
    "shedding": "delivery.shed.count",
    "connection-limit": "connect.error.count",
    "overload": "delivery.shed.count",
}
BLOCKS = (10.0, 80.0, 20.0, 60.0, 30.0, 45.0)
"""The same figure in six blocks which are far apart: no interval over all of them is narrow."""


def in_blocks(times: float) -> Metric:
    own = 0.01 * (times - 1)
    values = [value * (times + own * (at % 3 - 1)) for at, value in enumerate(BLOCKS)]
    middle = sum(values) / len(values)
    found = figure(middle, "%", (middle / 4, middle * 4), per_trial=values)
    by_block = ByBlock(of="run", values={1: dict(enumerate(values))})
    return found.model_copy(update={"by_block": by_block})


def cell_of(like: Cell, scenario: str, name: str, counts: dict[str, float], cost: float) -> Cell:
    step, variant, *_ = SCENES[scenario]
    metrics = like.metrics | {n: figure(value, "count") for n, value in counts.items()}
    update = {
        "scenario": scenario,
        "step": step,
        "variant": variant,
        "contender": name,
        "id": f"websocket/{scenario}/{step or variant}/{name}",
        "metrics": metrics | {"total.cpu.mean": in_blocks(cost)},
        "ranks": {},
    }
    return like.model_copy(update=update)


def with_scene(scenario: str, treated: float | None = 4711, untreated: float | None = 0) -> Result:
    """The sample with a scenario in which a server is treated; None: it took no part."""
    found = sample()
    *_, plain, other = SCENES[scenario]
    like = next(one for one in found.cells if one.contender == plain and one.scenario == "ramp")
    counts = {"connect.silent.count": 200.0, "connect.ended.count": 0.0}
    sides = ((plain, untreated, 1.0), (other, treated, 1.5))
    cells = [
        cell_of(like, scenario, name, counts | {COUNTED[scenario]: counted}, cost)
        for name, counted, cost in sides
        if counted is not None
    ]
    base = found.participants[plain]
    update = {"title": Text(en=f"{base.manifest.title.en}, treated"), "contender": other}
    added = base.model_copy(update={"manifest": base.manifest.model_copy(update=update)})
    participants = {**found.participants, other: added}
    return found.model_copy(update={"cells": [*found.cells, *cells], "participants": participants})


def section_of(folder: Path, found: Result, scenario: str, language: str = "en") -> str:
    """Text of the scenario's section."""
    own = {"en": "Overload, and strokes left out by it", "ko": "과부하와 과부하 때의 샘플링"}
    title = found.scenarios[scenario].title.of(language)
    heading = own[language] if scenario == "overload" else title
    text = report(folder, found, language)
    (at,) = re.findall(rf"^#+ [\d-]+\.? ?{re.escape(heading)}$", text, re.M)
    return re.split(r"\n#+ ", text.split(f"\n{at}\n")[1])[0]


@pytest.mark.parametrize("scenario", SCENES)
def test_a_treatment_says_mechanism_load_and_proof_by_counts(tmp_path: Path, scenario: str) -> None:
    text = section_of(tmp_path, with_scene(scenario), scenario)
    for said in ("Mechanism:", "Where it could matter:", "Proof that it was active:"):
        assert text.count(said) == 1, said
    counted = next(line for line in text.splitlines() if "Counted (" in line)
    assert "treated (" in counted
    assert "4,711" in counted
    assert "not" not in counted.split(". ")[-1]


@pytest.mark.parametrize("scenario", SCENES)
def test_a_treatment_that_did_nothing_is_not_shown_to_be_active(
    tmp_path: Path, scenario: str
) -> None:
    text = section_of(tmp_path, with_scene(scenario, treated=0), scenario)
    counted = next(line for line in text.splitlines() if "Counted (" in line)
    assert "it was active" not in counted
    assert "not" in counted.split(". ")[-1]


def test_who_ends_no_more_silent_users_than_the_plain_server_has_not_found_them(
    tmp_path: Path,
) -> None:
    found = with_scene("silent-peers", treated=200, untreated=200)
    assert "not shown to have been active" in section_of(tmp_path, found, "silent-peers")


@pytest.mark.parametrize("scenario", SCENES)
def test_a_treatment_is_held_against_the_plain_server_within_blocks(
    tmp_path: Path, scenario: str
) -> None:
    text = section_of(tmp_path, with_scene(scenario), scenario)
    assert text.count("ratio to ") == 1
    row = next(line for line in text.splitlines() if line.startswith("| CPU mean with"))
    # Of the two figures as they are nothing is known within a factor of five.
    assert "1.50 [1.49–1.51]" in row


@pytest.mark.parametrize("scenario", SCENES)
@pytest.mark.parametrize("absent", ["treated", "untreated"])
def test_without_its_counterpart_there_is_plainly_no_ratio(
    tmp_path: Path, scenario: str, absent: str
) -> None:
    found = with_scene(scenario, **{absent: None})
    text = section_of(tmp_path, found, scenario)
    assert "with its 95 % interval" not in text
    assert "ratio to the plain server: none, because" in text
    assert ("Counted (" in text) == (absent == "untreated")


@pytest.mark.parametrize("scenario", SCENES)
def test_a_treatment_has_its_figures_in_korean_too(tmp_path: Path, scenario: str) -> None:
    texts = [
        section_of(tmp_path, with_scene(scenario), scenario, language) for language in ("en", "ko")
    ]
    figures = [re.findall(r"\[\d[\d.,]*–\d[\d.,]*\]", text) for text in texts]
    assert figures[0] == figures[1] != []
    for said in ("원리:", "효과가 있을 수 있는 부하:", "적용되었다는 근거:", "집계("):
        assert texts[1].count(said) == 1, said


def test_where_a_treatment_was_not_run_it_says_how_it_works_and_what_it_takes(
    tmp_path: Path,
) -> None:
    text = section_of(tmp_path, sample(), "slow-readers")
    assert "Mechanism: with asyncio.gather" in text
    assert "wl run websocket --scenario slow-readers" in text
    assert "Counted (" not in text
