"""What `./wl test` asks of a machine."""

from __future__ import annotations

NEWCOMERS = {"cc", "cmake", "make"}
"""Programs that `./wl test` may use; tests that need others are left to `./wl test --all`."""
