"""Mistakes of a user are answered with a sentence, the nearest names and exit code 2."""

from __future__ import annotations

from pathlib import Path

import pytest

from e2e.conftest import MEASURED, SuiteRepository

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["run", "loopbak"], "nearest: loopback"),
        (["run", "loopback", "--profile", "smok"], "nearest: smoke"),
        (["run", "loopback", "--contender", "honst"], "nearest: honest"),
        (["run", "loopback", "--scenario", "s2"], "s1"),
        (["run", "loopback", "--set", "tags"], "KEY=VALUE"),
        (["run", "--resume", "nowhere"], "holds no run"),
        (["report", "nowhere"], "holds no run"),
        (["analyse", "nowhere"], "holds no run"),
        (["compare", "nowhere", "elsewhere"], "holds no result"),
    ],
)
def test_a_mistake_is_a_sentence(house: SuiteRepository, arguments: list[str], says: str) -> None:
    ended = house.here(*arguments)
    assert ended.returncode == 2
    assert says in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_broken_manifest_is_said_with_file_line_and_key(house: SuiteRepository) -> None:
    folder = house.root / "mine"
    folder.mkdir()
    (folder / "contender.toml").write_text('contender = "mine"\ntitel = "Mine"\n')
    ended = house.here("run", "loopback", "--contender", f"{folder}/")
    assert ended.returncode == 2
    assert "contender.toml:2: titel" in ended.stderr
    assert "title" in ended.stderr


def test_a_contender_outside_of_the_tree_runs(house: SuiteRepository) -> None:
    sabotage = Path(__file__).parents[1] / "sabotage"
    folder = house.root / "mine"
    folder.mkdir()
    manifest = (sabotage / "suite/contenders/honest/contender.toml").read_text()
    workers = str(sabotage / "workers")
    manifest = manifest.replace('contender = "honest"', 'contender = "mine"')
    (folder / "contender.toml").write_text(manifest.replace("{source}/../../../workers", workers))
    ended = house.here(
        "run", "loopback", "--scenario", "s1", "--profile", "once", "--contender", f"{folder}/"
    )
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    assert "mine: ok" in ended.stdout


def test_list_shows_suites_scenarios_and_contenders(house: SuiteRepository) -> None:
    ended = house.here("list", "loopback")
    assert ended.returncode == 0
    for name in ("loopback", "s1", "honest"):
        assert name in ended.stdout


def test_a_full_disk_is_said_plainly(house: SuiteRepository) -> None:
    """A results folder on a tiny file system; needs the right to mount one."""
    import subprocess

    results = house.root / "results"
    results.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=192k", "tmpfs", str(results)],
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip(f"a file system of its own cannot be mounted here: {mounted.stderr.strip()}")
    try:
        ended = house.here("run", "loopback", "--scenario", "s1", "--contender", "honest")
    finally:
        subprocess.run(["umount", "-l", str(results)], check=True)
    assert ended.returncode not in (0, 2), ended.stdout
    said = ended.stdout + ended.stderr
    assert "no space left" in said
    assert "--resume" in said
    assert "Traceback" not in said
