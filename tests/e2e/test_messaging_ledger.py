"""Messages that a broker of ours never saw, by its own count of those that were published."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from e2e.whole_runs import REPOSITORY, cells_of, only, result_of, run_suite

pytestmark = [pytest.mark.e2e, pytest.mark.left_to_all, pytest.mark.needs("redis-server")]

HONEST = "python-redis-pubsub"
CHEATS = {"past-the-broker"}
ECHOES = 20


def made_of_honest(folder: Path) -> Path:
    """The honest client, with the worker that cheats beside its own."""
    shutil.copytree(REPOSITORY / "suites" / "messaging" / "contenders" / HONEST, folder)
    shutil.copy(REPOSITORY / "tests" / "sabotage" / "brokers" / "past_the_broker.py", folder)
    manifest = folder / "contender.toml"
    said = manifest.read_text("utf-8").replace(f'"{HONEST}"', f'"{folder.name}"')
    manifest.write_text(said.replace("/worker.py", "/past_the_broker.py"), "utf-8")
    return folder


@pytest.fixture(scope="module")
def findings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    here = tmp_path_factory.mktemp("ledger")
    names = [HONEST, *(str(made_of_honest(here / "contenders" / name)) for name in CHEATS)]
    options = ["--scenario", "transfer", "--profile", "check", *only("--contender", names)]
    result = result_of(run_suite(here, "messaging", *options))
    return {
        cell["contender"]: {one["gate"]: one for one in cell["findings"]}
        for cell in cells_of(result, "transfer", "cold")
    }


def test_who_speaks_past_the_broker_is_told_of(findings: dict[str, dict[str, Any]]) -> None:
    assert set(findings) == {HONEST, *CHEATS}
    found = findings["past-the-broker"]["not-served"]
    assert found["verdict"] == "invalid"
    (of,) = found["evidence"]["trials"].values()
    assert of["echo"]["claimed"] == ECHOES
    assert of["echo"]["served"] < ECHOES
    assert "less-traffic" not in findings["past-the-broker"]


def test_who_speaks_to_it_is_not(findings: dict[str, dict[str, Any]]) -> None:
    assert not {"not-served", "wrong-answer", "loss-or-error"} & set(findings[HONEST])
