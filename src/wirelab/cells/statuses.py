"""Names of the status bytes of samples."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from wirelab.model.scenario import Scenario
from wirelab.samples import format as samples

OK = samples.OK
ITEM_ERROR = 5

_CONTRACT = {
    OK: "ok",
    1: "error",
    2: "timeout",
    3: "disconnected",
    4: "refused",
    ITEM_ERROR: "item-error",
    6: "wrong-answer",
    7: "unsupported",
}


def status_names(scenario: Scenario) -> dict[int, str]:
    """Name of each status byte: the contract's, then those the scenario gives."""
    return _CONTRACT | {code: name for name, code in scenario.statuses.items()}


def count_by_name(status: npt.NDArray[Any], names: dict[int, str]) -> dict[str, int]:
    """Number of samples by name of status; a byte without a name is ``status-N``."""
    codes, counts = np.unique(status, return_counts=True)
    return {
        names.get(int(code), f"status-{code}"): int(count)
        for code, count in zip(codes, counts, strict=True)
    }
