"""Tunings, sensors and table 1 in the report of ``websocket``: told beside the unchanged server,
and judged by the interval of a ratio."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from report_build import metric as figure
from websocket_sample import SUITE, TUNED, about, sample, with_metric, with_streams, with_tunings
from websocket_text import grounds, part, report, stand

from wirelab.model.result import Result
from wirelab.report.sources import composer
from wirelab.words.translation import read_catalogue

TUNINGS = 18
"""Listed in the suite's chapters, each with a server in the sample."""


def listed() -> tuple[Any, ...]:
    """The tunings of the suite's chapters."""
    found: tuple[Any, ...] = composer("websocket", SUITE).__globals__["tunings"].TUNINGS
    assert len(found) == TUNINGS
    return found


def with_redis(found: Result, contender: str, percent: float) -> Result:
    """The tuning's CPU of Redis replaced."""
    cells = [
        cell.model_copy(
            update={"metrics": {**cell.metrics, "redis.cpu.mean": about(percent, "%", 0.01)}}
        )
        if (cell.contender, cell.scenario) == (contender, "tuning")
        else cell
        for cell in found.cells
    ]
    return found.model_copy(update={"cells": cells})


def test_each_tuning_says_mechanism_load_and_proof_and_has_its_ratio(tmp_path: Path) -> None:
    text = part(report(tmp_path, with_tunings(sample())), "### 5-2. Tuning of each server")
    for said in ("Mechanism:", "Where it could matter:", "Proof that it was active:"):
        assert text.count(said) == TUNINGS, said
    assert text.count("ratio to ") == TUNINGS
    of_gather = text.split("FastAPI: asyncio.gather instead of")[-1]
    row = next(line for line in of_gather.splitlines() if line.startswith("| CPU mean with"))
    assert "1.50 [" in row
    for harm in ("lost", "out of order", "dropped"):
        assert harm in of_gather, harm


def test_the_sample_has_every_server_that_is_tuned() -> None:
    bases = {name: base for name, (base, _cost) in TUNED.items()}
    named = {name for tuning in listed() for name in tuning.tuned}
    assert named - {*TUNED} == {"node-ws-cluster-redis", "node-ws-cluster-redis-global"}
    assert {*TUNED} - named == {
        *("node-ws-cluster-redis-one", "node-ws-cluster-redis-global-one"),
    }
    untuned = {name: tuning.untuned for tuning in listed() for name in tuning.tuned}
    of_one = {name: base for name, base in bases.items() if "cluster" not in name}
    assert len(of_one) > 15
    assert {name: untuned[name] for name in of_one} == of_one


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_tuning_is_told_in_both_languages(tmp_path: Path, language: str) -> None:
    text = report(tmp_path, with_tunings(sample()), language).replace("\\", "")
    korean = read_catalogue(SUITE / "locale" / "ko.po")
    for tuning in listed():
        for said in (tuning.title, tuning.mechanism, tuning.matters, tuning.proof):
            message = korean.get(said)
            assert message is not None, said
            assert (said if language == "en" else str(message.string)) in text, tuning.key


def worth_of(text: str) -> dict[str, list[str]]:
    """Entries of the table that heads the tunings, by server."""
    table = text.partition("**Worth of each tuning")[2].partition("\n**")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()]
    return {row[1]: row[3:] for row in rows if len(row) > 4}


def test_the_chapter_begins_with_what_each_tuning_is_worth(tmp_path: Path) -> None:
    found = with_tunings(sample())
    better = {
        "spring-websocket-zgc": {"delivery.response.p99": about(1.0)},
        "node-ws-strings": {"delivery.per.cpu": about(1e6, "message/CPU-s")},
    }
    cells = [
        cell.model_copy(update={"metrics": {**cell.metrics, **better.get(cell.contender, {})}})
        if cell.scenario == "tuning"
        else cell
        for cell in found.cells
    ]
    text = part(
        report(tmp_path, found.model_copy(update={"cells": cells})),
        "### 5-2. Tuning of each server",
    )
    assert text.index("Worth of each tuning") < text.index("Changes this run has figures of")
    told = worth_of(text)
    (gather,) = (row for name, row in told.items() if "fastapi-gather" in name)
    # Half as much processor time again, and nothing else that can be told apart.
    assert "costs" in gather[0]
    assert gather[2].startswith("0.67 [")
    (strings,) = (row for name, row in told.items() if "node-ws-strings" in name)
    assert "helps" in strings[0]
    assert "costs" not in strings[0]
    (collector,) = (row for name, row in told.items() if "websocket-zgc" in name)
    assert "helps and costs" in collector[0]
    assert "Worth of each tuning" not in report(tmp_path, sample())


@pytest.mark.parametrize("counted", ["delivery.loss.count", "delivery.reorder.count"])
@pytest.mark.parametrize(
    ("tuned", "untuned", "expected"),
    [
        ([0, 12], [0, 0], "helps and costs"),
        ([0, 0], [0, 0], "helps"),
        ([0], [0, 0], "helps"),
        ([12], [0, 0], "helps"),
        ([0, 12], [0, 9], "helps"),
        ([0, 0], [3, 9], "helps"),
    ],
)
def test_a_tuning_that_loses_messages_or_their_order_does_not_only_help(
    tmp_path: Path, counted: str, tuned: list[float], untuned: list[float], expected: str
) -> None:
    found = with_tunings(sample())
    lost = {"node-ws-strings": tuned, "node-ws": untuned}
    better = {"node-ws-strings": {"delivery.per.cpu": about(1e6, "message/CPU-s")}}
    of_loss = {
        name: {counted: figure(sum(counts), "count", per_trial=counts)}
        for name, counts in lost.items()
    }
    cells = [
        cell.model_copy(
            update={
                "metrics": cell.metrics
                | better.get(cell.contender, {})
                | of_loss.get(cell.contender, {})
            }
        )
        if cell.scenario == "tuning"
        else cell
        for cell in found.cells
    ]
    text = report(tmp_path, found.model_copy(update={"cells": cells}))
    (strings,) = (row for name, row in worth_of(text).items() if "node-ws-strings" in name)
    assert strings[0].replace("*", "").strip("✔✘ ") == expected


def with_faults(found: Result, outcomes: tuple[str, str]) -> Result:
    """The result with the two faults of a server behind nginx, in two trials each."""
    like = next(cell for cell in found.cells if cell.scenario == "faults")
    view = like.caller[0]
    cells = [
        like.model_copy(
            update={
                "contender": "fastapi-nginx",
                "variant": variant,
                "id": f"websocket/faults/{variant}/fastapi-nginx",
                "caller": [
                    view.model_copy(update={"trial": f"000{at}", "outcome": outcome})
                    for at, outcome in enumerate(outcomes)
                ],
            }
        )
        for variant in ("server-stalled", "server-restart")
    ]
    return found.model_copy(update={"cells": [*found.cells, *cells]})


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        (("recovered", "recovered"), "supported"),
        (("recovered", "not-recovered"), "contradicted"),
    ],
)
def test_nginx_is_judged_by_connections_that_come_back(
    tmp_path: Path, outcomes: tuple[str, str], expected: str
) -> None:
    statement = "FastAPI: Nginx as WebSocket proxy"
    slower = with_tunings(sample())
    assert stand(report(tmp_path, slower), statement) == "undecided"
    assert stand(report(tmp_path, with_faults(slower, outcomes)), statement) == expected


def test_no_figure_of_one_server_judges_what_several_would_gain(tmp_path: Path) -> None:
    text = report(tmp_path, with_tunings(sample()))
    statement = "Spring STOMP: an external broker"
    assert stand(text, statement) == "undecided"
    assert "nobody to share a broker with" in grounds(text, statement)


def test_the_improvement_of_the_study_is_judged_by_its_own_channel(tmp_path: Path) -> None:
    text = report(tmp_path, sample())
    said = grounds(text, "Workers and Redis clearly improved FastAPI over the basic experiment")
    assert "FastAPI workers + Redis, global" in said


@pytest.mark.parametrize(
    "statement",
    ["FastAPI: several uvicorn workers", "Node.js: fewer copies"],
)
def test_what_was_varied_is_open_no_more(tmp_path: Path, statement: str) -> None:
    assert "No scenario varies it" not in grounds(report(tmp_path, sample()), statement)
    text = report(tmp_path, with_tunings(sample()))
    assert "not run this time" not in grounds(text, statement)
    assert stand(text, statement) != "supported"


@pytest.mark.parametrize(
    ("four", "expected"), [(40.0, "supported"), (25.0, "direction only"), (9.0, "contradicted")]
)
def test_what_redis_copies_grows_with_the_workers(
    tmp_path: Path, four: float, expected: str
) -> None:
    found = with_redis(with_tunings(sample()), "node-ws-cluster-redis-global-one", 10.0)
    found = with_redis(found, "node-ws-cluster-redis-global-four", four)
    text = report(tmp_path, found)
    assert stand(text, "its CPU grows in proportion to the workers") == expected


