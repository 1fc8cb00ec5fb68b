"""``--until`` and what it cannot mean: a sentence before anything is built or measured."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cli.command_lines import said
from wirelab.catalog import find_catalog
from wirelab.cli.until import AskedUntil, among
from wirelab.plan.selection import Selection
from wirelab.run.setups import TrialSetups

REPOSITORY = Path(__file__).parents[2]
SABOTAGE = REPOSITORY / "tests" / "sabotage"
RULE = ("--profile", "once", "--until", "5%")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--until", "5"], "expected a percentage"),
        (["--until", "0%"], "expected a percentage"),
        (["--until", "-5%"], "expected a percentage"),
        (["--until", "500%"], "expected a percentage"),
        (["--until", "narrow"], "expected a percentage"),
        (["--until", "nan%"], "expected a percentage"),
        (["--until", "5%", "--at-most", "soon"], "expected a time such as 90s, 30m or 2h"),
        (["--until", "5%", "--at-most", "0s"], "expected a time such as 90s, 30m or 2h"),
        (["--until", "5%", "--trials", "3"], "--until or --trials"),
        (["--at-most", "30m"], "--at-most is for runs with --until"),
        (["--baseline", "asyncua"], "--baseline is for runs with --until"),
        (["--until", "5%", "--contender", "asyncua"], "needs two contenders"),
        (["--until", "5%", "--baseline", "asynca"], "nearest: asyncua"),
    ],
)
def test_a_rule_that_no_run_can_keep_is_refused(
    tmp_path: Path, arguments: list[str], says: str
) -> None:
    ended = said("run", "opcua", *arguments, cwd=tmp_path)
    assert ended.returncode == 2, ended.stdout
    assert says in " ".join(ended.stderr.split())
    assert list(tmp_path.iterdir()) == []


def test_scenarios_that_have_no_ratio_are_named(tmp_path: Path) -> None:
    ended = said("run", "opcua", "--until", "5%", "--scenario", "faults", cwd=tmp_path)
    assert ended.returncode == 2, ended.stdout
    assert "none of faults" in ended.stderr


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A repository with a suite of two scenarios, and a contender of both that cannot run."""
    suite = tmp_path / "suites" / "metronome"
    shutil.copytree(SABOTAGE / "blocks", suite)
    shutil.copytree(SABOTAGE / "workers", tmp_path / "suites" / "workers")
    (tmp_path / "sdk").symlink_to(REPOSITORY / "sdk")
    manifest = suite / "suite.toml"
    text = manifest.read_text()
    manifest.write_text(text + text[text.index("[scenarios.s1]") :].replace("s1", "s2"))
    its = {
        "steady": 'scenarios = ["s1"]',
        "slower": 'scenarios = ["s2"]',
        "wavering": 'scenarios = ["s2"]',
        "absent": 'unavailable = { en = "no licence", ko = "라이선스 없음" }',
    }
    shutil.copytree(suite / "contenders/steady", suite / "contenders/absent")
    for name, key in its.items():
        own = suite / "contenders" / name / "contender.toml"
        head, _, rest = own.read_text().partition("\n")
        own.write_text(f'contender = "{name}"\n{key}\n{rest}')
        assert head.startswith("contender = ")
    return tmp_path


def test_scenarios_that_compare_nobody_here_get_no_blocks(house: Path) -> None:
    suite = find_catalog(house).suite("metronome")
    contenders = list(suite.contenders.values())
    asked = AskedUntil.of("5%", None, None)
    assert asked is not None
    until = asked.of_suite(suite, contenders, ["s1", "s2"])
    assert list(until.figures) == ["s1", "s2"]
    chosen = Selection(["s1", "s2"], "once", 1, until=until)
    setups = TrialSetups(suite, contenders, chosen, house, [].append)
    assert list(among(until, asked, setups).figures) == ["s2"]


def test_a_run_whose_scenarios_compare_nobody_here_is_not_begun(house: Path) -> None:
    chosen = [word for name in ("steady", "slower", "absent") for word in ("--contender", name)]
    ended = said("run", "metronome", *RULE, *chosen, cwd=house, root=house)
    assert ended.returncode == 2, ended.stdout
    assert "none of s1, s2 has two contenders that are ranked together" in ended.stderr
    assert list(house.glob("results/*/run.json")) == []


@pytest.mark.parametrize("apart", ["language", "mode"])
def test_contenders_that_are_ranked_apart_have_no_ratio(house: Path, apart: str) -> None:
    manifest = house / "suites/metronome/suite.toml"
    own = house / "suites/metronome/contenders/slower/contender.toml"
    text, its = manifest.read_text(), own.read_text()
    if apart == "language":
        manifest.write_text(text.replace("rankings =", 'ranked_within = "language"\nrankings ='))
        own.write_text(its.replace('language = "Python"', 'language = "C"'))
    else:
        words = '{ en = "waits", ko = "기다림" }'
        manifest.write_text(f"{text}\n[modes.waiting]\ntitle = {words}\nmeaning = {words}\n")
        own.write_text(f'mode = "waiting"\n{its}')
    chosen = ["--contender", "slower", "--contender", "wavering"]
    ended = said("run", "metronome", *RULE, *chosen, cwd=house, root=house)
    assert ended.returncode == 2, ended.stdout
    assert "none of s1, s2 ranks two of these contenders" in " ".join(ended.stderr.split())
