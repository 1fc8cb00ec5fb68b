"""The suite's verifier: what is right passes, each way of being wrong is told.

What is right is in `verify_vectors.json`, computed once from the suite's README by a program that
shares nothing with the verifier, in Python's integers and fractions.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzzing import fuzzed
from wirelab.suite_parts import load_part

SUITE = Path(__file__).parents[2] / "suites" / "kv"
VECTORS = json.loads((Path(__file__).parent / "verify_vectors.json").read_text("utf-8"))
SEED = 4711
SECRET = bytes(range(32))


verifier: Any = load_part("kv_verify", SUITE / "verify.py")

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
        "parameters": {"set": 8, "keys": 20},
    },
    {
        "name": "s5-repeated",
        "first": 20,
        "count": 10,
        "lanes": 4,
        "parameters": {"set": 5, "keys": 20, "keys_are": "repeated"},
    },
]
CLIENT = {
    "seed": SEED,
    "secret": SECRET.hex(),
    "role": "client",
    "parameters": {"universe": 10_000},
    "schedule": {"steps": STEPS},
}
CANDIDATES = 12
GENERATOR = {
    "seed": SEED,
    "secret": SECRET.hex(),
    "role": "generator",
    "parameters": {"universe": 10_000, "keys": CANDIDATES, "model": True},
    "schedule": {"steps": [{"name": "single", "first": 0, "count": 40, "lanes": 10}]},
}


def a_batch(tick: int, **changed: Any) -> dict[str, Any]:
    return said("read", tick, {**VECTORS["multi_gets"][tick], **changed})


def a_response(tick: int, **changed: Any) -> dict[str, Any]:
    """A right response at one of the ticks 0, 13, 26 and 39."""
    body = copy.deepcopy(VECTORS["responses"][str(tick)])
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
    assert verifier.record(1, 0, SECRET) == (
        *(58396, 39149, 16548, 8627, 1),
        *(0.49745228793820684, 0.17682690767366382, 0.06696767145442106, 0.7248483092329903),
        *(0.5703030503164516, 0.19067286411571327, 0.39369545799183336, 0.9285760651690056),
    )
    assert [key for key in range(30) if verifier.record(1, key, SECRET) is None] == [6, 7, 11]
    assert [key for key in range(200) if verifier.record(8, key, SECRET) is not None] == []


def test_as_many_records_are_found_as_the_sets_have() -> None:
    there = [sum(verifier.exists(chosen, key) for key in range(10_000)) for chosen in range(1, 10)]
    assert there == [8383, 8954, 6451, 5694, 9787, 7521, 9139, 0, 6911]


def test_right_batches_pass() -> None:
    assert {multi_get["found"] for multi_get in VECTORS["multi_gets"]} > {0, 20, 26}
    assert findings(CLIENT, *(a_batch(tick) for tick in range(30))) == []


@pytest.mark.parametrize(
    ("changed", "finding"),
    [
        ({"found": 3}, "3 of 50 records found"),
        ({"checksum": "0" * 16}, "other values: checksum"),
        ({"checksum": 17}, "other values: checksum 17"),
        ({"multi_get": 64}, "multi-get 64 was asked instead of"),
        ({"set": 4}, "50 keys of set 4 were asked for instead of 50 keys of set 3"),
        ({"keys": 49}, "49 keys of set 3 were asked for"),
        ({"found": True}, "not an answer of this suite"),
        ({"multi_get": None}, "not an answer of this suite"),
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
    # The checksum of the same multi-get with the first two records that exist exchanged.
    (told,) = findings(CLIENT, a_batch(4, checksum="6a1b02fac73b9901"))
    assert told.endswith("other values: checksum 6a1b02fac73b9901, expected 7357fc7fcc9c8531")


@pytest.mark.parametrize("secret", ["", bytes(32).hex()])
def test_values_of_another_secret_are_wrong(secret: str) -> None:
    told = findings({**CLIENT, "secret": secret}, *(a_batch(tick) for tick in range(10)))
    assert len(told) == 10
    assert all("other values: checksum" in finding for finding in told)
    told = findings({**GENERATOR, "secret": secret}, a_response(13))
    assert "sums up to" in told[0]


def test_without_a_secret_values_depend_on_set_and_key_alone() -> None:
    spec = {name: value for name, value in CLIENT.items() if name != "secret"}
    # As right as the others are, computed by the same program.
    assert findings(spec, a_batch(4, checksum="72ce0e04365d1a29")) == []


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
    assert len(findings(CLIENT, *answers)) == 20


_anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=6,
)
_named = st.dictionaries(
    st.sampled_from(
        ["multi_get", "set", "keys", "found", "checksum", "status", "body", "request", "columns"]
    ),
    _anything,
)


@fuzzed()
@given(st.one_of(_anything, _named, _named.map(lambda body: {"status": 200, "body": body})))
def test_no_answer_brings_the_verifier_down(answer: Any) -> None:
    for spec in (CLIENT, GENERATOR):
        assert isinstance(findings(spec, said("read", 4, answer)), list)


# ---------------------------------------------------------------------------- sizes


def test_a_size_is_the_number_of_records_that_exist() -> None:
    turns = [(tick, lane) for tick in range(30) for lane in range(4)]
    expected = [size for of_tick in VECTORS["sizes"] for size in of_tick]
    assert verifier.sizes(CLIENT, "read", turns) == expected


def test_sizes_of_responses_are_not_known() -> None:
    assert verifier.sizes(GENERATOR, "request", [(0, 0), (1, 3)]) == [None, None]


# ---------------------------------------------------------------------------- items


def test_a_batch_asks_for_its_different_keys() -> None:
    turns = [(tick, lane) for tick in (0, 4, 10, 20) for lane in range(2)]
    said = verifier.requested(CLIENT, "read", turns)
    assert [items for items, _ in said] == [50] * 4 + [20] * 2 + [1] * 2
    # By the same program as the vectors: so many keys, and the digest of their names.
    assert verifier.requested({**CLIENT, "parameters": {"universe": 100}}, "read", turns) == [
        *((38, 132237428), (43, 567123395), (38, 1869466236), (42, 1868995641)),
        *((15, 2616447801), (17, 2612851307), (1, 1201579899), (1, 1199702366)),
    ]
    # Where sets are tables, names are keys alone.
    of_tables = {"endpoints": {"server": "postgresql://wirelab@127.0.0.1:5432/postgres"}}
    small = {**CLIENT, **of_tables, "parameters": {"universe": 100}}
    assert verifier.requested(small, "read", turns) == [
        *((38, 2207872), (43, 3158937962), (38, 3042016402), (42, 3042689591)),
        *((15, 143036635), (17, 152641989), (1, 148182159), (1, 148656130)),
    ]
    assert verifier.requested(GENERATOR, "request", turns[:2]) == [None, None]


def test_records_of_the_bench_server_are_known_by_their_digests(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # aerospike.calc_digest("wirelab", "set_1", "k17") of the Python client 19.3.0.
    said = verifier.name_of_record(1, 17).hex()
    assert said == "51745f1bcac644aafb65935b5626969e56c8537d"
    turns = [(tick, 0) for tick in (0, 4, 10)]
    of_redis = verifier.requested(CLIENT, "read", turns)
    bench = {**CLIENT, "facts": {"server": {"bench": True}}}
    found = verifier.requested(bench, "read", turns)
    assert [items for items, _ in found] == [items for items, _ in of_redis]
    assert not {names for _, names in found} & {names for _, names in of_redis}
    assert len({names for _, names in found}) == 3

    def unknown(*_: object, **__: object) -> None:
        raise ValueError("unsupported hash type")

    monkeypatch.setattr(verifier, "new_hash", unknown)
    others = verifier.requested({**bench, "seed": SEED + 1}, "read", turns)
    assert [names for _, names in others] == [0] * 3


def test_a_request_is_known_by_its_target() -> None:
    path = "/predict?mode={mode}&request={request}&model={model}"
    told = {**GENERATOR["parameters"], "http_path": path, "mode": "gather", "model": True}
    said = verifier.requested({**GENERATOR, "parameters": told}, "request", [(0, 0), (1, 3)])
    # FNV-1a, both halves together, of "/predict?mode=gather&request=47&model=true" and of the same
    # with request=42, by the program of the vectors.
    assert said == [(1, 2975630535), (1, 979928984)]


# ---------------------------------------------------------------------------- kinds


def test_a_turn_of_a_workload_has_one_kind() -> None:
    """As the harness draws them: the table of test_kv_records and of the SDKs' own tests."""
    steps = [
        {"name": name, "first": first, "count": 100, "lanes": 4, "parameters": {"workload": name}}
        for name, first in (("a", 0), ("c", 100), ("d", 200), ("e", 300), ("f", 400))
    ]
    spec = {"seed": SEED, "role": "client", "parameters": {}, "schedule": {"steps": steps}}
    turns = [(tick, lane) for tick in range(500) for lane in range(4)]
    said = verifier.kinds(spec, "ycsb", turns)
    by_step = [said[400 * number : 400 * (number + 1)] for number in range(len(steps))]
    assert [sorted({*kinds}) for kinds in by_step] == [
        ["read", "update"],
        ["read"],
        ["insert", "read"],
        ["insert", "scan"],
        ["modify", "read"],
    ]
    assert 150 < by_step[0].count("read") < 250
    assert by_step[2].count("insert") < 40
    # Of tick 0 and lane 0, which every harness's own test draws with this seed.
    assert said[0] == "update"
    assert verifier.kinds(CLIENT, "read", turns[:3]) == [None] * 3
