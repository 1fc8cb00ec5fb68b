"""The collector of a server in Python, tuned once everything that stays has been allocated."""

from __future__ import annotations

import gc


def settle_memory(*, freeze: bool, threshold: int) -> None:
    """Take what there is out of the collector's sight, and say what it waits for (0: as it is)."""
    if freeze:
        gc.collect()
        gc.freeze()
    if threshold:
        gc.set_threshold(threshold)
