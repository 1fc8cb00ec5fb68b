"""Memory that a call takes at most, as the kernel counts it for this process."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

_SELF = Path("/proc/self")
_FORGET_PEAK = "5"
"""Written to ``clear_refs``, it makes what is resident now the peak."""


@dataclass(frozen=True, slots=True)
class Use:
    """Resident bytes before a call and at its peak."""

    before: int
    peak: int


def used_by(call: Callable[[], object]) -> Use | None:
    """Make the call; None where the kernel cannot tell.

    What was freed before goes back to the system first, or the call would be given it for nothing.
    """
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    try:
        (_SELF / "clear_refs").write_text(_FORGET_PEAK, "ascii")
    except OSError:
        call()
        return None
    before = _kilobytes("VmRSS")
    call()
    return Use(1024 * before, 1024 * _kilobytes("VmHWM"))


def _kilobytes(name: str) -> int:
    for line in (_SELF / "status").read_text("ascii").splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1])
    raise ValueError(f"/proc/self/status has no {name}")
