"""The same model by PyTorch, for those who serve with it.

It is no package of the suite, because its wheels bring the whole of CUDA along: who wants it says
in which folder it is installed.
"""

from __future__ import annotations

import itertools
import sys
from typing import Any

import numpy as np
import numpy.typing as npt

from kv_serving.model import (
    BOTTOM,
    CARDINALITY,
    EMBEDDED,
    FIRST_OF_TOP,
    FIRST_TABLE,
    TOP,
    Floats,
    weights,
)


class TorchModel:
    """Scores of candidates. One thread: what runs beside it is the event loop."""

    def __init__(self, folder: str, threads: int = 1) -> None:
        """ImportError when PyTorch is not in ``folder`` (``pip install --target folder torch``)."""
        # Last, so that it brings no package in the place of one that the application has.
        sys.path.append(folder)
        import torch

        torch.set_num_threads(threads)
        self._torch = torch
        self._bottom = self._network(1, BOTTOM, last_is_linear=False)
        self._top = self._network(FIRST_OF_TOP, TOP, last_is_linear=True)
        self._tables = [
            torch.nn.Embedding.from_pretrained(
                torch.from_numpy(weights(FIRST_TABLE + table, rows, EMBEDDED))
            )
            for table, rows in enumerate(CARDINALITY)
        ]
        count = 1 + len(CARDINALITY)
        self._rows, self._columns = torch.tril_indices(count, count, offset=-1)

    def scores(self, sparse: npt.NDArray[np.int64], dense: Floats) -> Floats:
        """Between 0 and 1 for each candidate; ``sparse`` is n × 5, ``dense`` n × 8."""
        torch = self._torch
        with torch.inference_mode():
            first = self._bottom(torch.from_numpy(dense))
            chosen = torch.from_numpy(sparse)
            found = [table(chosen[:, at]) for at, table in enumerate(self._tables)]
            vectors = torch.stack([first, *found], dim=1)
            products = torch.bmm(vectors, vectors.transpose(1, 2))[:, self._rows, self._columns]
            logit = self._top(torch.cat([first, products], dim=1))
            return np.asarray(torch.sigmoid(logit).reshape(-1).numpy(), np.float32)

    def _network(self, first: int, sizes: tuple[int, ...], *, last_is_linear: bool) -> Any:
        nn = self._torch.nn
        parts: list[Any] = []
        for number, (inputs, outputs) in enumerate(itertools.pairwise(sizes)):
            layer = nn.Linear(inputs, outputs, bias=False)
            matrix = self._torch.from_numpy(weights(first + number, outputs, inputs))
            layer.weight = nn.Parameter(matrix, requires_grad=False)
            parts += [layer, nn.ReLU()]
        return nn.Sequential(*parts[:-1] if last_is_linear else parts)
