"""Service times of an operation divided by its kinds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from wirelab.cells.operations import OperationDurations
from wirelab.cells.trial_files import Samples
from wirelab.cells.window import Window
from wirelab.model.parts import Operation
from wirelab.samples.kinds import Ints, KindColumns
from wirelab.stats.blocks import TimedSamples
from wirelab.stats.disturbed import DisturbedTime

_LANE_BITS = 16
"""Bits of a lane's number in a record."""


def prefix_of(operation: str, kind: str) -> str:
    """The begin of the keys of a kind's metrics."""
    return f"{operation}.kind.{kind}"


def kind_durations(
    kinds: KindColumns,
    by_name: Mapping[str, Samples],
    operations: Mapping[str, Operation],
    window: Window,
    disturbed: DisturbedTime,
) -> dict[str, TimedSamples]:
    """Service times of each kind in the quiet time of its window, by the begin of their metrics.

    What failed has no kind and is left out.
    """
    found = {}
    for name, operation in operations.items():
        if not operation.kinds:
            continue
        samples, own = by_name[name], window.for_operation(operation)
        places = _places(samples, kinds, operation.code)
        for place, kind in enumerate(operation.kinds):
            chosen = OperationDurations.quiet(samples.where(places == place), disturbed).within(own)
            found[prefix_of(name, kind)], _ = chosen.cut(own, disturbed)
    return found


def _places(samples: Samples, kinds: KindColumns, code: int) -> npt.NDArray[np.int64]:
    """The place of each sample's kind among those of the manifest; -1 where it is not known."""
    is_own = kinds["op"] == code if kinds else np.zeros(0, dtype=np.bool_)
    if not is_own.any():
        return np.full(len(samples), -1)
    start_ns, lane, kind = (kinds[name][is_own] for name in ("start_ns", "lane", "kind"))
    base = int(start_ns.min())
    known = _keys(start_ns, lane, base)
    order = np.argsort(known)
    wanted = _keys(samples.start_ns, samples.lane, base)
    at = np.minimum(np.searchsorted(known, wanted, sorter=order), len(known) - 1)
    return np.where(known[order[at]] == wanted, kind[order[at]], -1)


def _keys(start_ns: Ints, lane: npt.NDArray[Any], base: int) -> Ints:
    """One number of start and lane: a lane does one operation at a time."""
    return (start_ns - base) << _LANE_BITS | lane.astype(np.int64)
