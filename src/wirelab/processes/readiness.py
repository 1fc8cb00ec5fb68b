"""Files that can be read or written at once, whatever their numbers.

``select`` refuses numbers from 1,024 on, and a trial of two hundred processes has more files open.
"""

from __future__ import annotations

import select
from typing import Any


def is_readable(file: Any, patience_s: float = 0.0) -> bool:
    """Whether there is something to read, or its end, within so many seconds."""
    return _is_ready(file, select.POLLIN, patience_s)


def is_writable(file: Any) -> bool:
    """Whether something could be written now; ValueError for a file that is closed."""
    return _is_ready(file, select.POLLOUT, 0.0)


def _is_ready(file: Any, event: int, patience_s: float) -> bool:
    waiting = select.poll()
    waiting.register(file, event)
    return bool(waiting.poll(max(0.0, patience_s) * 1000))
