"""Synthetic run folders: what the core would have written, made from known distributions.

A test builds a run in memory, spoils what it wants to spoil, writes it and analyses it:

    run = synthetic.load_run({"swift": Client(median_ms=2.0), "slow": Client(median_ms=20.0)})
    run.trial("slow").record["environment"]["steal_ratio"] = 0.02
    analyse(run.write(tmp_path))

Everything is drawn from the seed of the run, so two calls write the same bytes.
"""

from __future__ import annotations

from synthetic.behaviour import MS, SECOND, Caller, Client
from synthetic.closed import FANOUT, closed_run, closed_scenario
from synthetic.crowd import BOARD, crowd_run, crowd_scenario
from synthetic.faults import faults_run
from synthetic.folder import SyntheticRun, Trial, spoil
from synthetic.load import load_run
from synthetic.loops import Coder, loops_run, loops_scenario
from synthetic.manifests import faults_scenario, load_scenario

__all__ = [
    "BOARD",
    "FANOUT",
    "MS",
    "SECOND",
    "Caller",
    "Client",
    "Coder",
    "SyntheticRun",
    "Trial",
    "closed_run",
    "closed_scenario",
    "crowd_run",
    "crowd_scenario",
    "faults_run",
    "faults_scenario",
    "load_run",
    "load_scenario",
    "loops_run",
    "loops_scenario",
    "spoil",
]
