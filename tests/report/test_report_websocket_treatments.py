"""Treatments of silence and of too many strokes in the report of ``websocket``: each with its
mechanism, load and proof by counts, and beside the plain server within blocks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from report_build import metric as figure
from websocket_sample import sample
from websocket_text import report

from wirelab.model.result import ByBlock, Cell, Metric, Result, Verdict
from wirelab.model.units import Text

SCENES = {
    "fastapi-pings": ("silent-peers", "crowd", "", "fastapi"),
    "fastapi-gather": ("slow-readers", "held", "", "fastapi"),
    "node-ws-sampling": ("shedding", "drawing", "", "node-ws"),
    "node-ws-limit": ("connection-limit", "users-3000", "", "node-ws"),
    "spring-websocket-limit": ("connection-limit", "users-3000", "", "spring-websocket"),
    "fastapi-nginx-limit": ("connection-limit", "users-3000", "", "fastapi-nginx"),
    "node-ws-overload": ("overload", "", "processor-10", "node-ws"),
}
"""By the server that treats it: scenario, step, variant, the plain server."""
COUNTED = {
    "silent-peers": "connect.ended.count",
    "slow-readers": "connect.silent.count",
    "shedding": "delivery.shed.count",
    "connection-limit": "connect.error.count",
    "overload": "delivery.shed.count",
}
LIMITED = [name for name, (scenario, *_rest) in SCENES.items() if scenario == "connection-limit"]
BLOCKS = (10.0, 80.0, 20.0, 60.0, 30.0, 45.0)
"""The same figure in six blocks which are far apart: no interval over all of them is narrow."""


def in_blocks(times: float) -> Metric:
    own = 0.01 * (times - 1)
    values = [value * (times + own * (at % 3 - 1)) for at, value in enumerate(BLOCKS)]
    middle = sum(values) / len(values)
    found = figure(middle, "%", (middle / 4, middle * 4), per_trial=values)
    by_block = ByBlock(of="run", values={1: dict(enumerate(values))})
    return found.model_copy(update={"by_block": by_block})


def cell_of(like: Cell, treats: str, name: str, counts: dict[str, float], cost: float) -> Cell:
    scenario, step, variant, _plain = SCENES[treats]
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


def with_scene(treats: str, treated: float | None = 4711, untreated: float | None = 0) -> Result:
    """The sample with a scenario in which a server is treated; None: it took no part."""
    found, other = sample(), treats
    scenario, _step, _variant, plain = SCENES[treats]
    of_library = plain.removesuffix("-nginx")
    like = next(
        one for one in found.cells if one.contender == of_library and one.scenario == "ramp"
    )
    counts = {"connect.silent.count": 200.0, "connect.ended.count": 0.0}
    sides = ((plain, untreated, 1.0), (other, treated, 1.5))
    cells = [
        cell_of(like, treats, name, counts | {COUNTED[scenario]: counted}, cost)
        for name, counted, cost in sides
        if counted is not None
    ]
    base = found.participants[of_library]
    participants = {**found.participants}
    own = base.manifest.title.en
    for name, title in ((plain, own), (other, f"{own}, treated")):
        update = {"title": Text(en=title), "contender": name}
        manifest = base.manifest.model_copy(update=update)
        participants[name] = base.model_copy(update={"manifest": manifest})
    return found.model_copy(update={"cells": [*found.cells, *cells], "participants": participants})


def section_of(folder: Path, found: Result, treats: str, language: str = "en") -> str:
    """Text of the section of the scenario that a server treats."""
    scenario = SCENES[treats][0]
    own = {"en": "Overload, and strokes left out by it", "ko": "과부하와 과부하 때의 샘플링"}
    title = found.scenarios[scenario].title.of(language)
    heading = own[language] if scenario == "overload" else title
    text = report(folder, found, language)
    (at,) = re.findall(rf"^#+ [\d-]+\.? ?{re.escape(heading)}$", text, re.M)
    return re.split(r"\n#+ ", text.split(f"\n{at}\n")[1])[0]


@pytest.mark.parametrize("treats", SCENES)
def test_a_treatment_says_mechanism_load_and_proof_by_counts(tmp_path: Path, treats: str) -> None:
    text = section_of(tmp_path, with_scene(treats), treats)
    for said in ("Mechanism:", "Where it could matter:", "Proof that it was active:"):
        assert text.count(said) == 1, said
    counted = next(line for line in text.splitlines() if "Counted (" in line)
    assert "treated (" in counted
    assert "4,711" in counted
    assert "not" not in counted.split(". ")[-1]


@pytest.mark.parametrize("treats", SCENES)
def test_a_treatment_that_did_nothing_is_not_shown_to_be_active(
    tmp_path: Path, treats: str
) -> None:
    text = section_of(tmp_path, with_scene(treats, treated=0), treats)
    counted = next(line for line in text.splitlines() if "Counted (" in line)
    assert "it was active" not in counted
    assert "not" in counted.split(". ")[-1]


def test_who_ends_no_more_silent_users_than_the_plain_server_has_not_found_them(
    tmp_path: Path,
) -> None:
    found = with_scene("fastapi-pings", treated=200, untreated=200)
    assert "not shown to have been active" in section_of(tmp_path, found, "fastapi-pings")


@pytest.mark.parametrize("treats", SCENES)
def test_a_treatment_is_held_against_the_plain_server_within_blocks(
    tmp_path: Path, treats: str
) -> None:
    text = section_of(tmp_path, with_scene(treats), treats)
    assert text.count("ratio to ") == 1
    row = next(line for line in text.splitlines() if line.startswith("| CPU mean with"))
    # Of the two figures as they are nothing is known within a factor of five.
    assert "1.50 [1.49–1.51]" in row


@pytest.mark.parametrize("treats", SCENES)
@pytest.mark.parametrize("absent", ["treated", "untreated"])
def test_without_its_counterpart_there_is_plainly_no_ratio(
    tmp_path: Path, treats: str, absent: str
) -> None:
    found = with_scene(treats, **{absent: None})
    text = section_of(tmp_path, found, treats)
    assert "with its 95 % interval" not in text
    assert "ratio to the plain server: none, because" in text
    assert ("Counted (" in text) == (absent == "untreated")


@pytest.mark.parametrize("treats", SCENES)
def test_a_treatment_has_its_figures_in_korean_too(tmp_path: Path, treats: str) -> None:
    texts = [
        section_of(tmp_path, with_scene(treats), treats, language) for language in ("en", "ko")
    ]
    figures = [re.findall(r"\[\d[\d.,]*–\d[\d.,]*\]", text) for text in texts]
    assert figures[0] == figures[1] != []
    for said in ("원리:", "효과가 있을 수 있는 부하:", "적용되었다는 근거:", "집계("):
        assert texts[1].count(said) == 1, said


def test_where_a_treatment_was_not_run_it_says_how_it_works_and_what_it_takes(
    tmp_path: Path,
) -> None:
    text = section_of(tmp_path, sample(), "fastapi-gather")
    assert "Mechanism: with asyncio.gather" in text
    assert "wl run websocket --scenario slow-readers" in text
    assert "Counted (" not in text


def with_outcomes(found: Result, went: dict[str, dict[str, int]], **update: Any) -> Result:
    """The result with these outcomes of connecting, by server, where connections are limited."""
    cells = [
        one.model_copy(
            update={"statuses": {**one.statuses, "connect": went[one.contender]}, **update}
        )
        if one.scenario == "connection-limit"
        else one
        for one in found.cells
    ]
    return found.model_copy(update={"cells": cells})


def test_how_it_went_for_those_who_came_is_told_by_outcome(tmp_path: Path) -> None:
    treats = "spring-websocket-limit"
    went = {"spring-websocket": {"ok": 18_000}, treats: {"ok": 3000, "timeout": 15_000}}
    text = section_of(tmp_path, with_outcomes(with_scene(treats), went), treats)
    (told,) = (line for line in text.splitlines() if "How it went" in line)
    assert "let in 3,000, without an answer within the limit 15,000; " in told
    assert told.endswith(": let in 18,000.")


def with_invalid(found: Result) -> Result:
    """The result with every figure taken away by the host, where connections are limited."""
    cells = [
        one.model_copy(
            update={
                "verdict": Verdict.INVALID,
                "metrics": {
                    name: metric.model_copy(
                        update={"verdict": Verdict.INVALID, "gates": ["host-disturbed"]}
                    )
                    for name, metric in one.metrics.items()
                },
            }
        )
        if one.scenario == "connection-limit"
        else one
        for one in found.cells
    ]
    return found.model_copy(update={"cells": cells})


@pytest.mark.parametrize("treats", LIMITED)
def test_how_it_went_is_told_of_invalid_cells_too(tmp_path: Path, treats: str) -> None:
    plain = SCENES[treats][-1]
    went = {plain: {"ok": 3000, "disconnected": 7}, treats: {"ok": 500, "error": 2500}}
    found = with_invalid(with_outcomes(with_scene(treats), went))
    text = section_of(tmp_path, found, treats)
    assert text.count("Mechanism:") == 1
    (told,) = (line for line in text.splitlines() if "How it went" in line)
    assert "let in 500, answered that they were not 2,500 (invalid (host-disturbed)); " in told
    assert "let in 3,000, cut off 7 (invalid (host-disturbed))." in told


@pytest.mark.parametrize(
    ("untreated", "treated", "is_shown"),
    [
        ({"ok": 3000}, {"ok": 500, "error": 2500}, True),
        ({"ok": 2999, "error": 1}, {"ok": 500, "error": 2500}, False),
        ({"ok": 3000}, {"ok": 500, "timeout": 2500}, False),
        ({"ok": 3000}, {"ok": 3000}, False),
    ],
)
def test_in_invalid_cells_an_answer_of_the_server_shows_that_it_was_active(
    tmp_path: Path, untreated: dict[str, int], treated: dict[str, int], *, is_shown: bool
) -> None:
    treats = "node-ws-limit"
    found = with_outcomes(with_scene(treats), {"node-ws": untreated, treats: treated})
    text = section_of(tmp_path, with_invalid(found), treats)
    (counted,) = (line for line in text.splitlines() if "Counted (" in line)
    assert "invalid (host-disturbed)" in counted
    assert ("it was active" in counted) is is_shown
    assert ("nothing that would prove it" in counted) is not is_shown


def test_each_limit_is_told_beside_its_own_server(tmp_path: Path) -> None:
    cells, participants = [], {}
    for treats in LIMITED:
        found = with_scene(treats)
        cells += [one for one in found.cells if one.scenario == "connection-limit"]
        participants |= found.participants
    every = sample()
    update = {"cells": [*every.cells, *cells], "participants": participants}
    text = section_of(tmp_path, every.model_copy(update=update), LIMITED[0])
    for said in ("Mechanism:", "Where it could matter:", "Proof that it was active:", "), beside "):
        assert text.count(said) == len(LIMITED), said
    assert text.count("ratio to ") == len(LIMITED)
    assert text.count("1.50 [1.49–1.51]") == len(LIMITED)
