"""Records, batches and checksums of the Python harness against numbers that it did not compute."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kv_harness.answers import Repeats, checksum, summary_of
from kv_harness.batches import Asked, keys_of, number
from kv_harness.client import host_and_port
from kv_harness.data import SETS, mix, records
from kv_harness.packed import names_of, unpacked
from kv_harness.tables import select

from wirelab.suite_parts import load_part

SUITE = Path(__file__).parents[3] / "suites" / "kv"
SEED = 4711
ALL = 10_000

# By a program of its own, in Python's integers and fractions.
FIRST = (
    *(17870, 29743, 1292, 4736, 2),
    *(0.9767954311820426, 0.6455372428970191, 0.19669898176628564, 0.7726280225692063),
    *(0.8290874649069336, 0.8234125957611901, 0.566462771807439, 0.6073697910708326),
)
LAST = (
    *(33686, 30767, 13473, 3254, 2),
    *(0.20527018724955404, 0.10187376188061292, 0.39435091520958887, 0.9874410884708174),
    *(0.8607190752247116, 0.4669945362461435, 0.8895716169759211, 0.5740470901584055),
)
PACKED = bytes.fromhex(
    "ce450000000000002f740000000000000c050000000000008012000000000000020000000000000014e4f97de841ef3f"
    "71f752b83da8e43f80ddeba66e2dc93f710d1d675eb9e83fff8f696fe287ea3fb9143d5f6559ea3f1110ea887620e23f"
    "5348a7c5926fe33f"
)
FIVE = [5046, 3163, 5043, 5009, 5993]


verifier: Any = load_part("kv_verify_of_data", SUITE / "verify.py")


def rows_of(chosen: int) -> dict[str, tuple[int | float, ...]]:
    return {str(row[0]): row[1:] for row in records(chosen, ALL).rows()}  # type: ignore[misc]


def test_mix_is_the_published_splitmix64() -> None:
    gamma = 0x9E3779B97F4A7C15
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    states = [(1234567 + n * gamma) % 2**64 for n in range(3)]
    assert [mix(state) for state in states] == published
    assert mix(np.array(states, dtype=np.uint64)).tolist() == published


def test_records_are_those_of_the_readme() -> None:
    assert rows_of(1)["k0"] == FIRST
    assert rows_of(9)["k9999"] == LAST
    found = [len(records(chosen, ALL).keys) for chosen in SETS]
    assert found == [8383, 8954, 6451, 5694, 9787, 7521, 9139, 0, 6911]
    assert all(type(value) is int for value in rows_of(1)["k0"][:5])
    assert all(type(value) is float for value in rows_of(1)["k0"][5:])


def test_packed_records_are_little_endian() -> None:
    packed = dict(records(1, 100).packed())
    assert packed["k0"] == PACKED
    assert list(packed) == records(1, 100).keys
    assert unpacked([packed["k0"], None]) == [FIRST, None]
    with pytest.raises(struct.error):
        unpacked([PACKED[:-1]])


def test_batches_are_those_of_the_readme() -> None:
    drawn = Asked(chosen=3, keys=5, universe=ALL, repeated=False)
    assert keys_of(SEED, drawn, 17) == [(3, f"k{key}") for key in FIVE]
    many = drawn._replace(keys=200)
    assert keys_of(SEED, many, 63)[-3:] == [(3, "k1731"), (3, "k4438"), (3, "k5586")]
    assert len(set(keys_of(SEED, many, 63))) == 198
    other = Asked(chosen=1, keys=3, universe=ALL, repeated=False)
    assert keys_of(2**64 + 5, other, 0) == [(1, "k8682"), (1, "k166"), (1, "k3812")]
    repeated = many._replace(repeated=True)
    assert keys_of(SEED, repeated, 63) == keys_of(SEED, many, 63)[:1] * 200
    assert [number(*at) for at in ((0, 0), (1, 0), (0, 1), (299, 9))] == [47, 51, 1, 17]


def test_checksums_are_those_of_the_readme_and_of_the_verifier() -> None:
    rows = [rows_of(3).get(f"k{key}") for key in FIVE]
    assert sum(row is not None for row in rows) == 2
    assert checksum(rows) == "ae3dee38ef5e1e03"
    assert checksum([None]) == "47aae6879561d3fa"
    many = Asked(chosen=5, keys=200, universe=ALL, repeated=False)
    held = rows_of(5)
    for batch in (0, 31, 63):
        read = [held.get(key) for _, key in keys_of(SEED, many, batch)]
        assert read == verifier.read(SEED, 5, 200, batch, ALL)
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
        return repeats.agree("batch", 2, rows, summary_of(rows))

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
    with pytest.raises(ValueError, match="HOST:PORT expected"):
        host_and_port("3000")


def test_what_keys_are_to_give_is_what_their_records_say() -> None:
    import numpy as np
    from kv_harness.data import expected, records

    held = records(3, 500)
    whole = dict(zip(held.keys, held.whole[:, 0].tolist(), strict=True))
    keys = [7, 7, 11, 499, 0, 250]
    there = [whole[f"k{key}"] for key in keys if f"k{key}" in whole]
    assert there
    assert expected(3, np.array(keys, dtype=np.uint64)) == (len(there), sum(there))
    assert expected(10, np.array(keys, dtype=np.uint64)) == (0, 0)
