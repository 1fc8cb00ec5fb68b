"""Part ``known`` of ``wl bench truth``: servers of known truth, and what is found of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli.command_lines import said
from wirelab.bench.truth import PARTS, write_page
from wirelab.bench.truth.replay import true_latencies, utilisation
from wirelab.bench.truth.server_log import Requests, SpoiltLogError, requests_of
from wirelab.cells.trial_files import TrialFiles
from wirelab.samples import format as samples

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
    """Where the command wrote, which had one of two pieces left; and what it said."""
    folder = tmp_path_factory.mktemp("truth")
    (folder / "page" / "truth").mkdir(parents=True)
    earlier = {"part": "known", "entries": [EARLIER]}
    (folder / "page" / "truth" / "known.json").write_text(json.dumps(earlier))
    words = ("known", "--profile", "smoke", "--resume", "--out", str(folder / "page"))
    ended = said("bench", "truth", *words, cwd=folder)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return folder, ended.stdout


@pytest.fixture(scope="module")
def trial(resumed: tuple[Path, str]) -> Path:
    (found,) = resumed[0].glob("results/truth-known/*/*/trials/*")
    return found


@pytest.mark.left_to_all
@pytest.mark.needs("cargo")
def test_a_part_goes_on_where_it_stopped_and_its_rows_say_where_they_are_from(
    resumed: tuple[Path, str],
) -> None:
    folder, told = resumed
    assert "Known truth: 1 of 2 pieces" in told
    written = json.loads((folder / "page" / "truth" / "known.json").read_text())
    first, second = written["entries"]
    assert first == EARLIER
    assert second["piece"] == "open queue-47 quiet"
    made = second["made"]
    assert (made["seed"], made["begun"]) == (11, EARLIER["made"]["begun"])  # type: ignore[index]
    assert all(made[key] for key in ("date", "commit", "processor", "kernel", "cores"))
    assert [row["figure"] for row in second["rows"]] == ["p50", "p95", "p99", "p99.9"]
    # As long as was decided, whatever the machine did meanwhile.
    assert second["rows"][0]["truth_ms"] == 0.5
    assert {row["requests"] for row in second["rows"]} == {80}
    assert all(row["answered_ms"] >= row["truth_ms"] for row in second["rows"])
    assert second["rows"][-1]["within"] is None
    page = (folder / "page" / "truth.md").read_text()
    assert page.count("| open | queue-47 | quiet | p") == 4
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


# ----------------------------------------------------------------- what the truth is


def requests(intended_ms: list[int], decided_ms: list[int], lanes: list[int]) -> Requests:
    """Requests of which nothing else is asked."""
    at = np.array(intended_ms) * MS
    return Requests(at, at, at, np.array(lanes), at, at, at, np.array(decided_ms) * MS)


def true_ms(asked: Requests, closed: bool = False, **facts: Any) -> list[float]:
    return [float(one) / MS for one in true_latencies(asked, facts, closed=closed)]


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
