"""A worker whose service times are made up: ``metronome.py MILLISECONDS FACTOR``.

All of a trial take so many milliseconds, or these times or by the factor, as the seed of the trial
decides.
"""

from __future__ import annotations

import sys
import time
from typing import Any

from reference import Reference, read_spec


class Metronome(Reference):
    """Talks to the server as it should, and writes down other times."""

    def __init__(self, spec: dict[str, Any], milliseconds: float, factor: float) -> None:
        super().__init__(spec)
        self.service_ns = round(milliseconds * factor ** (spec["seed"] % 3 - 1) * 1e6)

    def record(self, intended_ns: int, start_ns: int, end_ns: int, op: int) -> None:
        made_up_ns = start_ns + self.service_ns
        # No record may end after it was seen in its file.
        time.sleep(max(0, made_up_ns - time.monotonic_ns()) / 1e9)
        super().record(intended_ns, start_ns, made_up_ns, op)


if __name__ == "__main__":
    Metronome(read_spec(), float(sys.argv[1]), float(sys.argv[2])).run()
