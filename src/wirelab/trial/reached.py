"""Proof that a server of the user's own was measured: its counters, or a connection to it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from wirelab.model.scenario import Scenario
from wirelab.model.trial import RoleRecord
from wirelab.samples.format import OK
from wirelab.trial import sockets
from wirelab.trial.failure import TrialError
from wirelab.trial.spec import OwnTarget

_PERIOD_S = 0.02


class Connections:
    """Looks out for a connection of a trial's processes to each server, until there was one.

    ``targets``: the servers, by the role that stands for each; ``pids``: the processes of all roles
    that have been started.
    """

    def __init__(
        self, targets: Mapping[str, OwnTarget], pids: Callable[[], Mapping[str, int]]
    ) -> None:
        self._targets = targets
        self._pids = pids
        self._unseen = dict(targets)
        self._before: dict[str, set[tuple[Any, Any]]] = {}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look_out, name="connections", daemon=True)

    def start(self) -> None:
        """Begin; nothing is looked at where there is no server of the user's own."""
        for role, target in self._targets.items():
            self._before[role] = sockets.closed_lately(target.address)
        if self._targets:
            self._thread.start()

    def look_back(self) -> None:
        """Find what came and went between two looks: the measured role has ended.

        The stand-ins still run, so that no connection of theirs has been closed meanwhile.
        """
        for role, target in list(self._unseen.items()):
            if sockets.closed_lately(target.address) - self._before[role]:
                self._unseen.pop(role, None)

    def stop(self) -> None:
        """End; a trial has ended."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()

    def check(self, records: Mapping[str, RoleRecord]) -> None:
        """Raise where nobody was connected to a server that tells no counter."""
        for role, target in self._unseen.items():
            if records[role].counted is None:
                raise TrialError(
                    "not-reached",
                    f"nobody was connected to the server at {target.address}, and it tells no "
                    "counter: nothing shows that it is the one that was measured",
                    role,
                )

    def _look_out(self) -> None:
        while self._unseen and not self._over.wait(_PERIOD_S):
            others = [pid for role, pid in self._pids().items() if role not in self._targets]
            for role, target in list(self._unseen.items()):
                if any(sockets.connected_to(pid, target.address) for pid in others):
                    self._unseen.pop(role, None)


def check_requests(
    targets: Mapping[str, OwnTarget],
    records: Mapping[str, RoleRecord],
    scenario: Scenario,
    samples: Path,
) -> None:
    """Raise where a server that counts requests has counted fewer than succeeded."""
    if not targets:
        return
    good = _good(scenario, samples)
    for role, target in targets.items():
        counted = records[role].counted
        if counted is not None and counted.requests < good:
            raise TrialError(
                "not-reached",
                f"{good} operations succeeded, but the server at {target.address} counted "
                f"{counted.requests} requests ({counted.counter}): it is not the one that was "
                "measured, or its counters began anew",
                role,
            )


def _good(scenario: Scenario, samples: Path) -> int:
    """Operations of the schedule that succeeded; connecting, or being done, asks for nothing."""
    codes = [one.code for one in scenario.operations.values() if one.due == "tick"]
    table = pq.ParquetFile(samples).read(["op", "status"], use_threads=False)
    asked = np.isin(table["op"].to_numpy(), codes)
    return int(np.count_nonzero(asked & (table["status"].to_numpy() == OK)))
