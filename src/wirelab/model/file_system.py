"""The file system that the roles of a trial write to."""

from __future__ import annotations

from pydantic import Field

from wirelab.model.units import Strict


class FileSystem(Strict):
    """A file system, as the kernel names it."""

    type: str
    syncs_nothing: bool = Field(
        default=False,
        description="a sync waits for no disk there: it is memory, or mounted so that syncs are "
        "left out",
    )
