"""A run without a suite asks first; ``--all`` runs every suite; ``--out`` says where to."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.command_lines import on_a_terminal, said
from e2e.conftest import MEASURED, SuiteRepository, repository_of_two
from tree import suites_of_the_tree

SHORT = ("--scenario", "s1", "--contender", "honest", "--profile", "once", "--report", "en.html")


@pytest.fixture
def two(tmp_path: Path) -> SuiteRepository:
    return repository_of_two(tmp_path)


def test_without_a_terminal_it_is_refused_with_what_it_would_do(tmp_path: Path) -> None:
    ended = said("run", cwd=tmp_path)
    assert ended.returncode == 2
    assert ended.stdout == ""
    told = ended.stderr.splitlines()
    suites = list(suites_of_the_tree().suites)
    assert [line.split()[0] for line in told if " trials of " in line] == suites
    assert "together about" in ended.stderr
    assert "h " in next(line for line in told if "together" in line)
    assert f"Name one ({', '.join(suites)}), or say --all." in told
    assert list(tmp_path.iterdir()) == []


def test_on_a_terminal_it_asks_and_a_no_begins_nothing(two: SuiteRepository) -> None:
    code, shown = on_a_terminal("run", *SHORT, cwd=two.root, root=two.root, columns=80, types="n\n")
    assert code == 1
    assert "again     " in shown
    assert "Measure all of that? [y/N]" in shown
    assert not (two.root / "results").exists()


@pytest.mark.e2e
def test_on_a_terminal_a_yes_measures_every_suite(two: SuiteRepository) -> None:
    code, shown = on_a_terminal("run", *SHORT, cwd=two.root, root=two.root, types="y\n")
    assert code in MEASURED, shown
    runs = list((two.root / "results").iterdir())
    assert len(runs) == 2
    # Longer than the terminal is wide, and in one piece all the same.
    paths = [str(run / "report-en.html") for run in runs]
    assert min(map(len, paths)) > 80
    assert [path in shown.splitlines() for path in paths] == [True, True]


@pytest.mark.e2e
def test_all_measures_every_suite_and_out_says_where(two: SuiteRepository) -> None:
    ended = two.here("run", "--all", *SHORT, "--out", "kept/here")
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    runs = sorted((two.root / "kept" / "here").iterdir())
    assert sorted(run.name.split("-", 2)[2] for run in runs) == ["again-once", "loopback-once"]
    reports = [run / "report-en.html" for run in runs]
    assert [str(report) in ended.stdout.splitlines() for report in reports] == [True, True]
    assert not (two.root / "results").exists()


@pytest.mark.e2e
def test_a_suite_that_cannot_run_does_not_keep_the_others_from_it(two: SuiteRepository) -> None:
    its = two.root / "suites/again/contenders/honest/contender.toml"
    reason = 'unavailable = { en = "no licence", ko = "라이선스 없음" }'
    name, _, rest = its.read_text().partition("\n")
    its.write_text("\n".join([name, reason, rest]))
    ended = two.here("run", "--all", *SHORT)
    assert ended.returncode in (2, 5), ended.stdout + ended.stderr
    assert "again is not measured: no contender of again can run" in ended.stdout
    assert "no licence" in ended.stdout
    assert [run.name.split("-", 2)[2] for run in (two.root / "results").iterdir()] == [
        "loopback-once"
    ]
    alone = two.here("run", "again", *SHORT)
    assert alone.returncode == 2
    assert "no contender of again can run" in alone.stderr


@pytest.mark.parametrize("command", [("run", "--all"), ("run",), ("build",)])
def test_a_suite_with_a_mistake_is_not_left_out_of_all(
    two: SuiteRepository, command: tuple[str, ...]
) -> None:
    manifest = two.root / "suites/again/suite.toml"
    manifest.write_text(manifest.read_text().replace('suite = "again"', 'sweet = "again"'))
    ended = two.here(*command)
    assert ended.returncode == 2, ended.stdout
    assert "suites/again/suite.toml:1: sweet" in ended.stderr
    assert not (two.root / "results").exists()


def test_all_and_a_name_are_not_both_said(two: SuiteRepository) -> None:
    ended = said("run", "loopback", "--all", cwd=two.root, root=two.root)
    assert ended.returncode == 2
    assert "name suites or say --all, not both" in ended.stderr


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--out", "file"], "results cannot go to"),
        (["--out", "file/below"], "results cannot go to"),
    ],
)
def test_a_place_that_cannot_be_is_told_before_anything_is_built(
    two: SuiteRepository, more: list[str], says: str
) -> None:
    (two.root / "file").write_text("")
    ended = said("run", "loopback", *SHORT, *more, cwd=two.root, root=two.root)
    assert ended.returncode == 2
    assert says in ended.stderr
    assert "Traceback" not in ended.stderr
