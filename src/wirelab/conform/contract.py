"""Numbers, limits and the layout of the sample file that the worker contract fixes."""

from __future__ import annotations

import struct
from typing import Any

CONTRACT = 2
"""Version of the contract."""

CONTRACT_PAGE = "docs/reference/worker-contract.md"
"""The page that defines it."""

SECOND = 1_000_000_000
"""Nanoseconds."""

LINE_LIMIT = 64 * 1024
OUTPUT_LIMIT = 16 * 1024 * 1024
"""Bytes of standard output, a line and in all."""

HEADER = struct.Struct("<8sHHI16s")
RECORD = struct.Struct("<QQQIBBH")

OK = 0
ITEM_ERROR = 5
ANSWERED = {OK, ITEM_ERROR}
"""Statuses of calls that have an answer."""

STATUSES = range(8)
SUITE_STATUSES = range(64, 256)

Json = dict[str, Any]
