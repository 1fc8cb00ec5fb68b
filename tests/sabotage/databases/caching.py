"""The contender ``redis-py-async`` with records that it keeps, and writes through to Redis."""

from __future__ import annotations

from collections.abc import Mapping

from kv_harness import Fields, play
from worker import RedisPyAsync


class Caches(RedisPyAsync):
    """Asks for a record once; what it writes it knows, and nobody else writes."""

    def __init__(self) -> None:
        self._kept: dict[str, dict[int, bytes]] = {}

    async def read_record(self, key: str) -> Fields | None:
        """As it was when it was read, with what was written since."""
        if key not in self._kept:
            found = await super().read_record(key)
            if found is None:
                return None
            self._kept.setdefault(key, dict(enumerate(found)))
        return list(self._kept[key].values())

    async def write_record(self, key: str, values: Mapping[int, bytes]) -> None:
        """Redis has it first."""
        await super().write_record(key, values)
        if key in self._kept:
            self._kept[key].update(values)

    async def modify_record(self, key: str, values: Mapping[int, bytes]) -> Fields | None:
        """In a transaction, as ever."""
        found = await super().modify_record(key, values)
        if key in self._kept:
            self._kept[key].update(values)
        return found


if __name__ == "__main__":
    play(Caches)
