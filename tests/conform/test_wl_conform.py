"""``wl conform``: finds the suite, builds what is needed and hands over to the checker."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from e2e.conftest import SuiteRepository

pytestmark = pytest.mark.e2e

HONEST = "suites/loopback/contenders/honest"
NOT_READY = ("--command", "false")
"""A worker of which nothing further is asked, where who is checked is looked at alone."""

OWN_SUITE = 'suite = "loopback"\n'
SABOTAGE = Path(__file__).parents[1] / "sabotage"


@pytest.fixture
def house(tmp_path: Path) -> SuiteRepository:
    return SuiteRepository(tmp_path)


def outside(house: SuiteRepository, more: str = "") -> str:
    """The honest contender in a folder that no suite is near."""
    folder = house.root / "mine"
    folder.mkdir()
    manifest = (SABOTAGE / "suite/contenders/honest/contender.toml").read_text()
    manifest = manifest.replace("{source}/../../../workers", str(SABOTAGE / "workers"))
    (folder / "contender.toml").write_text(more + manifest)
    return str(folder)


def test_a_contender_of_the_tree_is_checked(house: SuiteRepository) -> None:
    ended = house.here("conform", HONEST)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "honest, role client, scenario loopback/s1" in ended.stdout
    assert "pass  values" in ended.stdout


def test_a_contender_is_one_of_the_suite_whose_folder_it_is_in(house: SuiteRepository) -> None:
    another = house.root / "suites" / "an-earlier-one"
    another.symlink_to(SABOTAGE / "closed")
    ended = house.here("conform", HONEST, *NOT_READY)
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert "scenario loopback/s1" in ended.stdout


def test_a_worker_of_another_user_may_go_into_its_folder(house: SuiteRepository) -> None:
    # A server that does not run as root did not get into its own folder.
    said = "import os; raise SystemExit(oct(os.stat('.').st_mode))"
    ended = house.here("conform", HONEST, "--command", f'{sys.executable} -c "{said}"')
    assert "0o40755" in ended.stdout + ended.stderr


def test_options_may_come_first(house: SuiteRepository) -> None:
    ended = house.here("conform", "--scenario", "own-server", "--role", "server", HONEST)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "role server, scenario loopback/own-server" in ended.stdout
    assert "role client" not in ended.stdout


def test_a_contender_outside_of_the_tree_names_its_suite(house: SuiteRepository) -> None:
    # Of several suites it fits, the first in the alphabet used to be taken.
    (house.root / "suites" / "an-earlier-one").symlink_to(SABOTAGE / "outage")
    ended = house.here("conform", outside(house, OWN_SUITE), "--set", "tags=16")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "role client, scenario loopback/s1" in ended.stdout
    assert "waits at most 3 s for ready, 1 s for a call, 3 s for an end" in ended.stdout


@pytest.mark.parametrize("suite", ["loopback", "suites/loopback"])
def test_its_suite_may_be_said_by_name_or_folder(house: SuiteRepository, suite: str) -> None:
    ended = house.here("conform", outside(house), "--suite", suite, *NOT_READY)
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert "role client, scenario loopback/s1" in ended.stdout


def test_a_contender_that_no_suite_is_known_of_is_not_guessed_about(house: SuiteRepository) -> None:
    ended = house.here("conform", outside(house))
    assert ended.returncode == 2
    said = " ".join(ended.stderr.split())
    assert 'write suite = "NAME" into it, or say --suite NAME; known: loopback' in said
    assert "Traceback" not in ended.stderr


def test_a_run_of_another_suite_refuses_it(house: SuiteRepository) -> None:
    (house.root / "suites" / "freezer").symlink_to(SABOTAGE / "outage")
    folder = outside(house, OWN_SUITE)
    ended = house.here("run", "freezer", "--profile", "once", "--contender", f"{folder}/")
    assert ended.returncode == 2
    assert 'belongs to suite "loopback", not to "freezer"' in " ".join(ended.stderr.split())


def test_a_worker_that_never_looks_at_the_contract_is_caught(house: SuiteRepository) -> None:
    blind = f"{sys.executable} {SABOTAGE / 'workers/blind.py'}"
    ended = house.here("conform", HONEST, "--command", blind)
    failed = [line.strip() for line in ended.stdout.splitlines() if "fail " in line]
    assert failed == ["fail  other contract: says ready to a spec of contract 3"], ended.stdout
    assert ended.returncode == 1


@pytest.mark.parametrize(
    ("deviation", "said"),
    [
        ("never-ready", "fail  ready: no ready within 3 s"),
        ("hangs", "fail  done: no done within"),
        ("ignores-stop", "fail  stop: no done within 3 s when told to stop"),
    ],
)
def test_every_hang_ends_at_a_limit_and_says_which(
    house: SuiteRepository, deviation: str, said: str
) -> None:
    ended = house.here("conform", f"suites/loopback/contenders/{deviation}")
    assert said in ended.stdout
    assert ended.returncode == 1


def test_a_role_that_does_not_get_ready_says_how_long_was_waited(house: SuiteRepository) -> None:
    ended = house.here("conform", HONEST, "--server", "sleep 300")
    assert ended.returncode == 2
    assert "the role server, which this worker needs, did not get ready within 3 s" in ended.stderr


def test_a_breach_is_exit_code_one(house: SuiteRepository) -> None:
    ended = house.here("conform", HONEST, "--command", "false")
    assert ended.returncode == 1
    assert "fail  ready: exit 1 before ready" in ended.stdout


def test_who_needs_more_processors_is_not_checked(house: SuiteRepository) -> None:
    ended = house.here("conform", outside(house, OWN_SUITE + "processors = 100000\n"))
    assert ended.returncode == 2
    assert "cannot be checked here: it needs 100000 processors, and may use" in ended.stderr


def test_what_is_unavailable_is_said_with_the_reason(house: SuiteRepository) -> None:
    ended = house.here("conform", outside(house, OWN_SUITE + 'unavailable = "waits for [rain]"\n'))
    assert ended.returncode == 2
    assert "cannot be checked here: waits for [rain]" in ended.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([HONEST, "--scenario", "s9"], 'no scenario "s9"'),
        ([HONEST, "--variant", "storm"], 'no variant "storm"'),
        ([HONEST, "--storm", "s1"], "No such option: --storm"),
        (["nowhere"], "contender.toml"),
        ([HONEST, "--suite", "loopbak"], 'no suite "loopbak"; nearest: loopback'),
    ],
)
def test_a_mistake_is_a_sentence(house: SuiteRepository, words: list[str], said: str) -> None:
    ended = house.here("conform", *words)
    assert ended.returncode == 2
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr
