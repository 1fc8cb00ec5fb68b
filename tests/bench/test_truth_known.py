"""Part ``known`` of ``wl bench truth``: servers of known truth, and what is found of them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli.command_lines import said
from wirelab.bench.truth import PARTS, write_page
from wirelab.bench.truth.boards_log import deliveries_of
from wirelab.bench.truth.held import Chances, lateness_of, rows_of
from wirelab.bench.truth.loads import OPEN
from wirelab.bench.truth.replay import answered_latencies, decided_latencies, utilisation
from wirelab.bench.truth.runs import Finished
from wirelab.bench.truth.server_log import Requests, SpoiltLogError, requests_of
from wirelab.cells.trial_files import TrialFiles
from wirelab.cells.window import Window
from wirelab.model.result import Verdict
from wirelab.samples import format as samples
from wirelab.samples.run_folder import RunFolder, read_result

ROOT = Path(__file__).parents[2]
MS = 1_000_000
EARLIER = {
    "piece": "open stalls quiet",
    "made": {
        **{"date": "2026-01-01", "commit": "abc", "wirelab": "1", "processor": "one of them"},
        **{"virtualisation": "", "kernel": "6", "cores": 2, "profile": "smoke", "seed": 11},
        **{"begun": "2026-01-01T00:00:00+00:00", "minutes": 1.0},
    },
    "rows": [],
}
"""The rows that an attempt has left which was interrupted."""

Json = dict[str, Any]


@pytest.fixture(scope="module")
def resumed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Folder of a command that had two of three pieces left, and its words."""
    folder = tmp_path_factory.mktemp("truth")
    (folder / "page" / "truth").mkdir(parents=True)
    earlier = {"part": "known", "entries": [EARLIER]}
    (folder / "page" / "truth" / "known.json").write_text(json.dumps(earlier))
    words = ("known", "--profile", "smoke", "--resume", "--out", str(folder / "page"))
    ended = said("bench", "truth", *words, cwd=folder)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return folder, ended.stdout


def trial_of(resumed: tuple[Path, str], piece: str) -> Path:
    (found,) = resumed[0].glob(f"results/truth-known/known-{piece}*/*/trials/*")
    return found


@pytest.fixture(scope="module")
def trial(resumed: tuple[Path, str]) -> Path:
    """Piece of one queue."""
    return trial_of(resumed, "open-queue-47-quiet")


@pytest.fixture(scope="module")
def boards(resumed: tuple[Path, str]) -> Path:
    """Piece of two boards of twenty users, who drew once a second for five seconds."""
    return trial_of(resumed, "fanout-bimodal-quiet")


@pytest.mark.left_to_all
@pytest.mark.needs("cargo")
def test_a_part_goes_on_where_it_stopped_and_its_rows_say_where_they_are_from(
    resumed: tuple[Path, str],
) -> None:
    folder, told = resumed
    assert "Known truth: 2 of 3 pieces" in told
    written = json.loads((folder / "page" / "truth" / "known.json").read_text())
    first, second, third = written["entries"]
    assert first == EARLIER
    assert (second["piece"], third["piece"]) == ("open queue-47 quiet", "fanout bimodal quiet")
    made = second["made"]
    assert (made["seed"], made["begun"]) == (11, EARLIER["made"]["begun"])  # type: ignore[index]
    assert all(made[key] for key in ("date", "commit", "processor", "kernel", "cores"))
    assert [row["figure"] for row in second["rows"]] == ["p50", "p95", "p99", "p99.9"]
    # As long as was decided, whatever the machine did meanwhile.
    assert second["rows"][0]["decided_ms"] == 0.5
    assert third["rows"][0]["decided_ms"] == 10
    known = [{row["operations_known"] for row in one["rows"]} for one in (second, third)]
    assert known == [{80}, {3 * 40 * 19}]
    for row in (*second["rows"], *third["rows"]):
        assert row["truth_ms"] == row["answered_ms"] >= row["decided_ms"]
    # Nothing is found before it was sent: a bucket is a thousandth wide. On a host that others
    # disturb all the time nothing is found.
    measured = third["rows"][0]["measured_ms"]
    assert measured is None or measured > 0.999 * third["rows"][0]["decided_ms"]
    assert second["rows"][-1]["within"] is None
    page = (folder / "page" / "truth.md").read_text()
    assert page.count("| open | queue-47 | quiet | p") == 4
    assert page.count("| fanout | bimodal | quiet | p") == 4
    assert str(folder) not in page


@pytest.mark.left_to_all
@pytest.mark.needs("cargo")
def test_the_log_and_the_records_tell_of_the_same_requests(trial: Path) -> None:
    found = requests_of(trial)
    ruler = TrialFiles(trial, "generator").samples
    assert len(found) == len(ruler) == 80
    assert sorted(found.intended) == sorted(ruler.intended_ns)
    assert len(set(found.connection)) == 40
    # Nobody is answered before the server's time is over, and nobody before the turn of others.
    assert np.all(found.answered - found.turn >= found.decided)
    order = np.argsort(found.turn)
    assert np.all(found.turn[order][1:] >= found.answered[order][:-1])


@pytest.mark.left_to_all
@pytest.mark.needs("cargo")
def test_a_spoilt_log_is_noticed(trial: Path) -> None:
    path = trial / "server.samples"
    whole = path.read_bytes()
    records = samples.read(path).copy()
    later = records.copy()
    later["intended_ns"][5] = later["end_ns"][5] + 1000 * MS
    exchanged = records.copy()
    # Two records of one connection could be exchanged without a difference.
    other = int(np.flatnonzero(exchanged["lane"] != exchanged["lane"][0])[0])
    exchanged["lane"][[0, other]] = exchanged["lane"][[other, 0]]
    spoilt = {
        "the server of 79": records[:-1],
        "are not those that the server tells of": later,
        "requests are not those": exchanged,
    }
    try:
        for message, changed in spoilt.items():
            path.write_bytes(whole[: samples.RECORD_SIZE] + changed.tobytes())
            with pytest.raises(SpoiltLogError, match=message):
                requests_of(trial)
        path.write_bytes(b"something else")
        with pytest.raises(SpoiltLogError, match="not even a header"):
            requests_of(trial)
    finally:
        path.write_bytes(whole)
    assert len(requests_of(trial)) == 80


# ------------------------------------------------------------------------------ boards


def window_and_codes(trial: Path) -> tuple[Window, dict[str, int]]:
    """The measured time of a trial, and the codes of its operations."""
    folder = RunFolder(trial.parent.parent)
    run, record = folder.read_run(), folder.read_record(trial.name)
    assert record is not None
    (planned,) = (one for one in run.plan if one.id == trial.name)
    operations = run.scenarios[planned.scenario].operations
    codes = {name: operation.code for name, operation in operations.items()}
    return Window.of(planned, record, "all"), codes


@pytest.mark.left_to_all
@pytest.mark.needs("cargo")
def test_every_delivery_is_in_the_log_with_the_intended_time_of_its_drawing(boards: Path) -> None:
    window, codes = window_and_codes(boards)
    found = deliveries_of(boards, window, codes)
    assert len(found.intended) == 3 * 40 * 19
    drawings, copies = np.unique(found.intended, return_counts=True)
    assert (len(drawings), set(copies.tolist())) == (3 * 40, {19})
    assert set(found.decided.tolist()) == {10 * MS, 60 * MS}
    assert np.all(found.answered - found.started >= found.decided)
    decided = found.decided_latencies({"rule": "bimodal"})
    assert np.array_equal(decided, found.decided)
    stalls = {"rule": "stalls", "stalls_from_ns": 0, "every_ns": 2000 * MS, "stall_ns": 200 * MS}
    kept_longer = found.decided_latencies(stalls) - decided
    assert np.all((kept_longer >= 0) & (kept_longer <= 200 * MS))


@pytest.mark.left_to_all
@pytest.mark.needs("cargo")
def test_a_spoilt_log_of_deliveries_is_noticed(boards: Path) -> None:
    window, codes = window_and_codes(boards)
    path = boards / "server.samples"
    whole = path.read_bytes()
    records = samples.read(path).copy()
    own, others = (np.flatnonzero(records["op"] == op) for op in (1, 2))
    ruler = TrialFiles(boards, "generator").samples
    until_ns = ruler.end_ns[ruler.op == codes["rtt"]].max()
    # What the engine draws when nothing is due any more comes later.
    assert records["intended_ns"][others[-1]] > until_ns
    last = others[records["intended_ns"][others] <= until_ns][-1]
    elsewhere, nobodys = records.copy(), records.copy()
    elsewhere["lane"][own[0]] += 1
    nobodys["intended_ns"][others[0]] += 1
    spoilt = {
        "counted 2280 deliveries, the server has sent 2279": np.delete(records, last),
        "the server of 119": np.delete(records, own[0]),
        "drawings are not those": elsewhere,
        "of no drawing": nobodys,
    }
    try:
        for message, changed in spoilt.items():
            path.write_bytes(whole[: samples.RECORD_SIZE] + changed.tobytes())
            with pytest.raises(SpoiltLogError, match=message):
                deliveries_of(boards, window, codes)
    finally:
        path.write_bytes(whole)
    assert len(deliveries_of(boards, window, codes).intended) == 2280


# ----------------------------------------------------------------- what the truth is


def requests(intended_ms: list[int], decided_ms: list[int], lanes: list[int]) -> Requests:
    """Requests of which nothing else is asked."""
    at = np.array(intended_ms) * MS
    return Requests(at, at, at, np.array(lanes), at, at, at, np.array(decided_ms) * MS)


def true_ms(asked: Requests, closed: bool = False, **facts: Any) -> list[float]:
    return [float(one) / MS for one in decided_latencies(asked, facts, closed=closed)]


def test_independent_requests_take_what_was_decided_and_wait_on_their_own_connection() -> None:
    asked = requests([0, 1, 10, 20], [5, 60, 5, 5], [0, 1, 1, 0])
    # The third waits for the second, which is on its connection and ends at 61.
    assert true_ms(asked, rule="bimodal") == [5, 60, 56, 5]


def test_stalls_keep_until_their_end_all_that_is_due_in_them() -> None:
    stalls = {"stalls_from_ns": 0, "every_ns": 2000 * MS, "stall_ns": 200 * MS}
    asked = requests([100, 300, 1990, 2195], [10, 10, 10, 10], [0, 1, 2, 3])
    assert true_ms(asked, rule="stalls", **stalls) == [100, 10, 210, 10]


def test_a_closed_loop_asks_again_at_once() -> None:
    stalls = {"stalls_from_ns": 0, "every_ns": 100 * MS, "stall_ns": 20 * MS}
    # What the host has put between its requests is not in the truth.
    asked = requests([50, 75, 300, 400], [20, 20, 20, 20], [0, 0, 0, 0])
    assert true_ms(asked, closed=True, rule="stalls", **stalls) == [20, 20, 30, 20]


def test_requests_of_one_queue_wait_for_all_before_them() -> None:
    asked = requests([0, 1, 2, 100], [10, 10, 30, 20], [0, 1, 2, 3])
    assert true_ms(asked, rule="queue") == [10, 19, 48, 20]
    assert utilisation(asked, {"rule": "queue"}) == pytest.approx(0.7)
    assert utilisation(asked, {"rule": "constant"}) == 0


def late(asked: Requests, **columns: list[float]) -> Requests:
    """The same with other times than the intended ones, in ms."""
    changed = {name: (np.array(times) * MS).astype(np.int64) for name, times in columns.items()}
    return replace(asked, **changed)


def answered_ms(asked: Requests, closed: bool = False, **facts: Any) -> list[float]:
    return [float(one) / MS for one in answered_latencies(asked, facts, closed=closed)]


def test_what_the_server_is_late_by_is_in_the_answers_and_what_the_generator_is_not() -> None:
    asked = late(
        requests([0, 100, 104], [10, 10, 10], [0, 1, 1]),
        started=[3, 100, 114],  # handed over 3 ms late; on its connection after the one before
        answered=[13.5, 114, 124],
    )
    # 10.5 from its intended time; 14, being answered 4 late; behind it until 114, then 10.
    assert answered_ms(asked, rule="bimodal") == [10.5, 14, 20]
    assert answered_ms(asked, closed=True, rule="bimodal") == [10.5, 14, 10]
    stalls = {"stalls_from_ns": 0, "every_ns": 2000 * MS, "stall_ns": 20 * MS}
    assert true_ms(asked, rule="stalls", **stalls)[0] == 20
    assert answered_ms(asked, rule="stalls", **stalls)[0] == 10.5


def test_one_queue_serves_as_long_as_it_did() -> None:
    asked = late(
        requests([0, 1, 100], [10, 10, 10], [0, 1, 2]),
        started=[2, 3, 102],
        arrived=[2.5, 3.5, 102.5],
        turn=[2.5, 13, 102.5],
        answered=[13, 24, 112.5],
    )
    # Half a millisecond on its way each; 10.5 and 11 of work, one after the other.
    assert answered_ms(asked, rule="queue") == [11, 21, 10.5]
    assert true_ms(asked, rule="queue") == [10, 19, 10]


# ------------------------------------------------------------- what a figure is held to


@pytest.mark.left_to_all
@pytest.mark.needs("cargo")
def test_beside_the_neighbour_the_servers_own_lateness_is_that_of_the_quiet_host(
    trial: Path,
) -> None:
    run = trial.parent.parent
    finished = Finished(run, read_result(run))
    quiet = rows_of(finished, OPEN, "queue-47", None)
    lateness = lateness_of(quiet)
    assert lateness
    assert all(late >= 0 for late in lateness.values())
    beside = rows_of(finished, OPEN, "queue-47", dict.fromkeys(lateness, 2.0))
    assert [row["figure"] for row in beside] == list(lateness)
    for row, same in zip(beside, quiet, strict=True):
        assert row["truth_ms"] == row["decided_ms"] + 2.0
        assert row["answered_ms"] == same["answered_ms"] == same["truth_ms"]
        assert (row["host"], row["bound"]) == ("neighbour", 0.03)


