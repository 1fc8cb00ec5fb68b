"""The files that the measured role of a trial leaves, held against what it says of them."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

from wirelab.model.trial import RoleRecord
from wirelab.samples import format as samples
from wirelab.samples import intervals
from wirelab.trial import answers
from wirelab.trial.failure import TrialError


class RoleOutput:
    """Samples, intervals and answers of a role, in the folder of its trial."""

    def __init__(self, folder: Path, role: str) -> None:
        self._folder = folder
        self._role = role
        self.kept = folder / f"{role}.parquet"
        """Its samples, once they are taken in."""

    def take_in(self, told_steps: Collection[str]) -> samples.Ingested:
        """Check the intervals that it counted, if any, and keep its samples."""
        counted = self._folder / f"{self._role}.intervals.jsonl"
        if os.path.lexists(counted):
            intervals.check(counted, told_steps)
        return samples.ingest(self._folder / f"{self._role}.samples", self.kept)

    def check_counts(self, record: RoleRecord, count: int) -> None:
        """Hold the records and answers that it says it wrote against those that are there."""
        said = record.done["records"]
        if said != count:
            raise TrialError(
                "record-count",
                f"done reports {said} records, the sample file holds {count}",
                self._role,
            )
        path = self._folder / f"{self._role}.answers.jsonl"
        answers.check_integrity(path, self._role, record.done["answers"], record.done["checksum"])
