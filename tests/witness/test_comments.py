"""Comments on kept packets say of operations what their cell is told of them, and no more."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from synthetic import Client
from synthetic.wire import wire_run
from wirelab.trial.load import load_of
from wirelab.trial.packets import comments
from wirelab.trial.turns import KeptRecords

READS = 20
LATE = 12
"""Read whose answer is spoilt."""


def words_of(folder: Path, *, encrypted: bool) -> list[str]:
    """The comments on the packets of a trial in which the answer of one read is encrypted, or was
    never there.
    """
    run = wire_run({"swift": Client()}, count=READS, warmup=0)
    trial = run.trial("swift")
    scenario = run.run.scenarios[trial.planned.scenario]
    assert trial.witness is not None
    messages = dict(trial.witness.messages)
    spoilt = (messages["way"] == 1) & (messages["request"] == LATE)
    assert np.count_nonzero(spoilt) == 1
    if encrypted:
        messages["readable"] = np.where(spoilt, 0, messages["readable"])
    else:
        messages = {name: column[~spoilt] for name, column in messages.items()}
    path = run.write(folder) / "trials" / trial.planned.id / "client.parquet"
    found = comments(
        replace(trial.witness, messages=messages),
        scenario.operations,
        None,
        None,
        load=load_of(trial.planned, scenario),
        kept=KeptRecords(path, trial.record["tick0_ns"]),
    )
    return [comment.words for comment in found]


@pytest.mark.parametrize(("encrypted", "accused"), [(False, [f"request {LATE}"]), (True, [])])
def test_nobody_is_accused_beside_messages_that_cannot_be_read(
    tmp_path: Path, accused: list[str], *, encrypted: bool
) -> None:
    words = words_of(tmp_path, encrypted=encrypted)
    asked = [one.partition(":")[0] for one in words if one.startswith("request")]
    assert len(set(asked)) == READS
    late = [one for one in words if one.endswith("ended before all of its answer was there")]
    assert [one.partition(":")[0] for one in late] == accused
