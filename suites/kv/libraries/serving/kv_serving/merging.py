"""Interface that a client needs for the mode ``merge``."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from kv_harness.client import Row


@runtime_checkable
class Merging(Protocol):
    """A client whose read can be taken apart."""

    async def fetch(self, prepared: Any) -> Any:
        """The call alone: the library's own result."""

    def convert(self, fetched: Any) -> list[Row | None]:
        """A row for each key in the order asked."""
