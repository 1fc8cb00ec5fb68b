"""The suite's verifier: what is right passes, each way of being wrong is told."""

from __future__ import annotations

import importlib.util
import math
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

SUITE = Path(__file__).parents[2] / "suites" / "kv"
SEED = 4711


def _load(name: str, path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


verifier = _load("kv_verify", SUITE / "verify.py")

STEPS = [
    {
        "name": "s3-k50",
        "first": 0,
        "count": 10,
        "lanes": 4,
        "parameters": {"set": 3, "keys": 50},
    },
    {
        "name": "s8-k20",
        "first": 10,
        "count": 10,
        "lanes": 4,
        "parameters": {"set": 8, "keys": 20, "keys_are": "repeated"},
    },
]
CLIENT = {
    "seed": SEED,
    "role": "client",
    "parameters": {"universe": 10_000},
    "schedule": {"steps": STEPS},
}
CANDIDATES = 12
GENERATOR = {
    "seed": SEED,
    "role": "generator",
    "parameters": {"universe": 10_000, "keys": CANDIDATES, "model": True},
    "schedule": {"steps": [{"name": "single", "first": 0, "count": 40, "lanes": 10}]},
}


def a_batch(tick: int, **changed: Any) -> dict[str, Any]:
    step = STEPS[tick // 10]
    asked: dict[str, Any] = step["parameters"]  # type: ignore[assignment]
    batch = verifier.number(tick, tick % 4)
    records = verifier.read(
        SEED,
        asked["set"],
        asked["keys"],
        batch,
        10_000,
        repeated=asked.get("keys_are") == "repeated",
    )
    answer = {
        "batch": batch,
        "set": asked["set"],
        "keys": asked["keys"],
        "found": sum(record is not None for record in records),
        "checksum": verifier.checksum(records),
    }
    return said("read", tick, {**answer, **changed})


def a_response(tick: int, **changed: Any) -> dict[str, Any]:
    request = verifier.number(tick, tick % 10)
    sets = [verifier.read(SEED, s, CANDIDATES, request, 10_000) for s in range(1, 10)]
    rows = [verifier.features([records[i] for records in sets]) for i in range(CANDIDATES)]
    body = {
        "request": request,
        "found": sum(record is not None for records in sets for record in records),
        "columns": [math.fsum(column) for column in zip(*rows, strict=True)],
        "scores": [verifier.score(row) for row in rows],
    }
    return said("request", tick, {"status": 200, "body": {**body, **changed}})


def said(operation: str, tick: int, answer: Any) -> dict[str, Any]:
    return {
        "phase": "measure",
        "operation": operation,
        "tick": tick,
        "start_ns": 1,
        "end_ns": 2,
        "answer": answer,
    }


def findings(spec: dict[str, Any], *answers: dict[str, Any]) -> list[str]:
    found: list[str] = verifier.verify(spec, {}, answers)
    return found


def test_the_data_are_what_the_readme_says() -> None:
    # Of splitmix64 as its authors publish it, seed 1234567: the first output is this.
    assert verifier.mix(1234567) == 6457827717110365317
    record = verifier.record(1, 0)
    absent = [key for key in range(50) if verifier.record(1, key) is None]
    assert absent
    assert all(verifier.record(8, key) is None for key in range(200))
    found = [r for r in [record, *(verifier.record(1, k) for k in range(50))] if r is not None]
    for values in found:
        whole, real = values[:5], values[5:]
        assert all(0 <= v < most for v, most in zip(whole, verifier.CARDINALITY, strict=True))
        assert all(0 <= v < 1 for v in real)


def test_found_rates_are_those_of_the_sets() -> None:
    for chosen, rate in enumerate(verifier.FOUND[1:], start=1):
        there = sum(verifier.record(chosen, key) is not None for key in range(3000))
        assert there / 3000 == pytest.approx(rate / 1000, abs=0.03)


def test_right_batches_pass() -> None:
    assert findings(CLIENT, *(a_batch(tick) for tick in range(20))) == []


@pytest.mark.parametrize(
    ("changed", "finding"),
    [
        ({"found": 3}, "3 of 50 records found"),
        ({"checksum": "0" * 16}, "other values: checksum"),
        ({"checksum": 17}, "other values: checksum 17"),
        ({"batch": 64}, "batch 64 was asked instead of"),
        ({"set": 4}, "50 keys of set 4 were asked for instead of 50 keys of set 3"),
        ({"keys": 49}, "49 keys of set 3 were asked for"),
        ({"found": True}, "not an answer of this suite"),
        ({"batch": None}, "not an answer of this suite"),
    ],
)
def test_a_wrong_batch_is_told(changed: dict[str, Any], finding: str) -> None:
    (told,) = findings(CLIENT, a_batch(4, **changed))
    assert told.startswith("measure read 4: ")
    assert finding in told


def test_a_batch_that_was_answered_from_a_cache_is_told() -> None:
    stale = a_batch(4)["answer"]
    other = a_batch(5)
    other["answer"] = {**other["answer"], "checksum": stale["checksum"], "found": stale["found"]}
    assert findings(CLIENT, other)


def test_two_results_in_each_others_place_are_told() -> None:
    batch = verifier.number(4, 0)
    records = verifier.read(SEED, 3, 50, batch, 10_000)
    there = [i for i, record in enumerate(records) if record is not None]
    records[there[0]], records[there[1]] = records[there[1]], records[there[0]]
    (told,) = findings(CLIENT, a_batch(4, checksum=verifier.checksum(records)))
    assert "other values" in told


def test_right_responses_pass() -> None:
    assert findings(GENERATOR, *(a_response(tick) for tick in range(0, 40, 13))) == []


@pytest.mark.parametrize(
    ("changed", "finding"),
    [
        ({"found": 1}, "1 of 108 records found"),
        ({"columns": []}, "sums of the features are missing"),
        ({"columns": [0.0] * 13}, "feature 0 sums up to 0.0"),
        ({"columns": [None] * 13}, "feature 0 sums up to None"),
        ({"scores": None}, "12 scores expected"),
        ({"scores": [0.5] * 11}, "12 scores expected"),
        ({"scores": [2.0] * 12}, "has the score 2.0"),
        ({"request": 64}, "not a response"),
    ],
)
def test_a_wrong_response_is_told(changed: dict[str, Any], finding: str) -> None:
    told = findings(GENERATOR, a_response(13, **changed))
    assert told
    assert finding in told[0]


def test_a_response_that_is_an_error_is_told() -> None:
    (told,) = findings(GENERATOR, said("request", 3, {"status": 503, "body": None}))
    assert "not a response" in told


def test_findings_are_bounded() -> None:
    answers = [a_batch(tick % 10, found=0) for tick in range(100)]
    assert len(findings(CLIENT, *answers)) == verifier.MOST_FINDINGS


_anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=6,
)
_named = st.dictionaries(
    st.sampled_from(
        ["batch", "set", "keys", "found", "checksum", "status", "body", "request", "columns"]
    ),
    _anything,
)


@settings(max_examples=150, deadline=None)
@given(st.one_of(_anything, _named, _named.map(lambda body: {"status": 200, "body": body})))
def test_no_answer_brings_the_verifier_down(answer: Any) -> None:
    for spec in (CLIENT, GENERATOR):
        assert isinstance(findings(spec, said("read", 4, answer)), list)


# ---------------------------------------------------------------------------- sizes


def test_a_size_is_the_number_of_records_that_exist() -> None:
    turns = [(tick, lane) for tick in range(20) for lane in range(4)]
    for (tick, lane), size in zip(turns, verifier.sizes(CLIENT, "read", turns), strict=True):
        what = STEPS[tick // 10]["parameters"]
        repeated = what.get("keys_are") == "repeated"
        asked = (SEED, what["set"], what["keys"], verifier.number(tick, lane), 10_000)
        rows = verifier.read(*asked, repeated=repeated)
        assert size == sum(row is not None for row in rows)


def test_sizes_of_responses_are_not_known() -> None:
    assert verifier.sizes(GENERATOR, "request", [(0, 0), (1, 3)]) == [None, None]
