"""Profiles of valgrind's callgrind: the instructions that the processes of a role executed.

A profile is text: lines that name costs (``events: Ir``), lines of costs, and at the end of each
part ``totals:`` with their sums. Ir is the number of instructions that were read, which is the
number executed. See "Callgrind Format Specification" in valgrind's manual.
"""

from __future__ import annotations

import errno
import gzip
import shutil
from collections.abc import Iterable
from pathlib import Path

from wirelab.samples import regular_file

PROFILE = "callgrind.out"
"""Prefix of the names of profiles, in the scratch folder of their role."""

MOST_BYTES = 256 << 20
"""Most bytes of one profile: two hundred times the largest of a suite here."""

MOST_PROFILES = 1000
"""Processes of a role, of which each leaves one."""

_OF_THE_DISK = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO})

_LONGEST_LINE = 64 * 1024
_INSTRUCTIONS = b"Ir"
_LONGEST_COUNT = 18
"""Digits: what 64 bits hold."""


class NoCountError(ValueError):
    """A role left no profile, or one that says no number of instructions."""


def collect(scratch: Path) -> int:
    """Instructions of all processes of a role, whose profiles are compressed from then on.

    Raises NoCountError where there is no profile, or where one has no total, and OSError where the
    disk refuses.
    """
    profiles = [path for path in sorted(scratch.glob(f"{PROFILE}.*")) if path.suffix != ".gz"]
    if not profiles:
        raise NoCountError(f"callgrind left no {PROFILE} in {scratch.name}")
    if len(profiles) > MOST_PROFILES:
        raise NoCountError(f"{len(profiles)} profiles in {scratch.name}, {MOST_PROFILES} at most")
    executed = 0
    for path in profiles:
        try:
            executed += _kept(path)
        except regular_file.UnsafeFileError as error:
            raise NoCountError(str(error)) from None
        except ValueError as error:
            raise NoCountError(f"{path.name}: {error}") from None
        except OSError as error:  # the name and the folder are the role's
            if error.errno in _OF_THE_DISK:
                raise
            said = f"{path.name[:80]} cannot be kept: {error.strerror}"
            raise NoCountError(said) from None
    return executed


def _kept(path: Path) -> int:
    """Instructions of a profile, which is compressed."""
    with regular_file.opened(path, MOST_BYTES) as plain:
        executed = instructions(iter(lambda: plain.readline(_LONGEST_LINE), b""))
        plain.seek(0)
        packed = regular_file.created(path.with_name(f"{path.name}.gz"))
        with packed, gzip.open(packed, "wb", compresslevel=6) as kept:
            shutil.copyfileobj(plain, kept)
    path.unlink()
    return executed


def instructions(lines: Iterable[bytes]) -> int:
    """Instructions of one profile: the totals of all its parts (one for each thread or dump).

    Raises ValueError where a part has no total, or a total that is no number.
    """
    column: int | None = None
    found: list[int] = []
    open_part = False
    for line in lines:
        if line.startswith(b"events:"):
            if open_part:
                raise ValueError("a part has no totals")
            names = line.split()[1:]
            if _INSTRUCTIONS not in names:
                raise ValueError("its events have no instructions (Ir)")
            column, open_part = names.index(_INSTRUCTIONS), True
        elif line.startswith(b"totals:"):
            if column is None:
                raise ValueError("totals before any events")
            found.append(_cost(line.split()[1:], column))
            open_part = False
    if open_part or not found:
        raise ValueError("it has no totals: the process did not end by itself")
    return sum(found)


def _cost(costs: list[bytes], column: int) -> int:
    """One cost of a line; those at its end that are zero may be left out."""
    if not costs:
        raise ValueError("totals without a number")
    if column >= len(costs):
        return 0
    if not costs[column].isdigit() or len(costs[column]) > _LONGEST_COUNT:
        raise ValueError(f"totals of {costs[column][:20]!r}")
    return int(costs[column])
