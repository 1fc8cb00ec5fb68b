"""A server of the user's own in place of the suite's, and an interpreter in place of wirelab's."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cli.command_lines import said
from e2e.conftest import MEASURED, SABOTAGED
from kv.server.bench_server import BenchServer
from reports_of_runs import with_reports
from tree import suites_of_the_tree
from wirelab.build import PartBuilds, service_part

pytestmark = [pytest.mark.e2e, pytest.mark.needs("cargo")]

ROOT = Path(__file__).parents[2]
UNIVERSE = 400


def run_kv(here: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """``wl run kv`` of one client, results below ``here``."""
    here.mkdir(parents=True, exist_ok=True)
    words = ["run", "kv", "--scenario", "client", "--profile", "smoke", "--seed", "1"]
    words += ["--contender", "official", *arguments]
    return said(*with_reports(words), cwd=here, COLUMNS="1000")


def result_of(here: Path) -> dict[str, Any]:
    """The only result below ``here``."""
    (file,) = here.glob("results/*/result.json")
    loaded: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return loaded


def accused(result: dict[str, Any]) -> set[str]:
    """Gates that speak of answers."""
    speaking = {"trial-failed", "wrong-answer", "loss-or-error"}
    return speaking & {
        f["gate"] for c in result["cells"] for f in c["findings"] if f["verdict"] != "valid"
    }


def test_an_aerospike_of_the_users_own_is_filled_measured_and_left_empty(tmp_path: Path) -> None:
    program = PartBuilds(ROOT).prepare(service_part(suites_of_the_tree().suite("kv"), "bench"))
    # With one key in each set it is as good as empty.
    with BenchServer(Path(program.command("server")[0]), tmp_path / "own", universe=1) as own:
        target = "{}:{}".format(*own.nodes[0])
        arguments = ("--target", target, "--set", f"universe={UNIVERSE}")
        without = run_kv(tmp_path / "without", *arguments)
        ended = run_kv(tmp_path / "filled", *arguments, "--fill")
        again = run_kv(tmp_path / "again", *arguments)
    for refused in (without, again):
        assert refused.returncode == 2, refused.stdout + refused.stderr
        assert "are not on Aerospike at" in refused.stderr
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    result = result_of(tmp_path / "filled")
    assert accused(result) == set()
    found = result["disclosure"]["own"]["found"]["bench"]
    assert found["removed"] >= found["written"] > 5 * UNIVERSE
    assert found["counter"] == "statistics: batch_index_complete"
    assert result["disclosure"]["own"]["targets"] == {"bench": target}
    assert set(result["services"]) == {"cluster"}
    (report,) = (tmp_path / "filled").glob("results/*/report-en.md")
    assert f"at `{target}`, in the place of this suite's `bench`" in report.read_text("utf-8")


def test_a_server_that_is_not_there_is_said(tmp_path: Path) -> None:
    ended = run_kv(tmp_path, "--target", "127.0.0.1:9")
    assert ended.returncode == 2
    assert "no Aerospike answers at 127.0.0.1:9" in ended.stderr


def test_an_interpreter_that_is_none_is_refused(tmp_path: Path) -> None:
    ended = run_kv(tmp_path, "--python", "/bin/false")
    assert ended.returncode != 0
    assert "is no Python that contenders could run on" in ended.stdout + ended.stderr


def test_contenders_run_on_the_interpreter_that_is_named(tmp_path: Path) -> None:
    other = tmp_path / "other"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(other)], check=True)
    ended = run_kv(tmp_path, "--python", str(other / "bin" / "python"))
    # The ceiling may ask more of a busy machine than it can end in time.
    assert ended.returncode in SABOTAGED, ended.stdout + ended.stderr
    result = result_of(tmp_path)
    assert result["disclosure"]["own"]["python"] == str(other / "bin" / "python")
    assert "python" in result["participants"]["official"]["ownership"]["toolchain"]
