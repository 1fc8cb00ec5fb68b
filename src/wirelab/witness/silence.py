"""Times that the witness of a trial cannot speak of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wirelab.model.wire import Spoken, Wire
from wirelab.witness.exchanges import Followed, is_in_the_clear
from wirelab.witness.rows import DROPS, FOREIGN, RATE, STREAM, Columns

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class SilentTimes:
    """Rows of begin and end: times that the witness cannot speak of."""

    all: Ints
    unreadable: Ints
    """Times in which some connection had messages that cannot be read."""
    unfollowed: Ints
    """Times in which some connection had messages of nothing that was asked for."""
    full: Ints
    """Times of more than the witness, or the kernel, had room for."""

    @staticmethod
    def of(
        unseen: Columns, exchanges: Followed, wire: Wire, spoken: Spoken | None, *, dropped: int
    ) -> SilentTimes:
        """The silent times for an operation that is looked for by ``wire``, of which these are the
        exchanges; the kernel ``dropped`` so many packets.
        """
        rows = np.column_stack([unseen["begin_ns"], unseen["end_ns"]])
        foreign = unseen["reason"] == FOREIGN
        if not dropped:
            foreign |= unseen["reason"] == STREAM
        hidden = np.array([*exchanges.unreadable], dtype=np.int64).reshape(-1, 2)
        asked_for = not is_in_the_clear(wire, spoken)
        unfollowed = rows[foreign] if asked_for else np.concatenate([rows[foreign], hidden])
        full = rows[np.isin(unseen["reason"], (DROPS, RATE))]
        return SilentTimes(np.concatenate([rows, hidden]), hidden, unfollowed, full)
