"""A run of many processes as its user sees it: what they need, and who has no part."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from cli.command_lines import said
from e2e.conftest import MEASURED, SUITES

WORKERS = SUITES["loopback"].parent / "workers"
SEVERAL = 'client = { provider = "contender", measured = true, processes = "several" }'
VARIANTS = """
[scenarios.s1.variants.two]
title = { en = "two of them", ko = "두 개" }
parameters = { several = 2 }
operations = ["read"]

[scenarios.s1.variants.crowd]
title = { en = "a crowd", ko = "여럿" }
parameters = { several = 200 }
operations = ["read"]
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A folder with a suite whose client is several processes of a GiB, in two variants."""
    suite = tmp_path / "mine/crowds"
    shutil.copytree(SUITES["loopback"], suite, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(WORKERS, tmp_path / "mine/workers")
    for contender in (suite / "contenders").iterdir():
        if contender.name != "honest":
            shutil.rmtree(contender)
    manifest = suite / "suite.toml"
    text = manifest.read_text("utf-8")
    head, scenarios = text.split("\n[scenarios.s1]\n", 1)
    first = "[scenarios.s1]\n" + scenarios.split("\n[scenarios.own-server]")[0] + VARIANTS
    first = first.replace('client = { provider = "contender", measured = true }', SEVERAL)
    declared = 'several = { type = "whole", least = 1, most = 200, meaning = "processes" }'
    head = head.replace("[parameters]\n", f"[parameters]\n{declared}\n").replace(
        "loopback", "crowds"
    )
    manifest.write_text(f"{head}\n{first}", "utf-8")
    honest = suite / "contenders/honest/contender.toml"
    told = honest.read_text("utf-8").replace('["server", "client"]', '["client"]')
    told = told.replace("\n[library]", '\nprocess_memory = "1GiB"\n\n[library]', 1)
    honest.write_text(told, "utf-8")
    return tmp_path


def test_who_does_not_fit_is_told_so_and_the_rest_is_measured(
    house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wirelab.run.many_processes.free_bytes", lambda _grouping: 8 * 10**9)
    arguments = ("--suites", "mine", "--profile", "once", "--seed", "1")
    ended = said("run", "crowds", *arguments, cwd=house)
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    lines = ended.stdout.splitlines()
    [left_out] = [line for line in lines if "has no part in" in line]
    assert left_out.startswith(
        "honest has no part in s1: a crowd: 200 processes of it need about 217"
    )
    assert left_out.endswith("or ask for fewer: --set several=7")
    [needs] = [line for line in lines if "takes memory for its processes" in line]
    assert "honest 2 x, 2.2 GB" in needs
    assert lines.index(needs) < next(n for n, line in enumerate(lines) if "report-en.html" in line)
    [run] = (house / "results").iterdir()
    result = json.loads((run / "result.json").read_text("utf-8"))
    assert [cell["variant"] for cell in result["cells"]] == ["two"]
    assert result["complete"] is True
    for language, words in (
        ("en", "200 processes of it need about"),
        ("ko", "프로세스 200개에 메모리가"),
    ):
        assert words in (run / f"report-{language}.md").read_text("utf-8")
