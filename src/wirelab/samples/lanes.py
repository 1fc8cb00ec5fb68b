"""The number of a lane, as a record of the sample file holds it."""

from __future__ import annotations

MOST_LANES = 65_536
"""Most lanes that a sample can tell apart: their number has 16 bits."""
