"""The secret of a trial: what is sent or stored depends on it, and nobody is told it beforehand."""

from __future__ import annotations

import os
from pathlib import Path


def taken() -> bytes:
    """Take it from the descriptor that this process was handed; outside of a trial there is none,
    and it is empty.
    """
    number = os.environ.pop("WIRELAB_SECRET", "")
    if not number:
        return b""
    held = int(number)
    secret = Path(f"/proc/self/fd/{held}").read_bytes()
    os.close(held)
    return secret
