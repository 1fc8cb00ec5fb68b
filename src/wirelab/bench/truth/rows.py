"""Rows of a part, with the day, the commit and the machine they come from.

One file a part, so that a part can be measured again alone, on another day or machine.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from wirelab.model.units import Strict
from wirelab.samples import stored

FOLDER = "truth"
"""Folder of the row files, beside the page."""

Value = float | int | bool | str | None


class RowOrigin(Strict):
    """Day, sources and machine of rows; no name of the host."""

    date: str
    commit: str = Field(description="empty outside of git")
    wirelab: str
    processor: str
    virtualisation: str
    kernel: str
    cores: int
    profile: str
    seed: int
    begun: str = Field(description="when the part was begun that they belong to")
    minutes: float


class Entry(Strict):
    """The rows of one piece of a part."""

    piece: str
    made: RowOrigin
    rows: list[dict[str, Value]]


class PartFile(Strict):
    """The file of a part, with all that is known of it: the latest rows of each of its pieces."""

    schema_version: int = 1
    part: str
    entries: list[Entry] = Field(default=[], description="in the order of measuring")

    def with_entry(self, entry: Entry) -> PartFile:
        """The same with the rows of a piece in the place of its earlier ones."""
        others = [one for one in self.entries if one.piece != entry.piece]
        return self.model_copy(update={"entries": [*others, entry]})

    def finished_of_the_last(self, profile: str) -> list[Entry]:
        """The pieces that the latest attempt at the part in this profile has finished."""
        own = [entry for entry in self.entries if entry.made.profile == profile]
        begun = max((entry.made.begun for entry in own), default="")
        return [entry for entry in own if entry.made.begun == begun]


def read(out: Path, part: str) -> PartFile:
    """The rows of a part; none where it was never measured."""
    try:
        return stored.read(_file(out, part), PartFile)
    except FileNotFoundError:
        return PartFile(part=part)


def write(out: Path, rows: PartFile) -> None:
    """Replace the rows of a part."""
    _file(out, rows.part).parent.mkdir(parents=True, exist_ok=True)
    stored.replace(_file(out, rows.part), rows)


def _file(out: Path, part: str) -> Path:
    return out / FOLDER / f"{part}.json"