def test_the_balance_is_refuted_by_who_is_better_in_all(tmp_path: Path) -> None:
    statement = "Spring STOMP balances steadiness and performance best"
    text = report(tmp_path, sample())
    assert stand(text, statement) == "contradicted"
    assert "Spring STOMP is ahead in 0, behind in 3 of 4 figures" in grounds(text, statement)
    best = sample()
    for metric, value in (("rtt.response.p99", 0.1), ("delivery.response.p99", 0.1)):
        best = with_metric(best, "spring-stomp", metric, about(value))
    best = with_metric(best, "spring-stomp", "delivery.per.cpu", about(9e6, "message/CPU-s"))
    assert stand(report(tmp_path, best), statement) == "supported"


def test_workers_gain_where_more_arrives_with_them(tmp_path: Path) -> None:
    statement = "Workers and Redis improved the TPS in some steps"
    assert stand(report(tmp_path, sample()), statement) == "no difference shown"
    more = with_metric(
        sample(), "fastapi-workers-redis-global", "delivery.rate", about(9e4, "message/s")
    )
    assert stand(report(tmp_path, more), statement) == "supported"


def test_sensors_judge_what_is_said_of_them(tmp_path: Path) -> None:
    text = report(tmp_path, with_tunings(sample()))
    statement = "MVPs of startups, systems for data of IoT and sensors"
    assert "all sensors sending" in grounds(text, statement)
    assert stand(text, statement) != "supported"
    assert "so that a message in is an acknowledgement out" in text


def test_table_one_has_tps_as_a_sum_and_memory_as_a_range(tmp_path: Path) -> None:
    text = part(report(tmp_path, sample()), "#### 3-2-4. Node.js ws (JavaScript)")
    table = text.split("**As table 1 of the study has it")[1].split("**")[1]
    rows = [re.sub(r"\s+", " ", line) for line in table.splitlines() if line.startswith("| ")]
    # 1,000 sent, their 1,000 copies back, 49 others of each.
    assert any("1,000 users | 51,000" in row for row in rows)
    assert "50–70 MiB" in rows[-1]


def test_table_one_has_the_network_in_both_directions(tmp_path: Path) -> None:
    text = part(report(tmp_path, sample()), "#### 3-2-4. Node.js ws (JavaScript)")
    table = text.split("**As table 1 of the study has it")[1].split("**")[1]
    rows = [re.sub(r"\s+", " ", line) for line in table.splitlines() if line.startswith("| ")]
    assert any(row.startswith("| 1,000 users") and "| 0.14 / 6.70 |" in row for row in rows)
    assert "out at most 30 MB/s, in below 5 MB/s" in rows[-1]


def test_what_could_be_taken_instead_is_set_beside_with_its_ratio(tmp_path: Path) -> None:
    found = with_streams(sample())
    text = part(report(tmp_path, found), "### 5-4. What could be taken instead of WebSocket")
    # Two servers at two steps.
    assert text.count("ratio to ") == 4
    rows = [line for line in text.splitlines() if line.startswith("| CPU mean with")]
    assert len(rows) == 4
    assert all("2.00 [" in row for row in rows)
    assert "FastAPI by events (Python) · events" in text
    assert "FastAPI (Python) ·" not in text
    without = part(report(tmp_path, sample()), "### 5-4. What could be taken instead of WebSocket")
    assert "wl run websocket --scenario streams" in without


def test_tunings_in_korean_have_the_same_figures(tmp_path: Path) -> None:
    texts = [
        report(tmp_path, with_tunings(sample()), language).split("## A.")[0]
        for language in ("en", "ko")
    ]
    figures = [sorted(re.findall(r"\[\d[\d.,]*–\d[\d.,]*\]", text)) for text in texts]
    assert figures[0] == figures[1]
    assert "적용되었다는 근거" in texts[1]


def test_overload_shows_strokes_out_of_order(tmp_path: Path) -> None:
    found = sample()
    like = next(cell for cell in found.cells if cell.contender == "node-ws")
    cell = like.model_copy(
        update={
            "scenario": "overload",
            "step": "",
            "variant": "processor-10",
            "id": "websocket/overload/processor-10/node-ws",
            "metrics": like.metrics | {"delivery.reorder.count": figure(4711, "count")},
        }
    )
    with_overload = found.model_copy(update={"cells": [*found.cells, cell]})
    text = report(tmp_path, with_overload)
    assert "4,711" in text.split("Overload, and strokes left out by it")[-1]
    assert "4,711" not in report(tmp_path, found)
