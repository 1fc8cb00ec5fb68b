"""Folds against numbers worked out by hand; loops against folds."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from codec_harness import DATACLASSES, MAPPINGS, Codec, Form, MessageCodec, loops
from codec_harness.kinds import kinds_of
from codec_harness.operations import loop_of, names_of
from codec_harness.patching import can_swap, own_copy, swap_content
from codec_harness.pools import load_pool
from codec_harness.refusals import refusals_of
from codec_harness.swapping import swap

SHAPES = ("T1", "T2", "T3", "T4", "T5", "telemetry", "chat")
PLAIN = Codec(lambda value: json.dumps(value).encode(), json.loads)


@pytest.mark.parametrize("form", [MAPPINGS, DATACLASSES])
@pytest.mark.parametrize(
    ("shape", "value", "expected"),
    [
        ("T3", [], 0),
        ("T3", [5, -2], 202 + 5 - 6),
        ("T4", ["", "ab"], 202 + 3 * (2 + 31 * 97 + 17 * 98)),
        ("T5", {"a": [1, 2]}, 101 + 3 * (1 + 48 * 97) + 5 * 7),
        ("T2", {f"s{number}": "" for number in range(1, 9)}, 0),
        ("T2", {f"s{number}": "a" for number in range(1, 9)}, 64 * (1 + 48 * 97)),
        ("T2", {**{f"s{n}": "" for n in range(1, 9)}, "s2": "a"}, 3 * (1 + 48 * 97)),
        ("telemetry", {"points": [{"time": 2, "value": -1.75, "quality": 3}]}, 101 + 6 - 5 + 21),
    ],
)
def test_folds(form: Form, shape: str, value: Any, expected: int) -> None:
    assert form.folds[shape](form.make(shape, value)) == expected


@pytest.mark.parametrize("shape", SHAPES)
def test_both_forms_fold_and_tell_the_same(shape: str) -> None:
    mappings, dataclasses = load_pool(shape, MAPPINGS), load_pool(shape, DATACLASSES)
    for mapping, instance in zip(mappings.natives, dataclasses.natives, strict=True):
        assert mappings.fold(mapping) == dataclasses.fold(instance)
        assert DATACLASSES.neutral(instance) == mapping


@pytest.mark.parametrize("iterations", [1, 15, 16, 37])
@pytest.mark.parametrize("operation", ["decode", "round_trip"])
def test_iteration_i_works_on_instance_i_modulo_their_number(
    operation: str, iterations: int
) -> None:
    pool = load_pool("T5", MAPPINGS)
    expected = sum(pool.fold(pool.natives[r % len(pool.natives)]) for r in range(iterations))
    assert loop_of(operation, PLAIN, pool).run(iterations) == expected & loops.MASK


def test_messages_have_the_conversions_as_operations() -> None:
    pool = load_pool("T4", MAPPINGS)
    messages = MessageCodec(tuple, PLAIN.encode, lambda data: tuple(json.loads(data)), list, len)
    assert names_of(messages)[:4] == ["to_message", "encode", "decode", "from_message"]
    lengths = sum(len(native) for native in pool.natives)
    folds = sum(pool.fold(native) for native in pool.natives)
    count = len(pool.natives)
    assert loop_of("to_message", messages, pool).run(count) == lengths
    assert loop_of("decode", messages, pool).run(count) == lengths
    assert loop_of("from_message", messages, pool).run(count) == folds & loops.MASK
    assert loop_of("round_trip", messages, pool).run(count) == folds & loops.MASK
    assert loop_of("round_trip_unused", messages, pool).run(count) == 0


@pytest.mark.parametrize("form", [MAPPINGS, DATACLASSES])
@pytest.mark.parametrize("shape", SHAPES)
def test_values_and_twins_trade_and_trade_back(form: Form, shape: str) -> None:
    pool = load_pool(shape, form)
    before, after = ([form.neutral(one) for one in each] for each in (pool.natives, pool.twins))
    assert all(one != other for one, other in zip(before, after, strict=True))
    same = list(pool.natives)
    for expected in (after, before):
        for native, twin in zip(pool.natives, pool.twins, strict=True):
            swap(native, twin)
        assert [form.neutral(native) for native in pool.natives] == expected
    assert all(one is other for one, other in zip(same, pool.natives, strict=True))


@pytest.mark.parametrize("operation", ["encode", "decode", "round_trip"])
def test_an_audit_is_of_the_twins_and_leaves_no_trace(operation: str) -> None:
    pool = load_pool("chat", MAPPINGS)
    loop = loop_of(operation, PLAIN, pool)
    plain = loop.run(len(pool.natives))
    assert loop.audit is not None
    for _ in range(2):
        assert loop.audit() == sum(map(pool.fold, pool.twins)) & loops.MASK
        assert loop.run(len(pool.natives)) == plain


def test_an_audit_of_messages_looks_at_results_later() -> None:
    pool = load_pool("T4", MAPPINGS)
    messages = MessageCodec(
        tuple, PLAIN.encode, lambda data: tuple(json.loads(data)), list, pool.fold
    )
    before, twins = (sum(map(pool.fold, each)) & loops.MASK for each in (pool.natives, pool.twins))
    assert before != twins
    expected = {
        **{"to_message": twins, "decode": twins, "round_trip": twins},
        **{"encode": before, "from_message": before},
    }
    for operation, checksum in expected.items():
        audit = loop_of(operation, messages, pool).audit
        assert audit is not None
        assert audit() == checksum, operation
    assert loop_of("round_trip_unused", messages, pool).audit is None


def test_encodings_of_one_length_are_patched_where_they_lie() -> None:
    one, other = own_copy(b"one, two"), own_copy(b"two, one")
    kept, hashes = one, (hash(one), hash(other))
    assert can_swap(one, other)
    swap_content(one, other)
    assert kept is one
    assert (one, other) == (b"two, one", b"one, two")
    assert (hash(one), hash(other)) == hashes[::-1]
    assert not can_swap(one, b"longer than it")
    assert not can_swap(b"a", b"b")  # one object for everybody


def test_what_only_looks_like_a_value_is_told_from_it() -> None:
    class Late(dict[str, Any]):
        """A dictionary that might be filled when somebody looks."""

    pool = load_pool("T1", MAPPINGS)
    assert kinds_of(pool.natives[0]) == {dict, str, int, float}
    late = Codec(PLAIN.encode, lambda data: Late(json.loads(data)))
    audit = loop_of("decode", late, pool).audit
    assert audit is not None
    twins = sum(map(pool.fold, pool.twins))
    assert audit() == twins + len(pool.twins) & loops.MASK


def test_bad_inputs_are_treated_as_they_were_at_first() -> None:
    pool = load_pool("T3", MAPPINGS)
    encodings = [PLAIN.encode(native) for native in pool.natives]
    refusals = refusals_of(PLAIN.decode, encodings)
    assert [one.is_accepted for one in refusals] == [False] * len(encodings)

    def lenient(data: bytes) -> Any:
        try:
            return json.loads(data)
        except ValueError:
            return []

    twins = sum(map(pool.fold, pool.twins))
    for decode, otherwise in ((PLAIN.decode, 0), (lenient, 4 << 24)):
        audit = loop_of("decode", Codec(PLAIN.encode, decode), pool, refusals).audit
        assert audit is not None
        assert audit() == twins + otherwise & loops.MASK


@pytest.mark.parametrize("operation", ["encode", "decode"])
def test_a_codec_is_called_by_the_same_code_in_a_batch_and_in_an_audit(operation: str) -> None:
    callers: set[Any] = set()

    def seen(function: Any) -> Any:
        def called(given: Any) -> Any:
            callers.add(sys._getframe(1).f_code)
            return function(given)

        return called

    pool = load_pool("T1", MAPPINGS)
    codec = Codec(PLAIN.encode, PLAIN.decode)
    watched = Codec(*(seen(one) if n == operation else one for n, one in _functions(codec)))
    loop = loop_of(operation, watched, pool)
    callers.clear()
    loop.run(3)
    assert len(callers) == 1
    assert loop.audit is not None
    loop.audit()
    assert len(callers) == 1


def _functions(codec: Codec) -> list[tuple[str, Any]]:
    return [("encode", codec.encode), ("decode", codec.decode)]


def test_an_encoding_that_is_empty_folds_to_nothing() -> None:
    last: list[bytes] = []
    assert loops.encoding(2, [b"", b"\x01"], bytes, last) == 7 + 1 + 3 + 5
    assert last == [b"\x01"]


def test_what_was_decoded_is_encoded_next() -> None:
    seen: list[Any] = []

    def encode(value: Any) -> bytes:
        seen.append(value)
        return PLAIN.encode(value)

    pool = load_pool("T3", MAPPINGS)
    count = len(pool.natives)
    loops.round_trip(2 * count, pool.natives, Codec(encode, json.loads), pool.fold)
    assert seen[:count] == seen[count:]
    assert not any(first is second for first, second in zip(seen, seen[count:], strict=False))
    assert seen[0] is pool.natives[0]
