"""The contender ``redis-py-async`` with more connections than it is told to have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kv_harness import Place, play
from worker import RedisPyAsync

_MORE = 16


class Pools(RedisPyAsync):
    """Has a pool of its own size."""

    async def open(self, endpoint: str, place: Place) -> None:
        """Connect as if that were what was asked for."""
        asked: Mapping[str, Any] = {**place.spec.parameters, "pool": _MORE}
        await super().open(endpoint, replace(place, spec=replace(place.spec, parameters=asked)))


if __name__ == "__main__":
    play(Pools)
