"""Profiles become a number of instructions or a sentence."""

from __future__ import annotations

import errno
import gzip
import os
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzzing import read_or_refused
from wirelab.samples.callgrind import NoCountError, collect, instructions

GOLDEN = b"""\
# callgrind format
version: 1
creator: callgrind-3.19.0
pid: 4711
cmd:  worker --totals: 7
part: 1

desc: I1 cache:
desc: Trigger: Program termination
positions: line
events: Ir
summary: 1234

ob=(1) /usr/bin/worker
fl=(1) ???
fn=(1) main
0 34
cfn=(2) totals
calls=1 0
0 1200

totals: 1234
"""
"""A profile of one part, written by hand after the manual's specification."""


def read(text: bytes) -> int:
    return instructions(text.splitlines(keepends=True))


def test_the_total_of_a_profile_is_its_instructions() -> None:
    assert read(GOLDEN) == 1234


def test_parts_of_one_profile_add_up() -> None:
    second = GOLDEN.replace(b"part: 1", b"part: 2").replace(b"totals: 1234", b"totals: 66")
    assert read(GOLDEN + second) == 1300


def test_instructions_are_found_by_their_name() -> None:
    text = GOLDEN.replace(b"events: Ir", b"events: Bc Ir Dr").replace(b"s: 1234", b"s: 5 77 9")
    assert read(text) == 77


def test_zeros_at_the_end_of_a_line_may_be_missing() -> None:
    assert read(GOLDEN.replace(b"events: Ir", b"events: Bc Ir")) == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param(b"", "no totals", id="empty"),
        pytest.param(GOLDEN.replace(b"totals: 1234\n", b""), "no totals", id="killed"),
        pytest.param(GOLDEN.replace(b"totals: 1234\n", b"") + GOLDEN, "no totals", id="half"),
        pytest.param(GOLDEN.replace(b"events: Ir", b"events: Dr"), "no instructions", id="events"),
        pytest.param(GOLDEN.replace(b"events: Ir\n", b""), "before any events", id="no events"),
        pytest.param(GOLDEN.replace(b"totals: 1234", b"totals:"), "without a number", id="bare"),
        pytest.param(GOLDEN.replace(b"totals: 1234", b"totals: -4"), "b'-4'", id="negative"),
    ],
)
def test_a_profile_without_a_count_says_why(text: bytes, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        read(text)


@given(st.binary(max_size=300))
def test_no_bytes_give_anything_but_a_count_or_a_value_error(content: bytes) -> None:
    for text in (content, GOLDEN + content, GOLDEN.replace(b"1234", content)):
        count = read_or_refused(partial(read, text), ValueError)
        assert count is None or count >= 0


@given(st.lists(st.integers(0, 10**15), min_size=1, max_size=5))
def test_any_totals_add_up(totals: list[int]) -> None:
    parts = [GOLDEN.replace(b"totals: 1234", b"totals: %d" % total) for total in totals]
    assert read(b"".join(parts)) == sum(totals)


def test_processes_of_a_role_add_up_and_their_profiles_are_kept_compressed(tmp_path: Path) -> None:
    for pid in (10, 11):
        (tmp_path / f"callgrind.out.{pid}").write_bytes(GOLDEN)
    assert collect(tmp_path) == 2468
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "callgrind.out.10.gz",
        "callgrind.out.11.gz",
    ]
    assert gzip.decompress((tmp_path / "callgrind.out.10.gz").read_bytes()) == GOLDEN


def test_a_role_without_a_profile_is_named(tmp_path: Path) -> None:
    with pytest.raises(NoCountError, match=r"left no callgrind\.out"):
        collect(tmp_path)


def test_a_broken_profile_is_named_with_its_file(tmp_path: Path) -> None:
    (tmp_path / "callgrind.out.12").write_bytes(b"")
    with pytest.raises(NoCountError, match=r"callgrind\.out\.12: it has no totals"):
        collect(tmp_path)


def test_a_profile_that_cannot_be_kept_by_its_name_is_its_roles(tmp_path: Path) -> None:
    (tmp_path / f"callgrind.out.{'7' * 241}").write_bytes(GOLDEN)
    with pytest.raises(NoCountError, match=r"callgrind\.out\.7+ cannot be kept: File name too"):
        collect(tmp_path)


@pytest.mark.parametrize(
    ("refused", "is_the_roles"), [(errno.EACCES, True), (errno.EIO, False), (errno.ENOSPC, False)]
)
def test_what_the_disk_refuses_alone_is_not_the_roles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: int, is_the_roles: bool
) -> None:
    def refuse(_path: Path) -> None:
        raise OSError(refused, os.strerror(refused))

    (tmp_path / "callgrind.out.7").write_bytes(GOLDEN)
    monkeypatch.setattr("wirelab.samples.regular_file.created", refuse)
    with pytest.raises(NoCountError if is_the_roles else OSError):
        collect(tmp_path)
