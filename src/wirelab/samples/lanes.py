"""The number of a lane, as a record of the sample file holds it.

Apart from ``format``, which imports arrays: the process of a suite's rules needs this alone.
"""

from __future__ import annotations

MOST_LANES = 65_536
"""Most lanes that a sample can tell apart: their number has 16 bits."""