def test_a_draw_of_the_operations_is_off_by_more_where_they_wait_for_each_other() -> None:
    random = np.random.default_rng(3)
    latencies = random.exponential(1e7, 100_000).astype(np.int64)
    alone = np.repeat(np.arange(100), 1000)
    together = np.argsort(np.argsort(latencies)) // 1000
    halves = [latencies[random.random(len(latencies)) < 0.5] for _ in range(200)]
    p95 = float(np.percentile(latencies, 95))
    off = [abs(float(np.percentile(half, 95)) / p95 - 1) for half in halves]
    found = Chances(latencies, alone).of(95.0, 50_000)
    assert found == pytest.approx(float(np.quantile(off, 0.95)), rel=0.25)
    # Where all the long ones lie in a few stretches, a draw has them or has not.
    clustered = Chances(latencies, together).of(95.0, 50_000)
    assert clustered is not None
    assert found is not None
    assert clustered > 5 * found
    assert Chances(latencies, alone).of(95.0, 100_000) is None


@pytest.mark.left_to_all
@pytest.mark.needs("cargo")
def test_a_figure_that_a_check_refuses_is_held_to_nothing(trial: Path) -> None:
    run = trial.parent.parent
    result = read_result(run)
    (cell,) = (one for one in result.cells if one.step == OPEN.step)
    metric = cell.metrics[f"{OPEN.prefix}.p50"]
    figure = {"value": 9.0, "at_least": False, "unsupported": None}
    for verdict, within, why in (("warn", False, ""), ("invalid", None, "host-disturbed")):
        judged = {**figure, "verdict": Verdict(verdict), "gates": ["host-disturbed"]}
        metrics = {**cell.metrics, f"{OPEN.prefix}.p50": metric.model_copy(update=judged)}
        cells = [cell.model_copy(update={"metrics": metrics})]
        finished = Finished(run, result.model_copy(update={"cells": cells}))
        row = rows_of(finished, OPEN, "queue-47", None)[0]
        assert (row["figure"], row["measured_ms"]) == ("p50", 9.0)
        assert (row["within"], row["why"]) == (within, why)


# --------------------------------------------------------------------------- the order


def test_half_an_hour_brings_each_load_and_each_distribution() -> None:
    pieces = PARTS["known"].pieces("publish")
    names = [piece.name.split() for piece in pieces]
    assert len(names) == len(set(map(tuple, names))) == 2 * (6 + 4 + 4 + 4 + 3)
    passed, early = 0.0, []
    for piece, name in zip(pieces, names, strict=True):
        passed += piece.minutes
        if passed <= 30:
            early.append(name)
    assert {load for load, _, _ in early} == {load for load, _, _ in names}
    assert {server for _, server, _ in early} == {server for _, server, _ in names}
    quiet_first = [
        names.index([*name[:2], "quiet"]) < at
        for at, name in enumerate(names)
        if name[2] == "neighbour"
    ]
    assert quiet_first == [True] * 21


def test_no_piece_is_begun_that_would_last_too_long(tmp_path: Path) -> None:
    words = ("known", "--profile", "smoke", "--at-most", "0.1", "--out", str(tmp_path))
    ended = said("bench", "truth", *words, cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert "3 pieces left; to go on: " in ended.stdout
    again = f" bench truth known --profile smoke --out {tmp_path} --resume\n"
    assert again in ended.stdout
    assert "[1/3]" not in ended.stdout
    assert not (tmp_path / "truth" / "known.json").exists()


# ------------------------------------------------------------------------------ the page


def test_the_page_is_that_of_the_rows(tmp_path: Path) -> None:
    (tmp_path / "truth").mkdir()
    for path in (ROOT / "docs" / "reference" / "truth").glob("*.json"):
        (tmp_path / "truth" / path.name).write_bytes(path.read_bytes())
    written = write_page(tmp_path, PARTS.values()).read_text("utf-8")
    assert written == (ROOT / "docs" / "reference" / "truth.md").read_text("utf-8")
    assert all(f"(`{name}`)" in written for name in PARTS)


def test_smoke_rows_are_no_page_of_the_project(tmp_path: Path) -> None:
    ended = said("bench", "truth", "known", "--profile", "smoke", cwd=tmp_path)
    assert ended.returncode == 2
    assert "say --out DIR" in ended.stderr
