"""Items that good operations asked for, held against what a service served."""

from __future__ import annotations

import numpy as np

from wirelab.model.ledger import LedgerEntry
from wirelab.model.parts import Operation
from wirelab.model.run import RoleRecord
from wirelab.trial.ledger import compared

READ = Operation(code=1, ledger="records")
OPERATIONS = {"read": READ, "write": Operation(code=2)}
ASKED = {"op": np.array([1, 1, 2, 1]), "items": np.array([198, 50, 7, 200])}


def role(name: str, **served: int) -> RoleRecord:
    return RoleRecord(role=name, command=[], cpus=[], served=served)


def test_both_sides_are_sums_of_the_whole_trial() -> None:
    records = {"client": role("client"), "server": role("server", records=448, batches=3)}
    expected = {"read": LedgerEntry(claimed=448, served=448)}
    assert compared(OPERATIONS, ASKED, records) == expected
    records["other"] = role("other", records=2)
    assert compared(OPERATIONS, ASKED, records)["read"].served == 450


def test_nothing_is_compared_with_what_nobody_counts() -> None:
    assert compared(OPERATIONS, ASKED, {"server": role("server", batches=3)}) == {}
    assert compared({"write": OPERATIONS["write"]}, ASKED, {"server": role("s", records=1)}) == {}
    assert compared(OPERATIONS, None, {"server": role("server", records=448)}) == {}
