"""Features of each candidate, from what the store had."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from kv_harness.client import Row

BINS = 13
EMBEDDED = 5


class Features(NamedTuple):
    """Inputs of the model, a row a candidate."""

    sparse: npt.NDArray[np.int64]
    dense: npt.NDArray[np.float32]

    def columns(self) -> list[float]:
        """The sum of each feature over the candidates: 13 numbers."""
        return [*self.sparse.sum(0).tolist(), *self.dense.sum(0, dtype=np.float64).tolist()]


_NOTHING: Row = (0.0,) * BINS


def features(sets: Sequence[Sequence[Row | None]]) -> Features:
    """Compute the features of candidates whose records the sets have at the same place: README,
    "Features".
    """
    there = np.array([[row is not None for row in rows] for rows in sets])
    values = np.array([[row or _NOTHING for row in rows] for rows in sets])
    sparse = np.stack([values[s, :, s] for s in range(EMBEDDED)], axis=1).astype(np.int64)
    known = np.maximum(there.sum(0), 1)[:, None]
    dense = (values[:, :, EMBEDDED:].sum(0) / known).astype(np.float32)
    return Features(sparse, dense)
