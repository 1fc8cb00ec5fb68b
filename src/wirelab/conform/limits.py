"""Time limits of the checker where the worker's own limits say nothing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CheckLimits:
    """Seconds. Those who check many workers of one kind may be less patient."""

    serving_s: float = 1.2
    """Seconds that an idle server is left alone: a `runtime` event comes meanwhile."""

    settle_s: float = 0.3
    """Seconds in which a server stumbles over what it was sent, or begins to serve a client."""

    children_leave_s: float = 2.0
    """Seconds in which children notice that the worker was killed."""

    partner_ends_s: float = 0.3
    """Seconds in which a partner ends after the worker has stumbled over it."""

    gives_up_s: float = 20.0
    """Seconds in which a worker sees that a spec is none; starting its runtime is part of it."""
