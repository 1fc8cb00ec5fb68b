"""``wl conform``: finds the suite, builds what is needed and hands over to the checker."""

from __future__ import annotations

from pathlib import Path

import pytest

from e2e.conftest import House

pytestmark = pytest.mark.e2e

HONEST = "suites/loopback/contenders/honest"
SABOTAGE = Path(__file__).parents[1] / "sabotage"


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def outside(house: House, more: str = "") -> str:
    """The honest contender in a folder that no suite is near."""
    folder = house.root / "mine"
    folder.mkdir()
    manifest = (SABOTAGE / "suite/contenders/honest/contender.toml").read_text()
    manifest = manifest.replace("{source}/../../../workers", str(SABOTAGE / "workers"))
    (folder / "contender.toml").write_text(more + manifest)
    return str(folder)


def test_a_contender_of_the_tree_is_checked(house: House) -> None:
    ended = house.wl("conform", HONEST)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "honest, role client, scenario loopback/s1" in ended.stdout
    assert "pass  values" in ended.stdout


def test_a_contender_is_one_of_the_suite_whose_folder_it_is_in(house: House) -> None:
    another = house.root / "suites" / "an-earlier-one"
    another.symlink_to(SABOTAGE / "closed")
    ended = house.wl("conform", HONEST)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "scenario loopback/s1" in ended.stdout


def test_options_may_come_first(house: House) -> None:
    ended = house.wl("conform", "--scenario", "own-server", "--role", "server", HONEST)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "role server, scenario loopback/own-server" in ended.stdout
    assert "role client" not in ended.stdout


def test_a_contender_outside_of_the_tree_is_checked(house: House) -> None:
    ended = house.wl("conform", outside(house), "--set", "tags=16")
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_a_breach_is_exit_code_one(house: House) -> None:
    ended = house.wl("conform", HONEST, "--command", "false")
    assert ended.returncode == 1
    assert "fail  ready: exit 1 before ready" in ended.stdout


def test_what_is_unavailable_is_said_with_the_reason(house: House) -> None:
    ended = house.wl("conform", outside(house, 'unavailable = "waits for [rain]"\n'))
    assert ended.returncode == 2
    assert "cannot be checked here: waits for [rain]" in ended.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([HONEST, "--scenario", "s9"], "has no scenario s9"),
        ([HONEST, "--variant", "storm"], "no variant storm"),
        ([HONEST, "--storm", "s1"], "unrecognized arguments"),
        (["nowhere"], "contender.toml"),
    ],
)
def test_a_mistake_is_a_sentence(house: House, words: list[str], said: str) -> None:
    ended = house.wl("conform", *words)
    assert ended.returncode == 2
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr
