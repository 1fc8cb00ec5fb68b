"""Questions that tests ask whole runs: each has an answer that makes its test fail."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from e2e.whole_runs import everybody_took_part_or_says_why_not, left_of, no_trial_failed
from wirelab.processes.guardian import mark_of, session_of
from wirelab.processes.leftovers import MARK

ASKED = ("gws", "netty")
TRIAL = "0000-ramp-gws"


def participant(*, reference: bool = False, never: str = "", missing: str = "") -> dict[str, Any]:
    """A contender; ``never``: its manifest says why nobody has it, ``missing``: so did the run."""
    manifest = {
        "reference": reference,
        "unavailable": {"en": never},
        "build": {"kind": "go", "pinned": "hash", "brought": {}},
        "scenarios": [],
        "processors": 1,
    }
    return {"manifest": manifest, "unavailable": missing or never}


def result_of(*silent: str, **others: dict[str, Any]) -> dict[str, Any]:
    """A result of those who were asked for, a yardstick and ``others``; all but ``silent`` have
    figures."""
    people = {name: participant() for name in ASKED} | {"null": participant(reference=True)}
    people |= others
    ran = [name for name, one in people.items() if not one["unavailable"] and name not in silent]
    cells = [{"scenario": "ramp", "contender": name} for name in ran]
    return {"participants": people, "cells": cells}


def test_everybody_took_part() -> None:
    everybody_took_part_or_says_why_not(result_of(), ASKED)
    phoenix = participant(never="nobody packs it")
    everybody_took_part_or_says_why_not(result_of(phoenix=phoenix), (*ASKED, "phoenix"))


@pytest.mark.parametrize(
    ("result", "asked_for", "told"),
    [
        (result_of(), (), "nobody was asked for"),
        (result_of(), (*ASKED, "axum"), "axum"),
        (result_of(), ASKED[:1], "netty"),
        (result_of("netty"), ASKED, "netty"),
        (result_of("null"), ASKED, "null"),
        (result_of(axum=participant(missing="no compiler")), (*ASKED, "axum"), "no compiler"),
    ],
    ids=["nobody", "vanished", "uninvited", "silent", "silent yardstick", "without a reason"],
)
def test_who_did_not_is_named(
    result: dict[str, Any], asked_for: tuple[str, ...], told: str
) -> None:
    with pytest.raises(AssertionError, match=told):
        everybody_took_part_or_says_why_not(result, asked_for)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """The folder of a run of one trial."""
    folder = tmp_path / "20260102-030405-websocket-check"
    trial = folder / "trials" / TRIAL
    trial.mkdir(parents=True)
    (folder / "run.json").write_text(json.dumps({"plan": [{"id": TRIAL}]}))
    (trial / "trial.json").write_text('{"status": "ok", "detail": "", "wrong_answers": 0}')
    return folder


def test_a_process_of_a_trial_is_left(run: Path) -> None:
    assert is_left(run, of=run.name)
    assert not is_left(run, of=f"{run.name}-other")
    with pytest.raises(AssertionError, match="no run was asked about"):
        left_of()


def is_left(run: Path, *, of: str) -> bool:
    """Whether the only process of a trial ``of`` a run is found among those of ``run``."""
    waiting = ["sh", "-c", "echo; read it"]
    environment = {**os.environ, MARK: mark_of(session_of(of), TRIAL)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(waiting, env=environment, **pipes) as process:
        assert process.stdout is not None
        process.stdout.readline()  # its environment is there by now
        found = left_of(run)
    assert found <= {process.pid}
    return bool(found)


@pytest.mark.parametrize(
    "record",
    [
        {"status": "failed", "detail": "gone", "wrong_answers": 0},
        {"status": "ok", "detail": "", "wrong_answers": 1},
    ],
)
def test_a_trial_that_failed_or_answered_wrongly_is_named(
    run: Path, record: dict[str, Any]
) -> None:
    no_trial_failed(run)
    (run / "trials" / TRIAL / "trial.json").write_text(json.dumps(record))
    with pytest.raises(AssertionError, match=TRIAL):
        no_trial_failed(run)


def test_a_trial_without_a_record_is_missed(run: Path) -> None:
    (run / "trials" / TRIAL / "trial.json").unlink()
    with pytest.raises(AssertionError):
        no_trial_failed(run)
