"""A bound on what somebody may use of a disk: bytes, or files."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class DiskBound:
    """One thing that a disk has only so much of, as it was in the beginning.

    ``most`` of it may be used, and ``reserved`` of it has to be left.
    """

    unit: str
    free: int
    most: int
    reserved: int

    @staticmethod
    def of(unit: str, free: int, most: int, reserved: int) -> DiskBound:
        """A nearly full disk has no room for the usual bounds."""
        kept = min(reserved, free // 4)
        return DiskBound(unit, free, min(most, free - kept), kept)

    def is_nearly_met(self, left: int) -> bool:
        """Whether the disk has hardly any of it left."""
        return left < self.reserved

    def is_suspicious(self, left: int) -> bool:
        """Whether so much has gone that it is worth to count who has it."""
        return self.free - left > self.most // 2

    def allowed(self, left: int) -> int:
        """The most that one may have used, where so much is left."""
        return min(self.most, self.free // 2) if self.is_nearly_met(left) else self.most


def free(folder: Path) -> tuple[int, int]:
    """Bytes and files that a user may still write."""
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize, found.f_favail


def device_of(folder: Path) -> int:
    """The device of files that are made in a folder: layered file systems give it another one."""
    with tempfile.TemporaryFile(dir=folder) as any_file:
        return os.fstat(any_file.fileno()).st_dev
