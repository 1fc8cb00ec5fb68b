"""A machine that has no sandbox: who insists on one, and who does not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from e2e.conftest import SABOTAGED
from e2e.guarded import Guarded, refuse_sandboxes

pytestmark = [pytest.mark.e2e, pytest.mark.long(1)]


def test_who_insists_on_a_sandbox_that_is_missing_is_told_the_remedy(tmp_path: Path) -> None:
    house = Guarded(tmp_path).house
    empty = tmp_path / "bin"
    empty.mkdir()
    house.environment["PATH"] = str(empty)
    ended = house.wl("run", "guarded", "--sandbox", "--profile", "smoke")
    assert ended.returncode == 2
    assert "bwrap is missing" in ended.stderr
    assert "--install" in ended.stderr or "apt-get install" in ended.stderr
    assert not list(tmp_path.glob("results/*-guarded-*"))


def test_where_a_sandbox_does_not_start_a_run_goes_on_and_says_why(tmp_path: Path) -> None:
    house = Guarded(tmp_path).house
    refuse_sandboxes(house, tmp_path)
    options = ("--contender", "honest", "--profile", "smoke")
    insisted = house.wl("run", "guarded", "--sandbox", *options)
    assert insisted.returncode == 2
    assert "setting up uid map: Permission denied" in insisted.stderr
    assert "Traceback" not in insisted.stderr
    assert not list(tmp_path.glob("results/*-guarded-*"))
    ended = house.wl("run", "guarded", *options)
    assert ended.returncode in SABOTAGED, ended.stdout + ended.stderr
    assert "roles run with all your rights, in no sandbox: no sandbox can be" in ended.stdout
    assert "Permission denied; to mend it: " in ended.stdout
    (run,) = tmp_path.glob("results/*-guarded-*")
    disclosed = json.loads((run / "run.json").read_bytes())["disclosure"]
    assert disclosed["sandbox"] == ""
    assert "Permission denied; to mend it: " in disclosed["unconfined"]
    said = "**sandbox of the roles**: none, because none could be started (no sandbox can be"
    assert said in (run / "report-en.md").read_text()
    assert "샌드박스를 시작할 수 없어" in (run / "report-ko.md").read_text()
