"""A load whose reads are of two kinds, as a suite's rule would have said it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from synthetic.behaviour import Client
from synthetic.folder import SyntheticRun, Trial
from synthetic.load import load_run
from synthetic.manifests import load_scenario

KINDS = ("short", "long", "never")
SHARE = 4
"""One read of so many is a long one."""

LONGER = 3
"""The multiple of a short read's time that a long read takes."""

_READ = 1


def kinds_run(clients: Mapping[str, Client]) -> SyntheticRun:
    """A run in which every fourth read takes three times as long and is of another kind."""
    scenario = load_scenario()
    read = scenario.operations["read"].model_copy(update={"kinds": list(KINDS)})
    operations = {**scenario.operations, "read": read}
    run = load_run(clients, scenario=scenario.model_copy(update={"operations": operations}))
    for trial in run.trials:
        _divide(trial)
    return run


def _divide(trial: Trial) -> None:
    own = np.flatnonzero(trial.samples["op"] == _READ)
    long = own[::SHARE]
    start, end = (trial.samples[name] for name in ("start_ns", "end_ns"))
    end[long] = start[long] + LONGER * (end[long] - start[long])
    trial.kinds = {
        "op": np.full(len(own), _READ),
        "lane": trial.samples["lane"][own],
        "start_ns": start[own],
        "kind": np.isin(own, long).astype(np.int64),
    }
