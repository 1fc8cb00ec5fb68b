"""Sampled stacks become times by module and by function, or a sentence."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzzing import fuzzed, read_or_refused
from wirelab.model.stacks import SampledPlace
from wirelab.samples.stacks import STACKS, NoStacksError, collect, together

USED = {"process_ns": 1000, "main_thread_ns": 900, "heap_bytes": 21}
LOOP, READ, DECODE = "asyncio.events:Handle._run", "lib.client:read", "lib.binary:decode"
FOUND = (
    {"stack": [LOOP, READ, DECODE], "samples": 3, "ns": 600},
    {"stack": [LOOP, READ, DECODE, DECODE], "samples": 1, "ns": 100},
    {"stack": [LOOP, READ], "samples": 1, "ns": 200},
    {"stack": [LOOP], "samples": 1, "ns": 90},
)


def left(folder: Path, *lines: object) -> Path:
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / STACKS).write_text(text, "utf-8")
    return folder


def test_own_time_is_the_innermost_frames_and_recursion_counts_once(tmp_path: Path) -> None:
    found = collect(left(tmp_path, USED, *FOUND))
    assert (found.samples, found.sampled_ns) == (6, 990)
    assert (found.process_ns, found.main_thread_ns, found.heap_bytes) == (1000, 900, 21)
    assert found.functions == [
        SampledPlace(name=DECODE, own_ns=700, within_ns=700),
        SampledPlace(name=READ, own_ns=200, within_ns=900),
        SampledPlace(name=LOOP, own_ns=90, within_ns=990),
    ]
    assert [(module.name, module.own_ns) for module in found.modules] == [
        ("lib.binary", 700),
        ("lib.client", 200),
        ("asyncio.events", 90),
    ]


def test_processes_add_up(tmp_path: Path) -> None:
    one = collect(left(tmp_path, USED, *FOUND))
    larger = {**USED, "heap_bytes": 34}
    other = collect(left(tmp_path, larger, {"stack": [READ], "samples": 9, "ns": 1000}))
    both = together([one, other])
    assert (both.samples, both.sampled_ns, both.process_ns) == (15, 1990, 2000)
    assert both.heap_bytes == 34
    unknown = one.model_copy(update={"heap_bytes": None})
    assert together([unknown, other]).heap_bytes is None
    assert both.functions[0] == SampledPlace(name=READ, own_ns=1200, within_ns=1900)


def test_a_program_that_used_too_little_has_no_stacks_and_is_none_the_less_told(
    tmp_path: Path,
) -> None:
    found = collect(left(tmp_path, USED))
    assert (found.samples, found.sampled_ns, found.modules) == (0, 0, [])


WRONG = {
    "empty": [],
    "a list": [[1]],
    "no stack": [USED, {"samples": 1, "ns": 1}],
    "an empty stack": [USED, {"stack": [], "samples": 1, "ns": 1}],
    "a stack of numbers": [USED, {"stack": [1], "samples": 1, "ns": 1}],
    "less than nothing": [USED, {"stack": ["a"], "samples": 1, "ns": -1}],
    "a thousand years": [USED, {"stack": ["a"], "samples": 1, "ns": 10**19}],
    "half a byte": [{**USED, "heap_bytes": 0.5}],
    "yes": [USED, {"stack": ["a"], "samples": True, "ns": 1}],
}


@pytest.mark.parametrize("what", WRONG)
def test_a_file_that_says_something_else_is_refused(tmp_path: Path, what: str) -> None:
    with pytest.raises(NoStacksError, match=STACKS):
        collect(left(tmp_path, *WRONG[what]))


def test_nothing_and_a_link_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(NoStacksError, match="was left in"):
        collect(tmp_path)
    (tmp_path / STACKS).symlink_to("/dev/zero")
    with pytest.raises(NoStacksError, match="link"):
        collect(tmp_path)


def test_names_of_strangers_steer_no_terminal(tmp_path: Path) -> None:
    name = "m:\x1b[2J" + "x" * 1000
    found = collect(left(tmp_path, USED, {"stack": [name], "samples": 1, "ns": 1}))
    (place,) = found.functions
    assert "\x1b" not in place.name
    assert len(place.name) <= 300


@fuzzed()
@given(st.binary(max_size=200))
def test_whatever_a_worker_leaves_is_read_or_refused(tmp_path: Path, data: bytes) -> None:
    for text in (data, json.dumps(USED).encode() + b"\n" + data):
        (tmp_path / STACKS).write_bytes(text)
        found = read_or_refused(partial(collect, tmp_path), NoStacksError)
        assert found is None or found.samples >= 0
