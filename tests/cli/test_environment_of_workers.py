"""Variables around a run change no worker and are disclosed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from cli.command_lines import said

SABOTAGE = Path(__file__).parents[1] / "sabotage"

CHANGES_FIGURES = {
    "PYTHONMALLOC": "malloc",
    "PYTHONUNBUFFERED": "1",
    "JAVA_TOOL_OPTIONS": "-Xint",
    "GODEBUG": "gctrace=1",
    "GOGC": "10",
    "LD_PRELOAD": "libm.so.6",
    "LD_LIBRARY_PATH": "/nowhere",
    "NODE_OPTIONS": "--jitless",
    "MALLOC_ARENA_MAX": "1",
}
NOBODYS = {
    "https_proxy": "http://127.0.0.1:9",
    "SHELL": "/bin/sh",
    "MY_SECRET": "s",
    "WIRELAB_TAGS_USER": "me",
    "WIRELAB_TAGS_PASSWORD": "p",
}
KEPT = {"LC_ALL": "C.UTF-8", "TZ": "Asia/Seoul", "WIRELAB_TAGS": "all"}

TELLS = """\
import json, os, sys
from pathlib import Path

paths = json.loads(Path(os.environ["WIRELAB_SPEC"]).read_text())["paths"]
Path(paths["scratch"], "environment.json").write_text(json.dumps(dict(os.environ)))
workers = Path(__file__).parents[3] / "workers"
os.execv(sys.executable, [sys.executable, str(workers / "turns.py")])
"""


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """A repository with a contender that writes down its environment."""
    for name, place in (("closed", "turns"), ("workers", "workers")):
        shutil.copytree(SABOTAGE / name, tmp_path / "suites" / place)
    (tmp_path / "sdk").symlink_to(SABOTAGE.parents[1] / "sdk")
    honest = tmp_path / "suites/turns/contenders/honest"
    (honest / "tells.py").write_text(TELLS)
    manifest = honest / "contender.toml"
    text = manifest.read_text()
    manifest.write_text(text.replace("{source}/../../../workers/turns.py", "{source}/tells.py"))
    return tmp_path


def run(room: Path, **variables: str) -> tuple[dict[str, str], dict[str, Any], str]:
    """The environment of the worker, what the run discloses of its host, and the report."""
    ended = said(
        *("run", "turns", "--profile", "once", "--contender", "honest", "--report", "en.md"),
        cwd=room,
        root=room,
        **variables,
        XDG_CACHE_HOME=str(room / "cache"),
    )
    [results] = (room / "results").iterdir()
    told = next(results.glob("trials/*/*/environment.json"), None)
    assert told is not None, ended.stdout + ended.stderr
    host = json.loads((results / "run.json").read_text())["disclosure"]["host"]
    return json.loads(told.read_text()), host, (results / "report-en.md").read_text()


def test_what_changes_figures_reaches_no_worker_and_is_disclosed(room: Path) -> None:
    told, host, report = run(room, **CHANGES_FIGURES, **NOBODYS, **KEPT)
    assert told.keys() & {*CHANGES_FIGURES, *NOBODYS} == set()
    assert KEPT.items() <= told.items()
    assert {"PATH", "WIRELAB_SPEC", "WIRELAB_TRIAL", "WIRELAB_ROLE"} <= told.keys()
    assert set(CHANGES_FIGURES) <= set(host["kept_from_workers"])
    assert "inherited_on_request" not in host
    assert "variables that workers did not inherit" in report


def test_what_is_asked_for_is_inherited_and_disclosed(room: Path) -> None:
    asked = {"GODEBUG": "gctrace=1", "WIRELAB_INHERIT": "GODEBUG, MISSING"}
    told, host, report = run(room, **asked)
    assert told["GODEBUG"] == "gctrace=1"
    assert host["inherited_on_request"] == ["GODEBUG=gctrace=1"]
    assert "GODEBUG" not in host.get("kept_from_workers", [])
    assert "GODEBUG=gctrace=1" in report
