"""How long the checker waits where the worker's own limits say nothing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Seconds. Those who check many workers of one kind may be less patient."""

    serving_s: float = 1.2
    """What a server that has nothing to do is left alone for: a `runtime` event comes meanwhile."""

    settle_s: float = 0.3
    """What a server may take to stumble over what it was sent, or to begin to serve a client."""

    children_leave_s: float = 2.0
    """What children may take to notice that the worker was killed."""

    partner_ends_s: float = 0.3
    """What a partner that is about to end may take after the worker has stumbled over it."""

    gives_up_s: float = 20.0
    """What a worker may take to see that a spec is none; starting its runtime is part of it."""
