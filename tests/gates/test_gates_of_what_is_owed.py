"""Messages whose bytes nobody saw at ticks, and users to whom nothing was owed any more."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gates_support import Judge, spoken

from synthetic import (
    SECOND,
    Client,
    SyntheticRun,
    Trial,
    crowd_run,
    crowd_scenario,
    load_run,
    load_scenario,
    spoil,
)
from synthetic.neighbour import record_host
from wirelab.cells.analysis import analyse
from wirelab.gates.wording import evidence_lines
from wirelab.model.result import Cell, Verdict
from wirelab.words.translation import words

READS, BYTES = 570, 50_000


def asking(*, secret: bool) -> SyntheticRun:
    """Paced reads, whose content follows from a secret of the client or from nothing."""
    roles = load_scenario().model_dump(mode="json")["roles"]
    roles["client"]["secret"] = secret
    return load_run({"swift": Client()}, scenario=load_scenario(roles=roles))


def sized(trial: Trial) -> None:
    """Reads that carry more than the host saw."""
    trial.columns(size=np.where(trial.samples["op"] == 1, BYTES, 0))


def late(trial: Trial) -> None:
    """The same, all of which came at the end of the trial."""
    sized(trial)
    rows = trial.probe["host"]
    received = rows["net_rx_bytes"].copy()
    received[-1] += 2 * READS * BYTES
    rows["net_rx_bytes"] = received


@pytest.mark.parametrize(
    ("secret", "change", "speaks"),
    [(True, sized, True), (True, late, False), (False, sized, False)],
)
def test_content_that_is_new_has_to_be_on_the_loopback_at_ticks_as_well(
    judge: Judge, secret: bool, change: Callable[[Trial], None], speaks: bool
) -> None:
    found = spoken(judge(spoil(asking(secret=secret), "swift", change))).get("less-traffic")
    assert (found is not None) is speaks
    if found is not None:
        assert found.verdict is Verdict.INVALID
        assert len(found.trials) == 2
        payloads = {of["payload"] for of in found.evidence["trials"].values()}
        assert payloads == {READS * BYTES}


def dropping(
    tmp_path: Path, operation: str, *, joining: bool = True, disturbed: bool = False
) -> Cell:
    """A server that drops three users in a second of the last step, told of by an operation."""
    scenario = crowd_scenario(bounds={"error_ratio": 0, "cv_operation": "rtt"})

    def change(trial: Trial) -> None:
        second = max(line["second"] for line in trial.intervals)
        line = {"second": second, "operation": operation, "counts": {"dropped": 3}}
        trial.intervals.append(line)
        if not joining:
            trial.drop(trial.samples["op"] == scenario.operations["connect"].code)
        since = trial.probe["host"]["monotonic_ns"] - trial.record["tick0_ns"]
        record_host(trial, disturbed & (since // SECOND == second))

    run = spoil(crowd_run({"swift": Client()}, scenario=scenario), "swift", change)
    return analyse(run.write(tmp_path / "run"))[0].cells[-1]


@pytest.mark.parametrize("operation", ["connect", "delivery"])
def test_users_that_were_dropped_have_failed(tmp_path: Path, operation: str) -> None:
    cell = dropping(tmp_path, operation)
    found = spoken(cell)["loss-or-error"]
    assert found.verdict is Verdict.INVALID
    assert set(found.evidence["operations"]) == {operation}
    of = found.evidence["operations"][operation]
    assert (of["failed"], of["statuses"]) == (6, {"dropped": 6})
    assert found.evidence["ratio"] == 6 / of["sent"] > 0


def test_users_dropped_where_nothing_was_sent_are_told_of(tmp_path: Path) -> None:
    """Nobody joins in the last step, so that no connection was asked for in it."""
    finding = spoken(dropping(tmp_path, "connect", joining=False))["loss-or-error"]
    of = finding.evidence["operations"]["connect"]
    assert (of["sent"], of["failed"]) == (0, 6)
    assert evidence_lines(finding, "crowd", words("en"))[0] == "connect: 6 connections were dropped"


def test_users_dropped_while_others_ran_are_nobodys(tmp_path: Path) -> None:
    finding = spoken(dropping(tmp_path, "connect", disturbed=True))["loss-or-error"]
    assert finding.verdict is Verdict.WARN
    assert finding.evidence["operations"]["connect"]["unattributed"] == 6
