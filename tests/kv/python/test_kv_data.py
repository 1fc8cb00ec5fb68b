"""Records, multi-gets and checksums of the Python harness against numbers of others."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kv_harness.answers import Repeats, checksum, summary_of
from kv_harness.client import host_and_port
from kv_harness.data import SETS, count, exist, mix, records
from kv_harness.multi_gets import MultiGetSettings, keys_of, number
from kv_harness.packed import names_of, unpacked
from kv_harness.tables import select

from wirelab.suite_parts import load_part

SUITE = Path(__file__).parents[3] / "suites" / "kv"
SEED = 4711
ALL = 10_000

SECRET = bytes(range(32))

# By a program of its own, in Python's integers and fractions.
FIRST = (
    *(58396, 39149, 16548, 8627, 1),
    *(0.49745228793820684, 0.17682690767366382, 0.06696767145442106, 0.7248483092329903),
    *(0.5703030503164516, 0.19067286411571327, 0.39369545799183336, 0.9285760651690056),
)
LAST = (
    *(59267, 21475, 6077, 7111, 2),
    *(0.008779790418292577, 0.8190372641428888, 0.717344148985446, 0.21162029354343181),
    *(0.8049923455421033, 0.08088499222088497, 0.5058799155647942, 0.725840591712974),
)
WITHOUT_A_SECRET = (54159, 15698, 19612, 8306, 0)
PACKED = bytes.fromhex(
    "1ce4000000000000ed98000000000000a440000000000000b321000000000000010000000000000054f5001f42d6df3f"
    "ec6ec19c43a2c63f0838c916cb24b13f4aeed614f531e73fe961bd2eec3fe23f3c4acee9f767c83f96272a6f4e32d93f"
    "cef9f726e5b6ed3f"
)
FIVE = [5046, 3163, 5043, 5009, 5993]


verifier: Any = load_part("kv_verify_of_data", SUITE / "verify.py")


def rows_of(chosen: int) -> dict[str, tuple[int | float, ...]]:
    return {str(row[0]): row[1:] for row in records(chosen, ALL, SECRET).rows()}  # type: ignore[misc]


def test_mix_is_the_published_splitmix64() -> None:
    gamma = 0x9E3779B97F4A7C15
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    states = [(1234567 + n * gamma) % 2**64 for n in range(3)]
    assert [mix(state) for state in states] == published
    assert mix(np.array(states, dtype=np.uint64)).tolist() == published


def test_records_are_those_of_the_readme() -> None:
    assert rows_of(1)["k0"] == FIRST
    assert rows_of(9)["k9999"] == LAST
    found = [len(records(chosen, ALL, SECRET).keys) for chosen in SETS]
    assert found == [8383, 8954, 6451, 5694, 9787, 7521, 9139, 0, 6911]
    assert found == [count(chosen, ALL) for chosen in SETS]
    assert all(type(value) is int for value in rows_of(1)["k0"][:5])
    assert all(type(value) is float for value in rows_of(1)["k0"][5:])


def test_without_a_secret_they_depend_on_set_and_key_alone() -> None:
    (first, *_) = records(1, 1).rows()
    assert first[1:6] == WITHOUT_A_SECRET


def test_packed_records_are_little_endian() -> None:
    packed = dict(records(1, 100, SECRET).packed())
    assert packed["k0"] == PACKED
    assert list(packed) == records(1, 100, SECRET).keys
    assert unpacked([packed["k0"], None]) == [FIRST, None]
    with pytest.raises(struct.error):
        unpacked([PACKED[:-1]])


def test_batches_are_those_of_the_readme() -> None:
    drawn = MultiGetSettings(chosen=3, keys=5, universe=ALL, repeated=False)
    assert keys_of(SEED, drawn, 17) == [(3, f"k{key}") for key in FIVE]
    many = drawn._replace(keys=200)
    assert keys_of(SEED, many, 63)[-3:] == [(3, "k1731"), (3, "k4438"), (3, "k5586")]
    assert len(set(keys_of(SEED, many, 63))) == 198
    other = MultiGetSettings(chosen=1, keys=3, universe=ALL, repeated=False)
    assert keys_of(2**64 + 5, other, 0) == [(1, "k8682"), (1, "k166"), (1, "k3812")]
    repeated = many._replace(repeated=True)
    assert keys_of(SEED, repeated, 63) == keys_of(SEED, many, 63)[:1] * 200
    assert [number(*at) for at in ((0, 0), (1, 0), (0, 1), (299, 9))] == [47, 51, 1, 17]


def test_checksums_are_those_of_the_readme_and_of_the_verifier() -> None:
    rows = [rows_of(3).get(f"k{key}") for key in FIVE]
    assert sum(row is not None for row in rows) == 2
    assert checksum(rows) == "33267b74a72eea24"
    assert checksum([None]) == "47aae6879561d3fa"
    many = MultiGetSettings(chosen=5, keys=200, universe=ALL, repeated=False)
    held = rows_of(5)
    for multi_get in (0, 31, 63):
        read = [held.get(key) for _, key in keys_of(SEED, many, multi_get)]
        drawn = verifier.keys_of(SEED, 5, 200, multi_get, ALL)
        assert read == [verifier.record(5, key, SECRET) for key in drawn]
        assert checksum(read) == verifier.checksum(read)


def test_a_checksum_sees_places_types_and_single_bits() -> None:
    right = checksum([FIRST, LAST])
    assert checksum([LAST, FIRST]) != right
    assert checksum([FIRST, (*LAST[:12], float(np.nextafter(LAST[12], 1)))]) != right
    with pytest.raises(struct.error):
        checksum([FIRST, (float(LAST[0]), *LAST[1:])])


def test_what_a_batch_gave_first_counts() -> None:
    repeats = Repeats()

    def agree(*rows: tuple[int | float, ...] | None) -> bool:
        return repeats.agree("multi_get", 2, rows, summary_of(rows))

    assert agree(FIRST, None)
    assert agree(None, FIRST)  # the order is what the checksum sees
    assert not agree(FIRST, FIRST)
    assert not agree(LAST, None)
    assert not agree(FIRST)
    assert repeats.agree("another", 2, (LAST, None), summary_of((LAST, None)))


def test_one_set_is_a_plain_select() -> None:
    asked = select([(3, "k5"), (3, "k1"), (3, "k5")], lambda n: f"${n}")
    columns = "c0, c1, c2, c3, c4, d0, d1, d2, d3, d4, d5, d6, d7"
    assert asked.text == f"SELECT key, {columns} FROM wirelab.set_3 WHERE key = ANY($1)"
    assert asked.arrays == (["k5", "k1"],)
    assert asked.in_order([("k5", *FIRST)]) == [FIRST, None, FIRST]


def test_several_sets_are_one_statement() -> None:
    asked = select([(3, "k5"), (1, "k5"), (3, "k7")], lambda n: f"${n}")
    assert asked.text.count("UNION ALL") == 1
    assert "SELECT 1 AS chosen, key, " in asked.text
    assert asked.text.endswith("FROM wirelab.set_1 WHERE key = ANY($2)")
    assert asked.arrays == (["k5", "k7"], ["k5"])
    assert asked.in_order([(1, "k5", *LAST), (3, "k5", *FIRST)]) == [FIRST, LAST, None]


def test_names_tell_sets_apart() -> None:
    assert names_of([(1, "k17"), (9, "k17")]) == ["wirelab:set_1:k17", "wirelab:set_9:k17"]


def test_an_endpoint_has_a_host_and_a_port() -> None:
    assert host_and_port("127.0.0.1:3000") == ("127.0.0.1", 3000)
    with pytest.raises(ValueError, match="expected HOST:PORT"):
        host_and_port("3000")


def test_the_keys_that_exist_are_those_of_the_records() -> None:
    keys = [7, 7, 11, 499, 0, 250]
    held = set(records(3, 500).keys)
    there = [f"k{key}" in held for key in keys]
    assert set(there) == {True, False}
    assert exist(3, np.array(keys, dtype=np.uint64)).tolist() == there
    assert not exist(10, np.array(keys, dtype=np.uint64)).any()


def test_where_the_data_say_how_many_there_are_a_first_answer_that_lacks_some_is_wrong() -> None:
    repeats = Repeats()
    repeats.preset("multi_get", 2)
    for rows, agrees in (((FIRST, None), False), ((FIRST, LAST), True), ((FIRST, FIRST), False)):
        assert repeats.agree("multi_get", 2, rows, summary_of(rows)) == agrees


def test_records_that_are_missing_are_told_from_others() -> None:
    repeats = Repeats()
    assert not repeats.lacks("multi_get", summary_of((None, None)))
    repeats.agree("multi_get", 2, (FIRST, LAST), summary_of((FIRST, LAST)))
    repeats.preset("another", 2)
    for multi_get in ("multi_get", "another"):
        assert repeats.lacks(multi_get, summary_of((FIRST, None)))
        assert not repeats.lacks(multi_get, summary_of((FIRST, FIRST)))
