"""Files that are looked at for what they hold, however many the process has open."""

from __future__ import annotations

import contextlib
import os
import resource
from collections.abc import Iterator

import pytest

from wirelab.processes.readiness import is_readable, is_writable

BEYOND_SELECT = 1024


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """A pipe whose ends have numbers that ``select`` refuses."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, BEYOND_SELECT + 16), hard))
    ends = os.pipe()
    high = (BEYOND_SELECT + 4, BEYOND_SELECT + 5)
    for end, number in zip(ends, high, strict=True):
        os.dup2(end, number)
        os.close(end)
    yield high
    for number in high:
        os.close(number)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_numbers_beyond_those_of_select_are_looked_at(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    assert not is_readable(reading)
    assert is_writable(writing)
    os.write(writing, b"one")
    assert is_readable(reading, 10)


def test_a_full_pipe_cannot_be_written(pipe: tuple[int, int]) -> None:
    _, writing = pipe
    os.set_blocking(writing, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(writing, bytes(65536))
    assert not is_writable(writing)


def test_a_closed_file_is_no_file() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    file = os.fdopen(writing, "wb")
    file.close()
    with pytest.raises(ValueError, match="closed"):
        is_writable(file)
