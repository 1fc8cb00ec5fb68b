"""``--set``: settings that a worker can read, in every suite; any other is refused by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.command_lines import ROOT, said
from e2e.conftest import MEASURED, SuiteRepository


@pytest.mark.parametrize(
    ("suite", "setting", "nearest", "another"),
    [
        ("opcua", "conect=timed", "connect", "request_timeout_ns"),
        ("kv", "univerze=100", "universe", "keys_are"),
        ("messaging", "mesage_bytes=100", "message_bytes", "credentials"),
        ("websocket", "board_sise=5", "board_size", "placement"),
        ("codec", "prewarm=0", "prewarm_ms", "int64_as"),
    ],
)
def test_a_misspelt_parameter_is_refused_in_every_suite(
    tmp_path: Path, suite: str, setting: str, nearest: str, another: str
) -> None:
    ended = said("run", suite, "--set", setting, cwd=tmp_path)
    assert ended.returncode == 2, ended.stdout
    first, second = ended.stderr.splitlines()
    assert first == (
        f'wl: no parameter "{setting.partition("=")[0]}" in suite {suite}; nearest: {nearest}'
    )
    there = second.removeprefix("there are: ").split(", ")
    assert {nearest, another} <= set(there)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["kv", "--set", "universe=many"], "universe=many: expected a whole number from 1 to"),
        (["kv", "--set", "error_share=2"], "error_share=2: expected a number from 0 to 1"),
        (["kv", "--set", "error_share=nan"], "error_share=nan: expected a number from 0 to 1"),
        (["kv", "--set", "error_share=inf"], "error_share=inf: expected a number from 0 to 1"),
        (["kv", "--set", f"universe={10**30}"], f"universe={10**30}: expected a whole number"),
        (["opcua", "--scenario", "soak", "--profile", "night", "--set", "hours=1"], "from 2 to 24"),
        (["opcua", "--set", "check_hours=2"], "check_hours=2: expected a number from 0.01 to 1.99"),
        (["opcua", "--set", "connect=later"], "connect=later: expected one of before, timed"),
        (
            ["opcua", "--set", "security=None"],
            "security=...: this parameter describes what is fixed",
        ),
        (["opcua", "--set", "tags=5"], "tags=...: this parameter describes what is fixed"),
        (["opcua", "--set", "target=a:1"], "use --target"),
        (["kv", "--scenario", "client", "--set", "keys=9"], "each step of client, ceiling sets"),
        (
            ["opcua", "--contender", "milo", "--set", "gc_threshold=9"],
            'no parameter "gc_threshold" in suite opcua for these contenders; asyncua, asyncua-1',
        ),
    ],
)
def test_a_setting_that_could_change_nothing_is_refused(
    tmp_path: Path, arguments: list[str], says: str
) -> None:
    ended = said("run", *arguments, cwd=tmp_path)
    assert ended.returncode == 2, ended.stdout
    assert says in ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_setting_that_fits_reaches_the_workers(tmp_path: Path) -> None:
    ended = SuiteRepository(tmp_path).here(
        *("run", "loopback", "--scenario", "s1", "--contender", "honest"),
        *("--profile", "once", "--set", "write_every=2"),
    )
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    [run] = (tmp_path / "results").iterdir()
    [trial] = json.loads((run / "run.json").read_text())["plan"]
    assert trial["parameters"] == {"tags": 16, "write_every": 2}


@pytest.mark.parametrize(
    ("place", "old", "new"),
    [
        ("scenario", "tags = 16", "tgas = 16"),
        ("profile", "count = 130, warmup = 10 }", "count = 130, parameters = { tgas = 1 } }"),
        (
            "variant",
            "[scenarios.s1.profiles]",
            '[scenarios.s1.variants.v]\ntitle = { en = "V" }\nparameters = { tgas = 1 }\n\n'
            "[scenarios.s1.profiles]",
        ),
    ],
)
def test_a_suite_that_misspells_its_own_parameter_is_named_with_the_line(
    tmp_path: Path, place: str, old: str, new: str
) -> None:
    text = (SuiteRepository(tmp_path).root / "suites/loopback/suite.toml").read_text()
    assert old in text
    other = tmp_path / "other"
    (other / "suites/loopback").mkdir(parents=True)
    (other / "suites/loopback/suite.toml").write_text(text.replace(old, new, 1))
    ended = said("run", "loopback", "--profile", "once", cwd=other, root=other)
    assert ended.returncode == 2, place
    assert 'parameters.tgas: no parameter "tgas", did you mean "tags"?' in ended.stderr
    assert "suites/loopback/suite.toml:" in ended.stderr


def test_a_contender_that_misspells_its_tuning_is_named_with_the_line(tmp_path: Path) -> None:
    house = SuiteRepository(tmp_path)
    honest = tmp_path / "suites/loopback/contenders/honest/contender.toml"
    (tmp_path / "mine").mkdir()
    mine = honest.read_text().replace('"honest"', '"mine"') + "\n[tuning]\ndepht = 3\n"
    declared = '\n[parameters]\ndepth = { type = "whole", meaning = "m" }\n'
    (tmp_path / "mine/contender.toml").write_text(mine + declared)
    ended = said("run", "loopback", "--contender", "./mine", cwd=tmp_path, root=house.root)
    assert ended.returncode == 2
    assert 'tuning.depht: no parameter "depht", did you mean "depth"?' in ended.stderr


def test_a_check_refuses_what_a_run_refuses(tmp_path: Path) -> None:
    folder = str(ROOT / "suites" / "opcua" / "contenders" / "asyncua")
    ended = said("conform", folder, "--set", "conect=timed", cwd=tmp_path)
    assert ended.returncode == 2, ended.stdout
    assert 'no parameter "conect" in suite opcua; nearest: connect' in ended.stderr
