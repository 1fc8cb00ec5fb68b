"""Suites outside of the tree: listed, shown, run, analysed, reported, resumed, and refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from cli.command_lines import said
from e2e.conftest import MEASURED, SUITES

WORKERS = SUITES["loopback"].parent / "workers"

REPORT = """
from wirelab.report.api import Context, Document, Section, generic, paragraph


def compose(context: Context) -> Document:
    told = paragraph(context.words.gettext("Told by the suite."))
    return generic.compose(context, [Section("Own", "own", (told,))])
"""

KOREAN = """
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgid "Told by the suite."
msgstr "분야가 말합니다."

msgid "read"
msgstr "태그 조회"
"""

PUBLISHED = """
title = { en = "A study of mine", ko = "내 연구" }
machine = { en = "a laptop", ko = "노트북" }

[contenders]
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A folder with one suite, ``corner``, which has one contender and everything of its own."""
    folder = tmp_path / "mine"
    suite = folder / "corner-shop"
    suite.mkdir(parents=True)
    manifest = (SUITES["loopback"] / "suite.toml").read_text("utf-8")
    manifest = manifest.replace('suite = "loopback"', 'suite = "corner"', 1)
    (suite / "suite.toml").write_text(manifest, "utf-8")
    shutil.copyfile(SUITES["loopback"] / "verify.py", suite / "verify.py")
    shutil.copytree(SUITES["loopback"] / "contenders/honest", suite / "contenders/honest")
    shutil.copytree(WORKERS, folder / "workers", ignore=shutil.ignore_patterns("__pycache__"))
    (suite / "report.py").write_text(REPORT, "utf-8")
    (suite / "locale").mkdir()
    (suite / "locale/ko.po").write_text(KOREAN, "utf-8")
    (suite / "published.toml").write_text(PUBLISHED, "utf-8")
    return folder


def measured(mine: Path) -> Path:
    """The folder of a short run of the suite."""
    arguments = ("--scenario", "s1", "--profile", "once", "--seed", "1")
    ended = said("run", "corner", "--suites", "mine", *arguments, cwd=mine.parent)
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    [run] = (mine.parent / "results").iterdir()
    return run


def test_a_suite_is_listed_beside_those_of_the_tree(mine: Path) -> None:
    ended = said("list", "--suites", "mine", cwd=mine.parent)
    assert ended.returncode == 0, ended.stderr
    headings = [line.partition(":")[0] for line in ended.stdout.splitlines() if line[:1].strip()]
    assert headings[-1] == "corner"
    assert "opcua" in headings
    shown = said("show", "honest", "--suites", "mine", cwd=mine.parent)
    assert str(mine / "corner-shop/contenders/honest") in shown.stdout
    built = said("build", "corner", "--suites", "mine", cwd=mine.parent)
    assert (built.returncode, built.stdout.count(": ready,")) == (0, 2), built.stdout


def test_without_its_folder_it_is_unknown(mine: Path) -> None:
    ended = said("list", "corner", cwd=mine.parent)
    assert ended.returncode == 2
    assert 'no suite "corner"' in ended.stderr


def test_its_run_is_reported_from_where_the_suite_is_and_was_moved_to(mine: Path) -> None:
    run = measured(mine)
    assert json.loads((run / "run.json").read_text())["suite_folder"] == str(mine / "corner-shop")
    for name, told in (
        ("report-en.md", "Told by the suite."),
        ("report-ko.md", "분야가 말합니다."),
    ):
        assert told in (run / name).read_text("utf-8")
        (run / name).unlink()
    assert "A study of mine" in (run / "report-en.html").read_text("utf-8")
    analysed = said("analyse", str(run), cwd=mine.parent)
    assert analysed.returncode == 0, analysed.stderr
    reported = said("report", str(run), "--form", "md", cwd=mine.parent)
    assert reported.returncode == 0, reported.stderr
    assert "분야가 말합니다." in (run / "report-ko.md").read_text("utf-8")
    is_found_where_the_user_says(mine, run)


def test_a_terminal_calls_operations_by_the_words_of_the_suite(mine: Path) -> None:
    arguments = ("--scenario", "s1", "--profile", "once", "--lang", "ko")
    ended = said("run", "corner", "--suites", "mine", *arguments, cwd=mine.parent)
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    assert "태그 조회 p50 (ms)" in ended.stdout
    assert "read p50" not in ended.stdout


def is_found_where_the_user_says(mine: Path, run: Path) -> None:
    """Move the suite, and ask for its run with and without its new place."""
    mine.rename(mine.with_name("moved"))
    for arguments in (("report", str(run)), ("run", "--resume", str(run))):
        lost = said(*arguments, cwd=mine.parent)
        assert lost.returncode == 2
        assert f"the suite corner was in {mine / 'corner-shop'}, which is gone" in lost.stderr
        assert "--suites DIR" in lost.stderr
    found = said("report", str(run), "--suites", "moved", "--form", "md", cwd=mine.parent)
    assert found.returncode == 0, found.stderr
    assert "Told by the suite." in (run / "report-en.md").read_text("utf-8")
    resumed = said("run", "--resume", str(run), "--suites", "moved", cwd=mine.parent)
    assert resumed.returncode in MEASURED, resumed.stdout + resumed.stderr


def test_its_contender_is_checked_where_it_is(mine: Path) -> None:
    contender = str(mine / "corner-shop/contenders/honest")
    arguments = ("--scenario", "s1", "--role", "client")
    ended = said("conform", contender, *arguments, cwd=mine.parent)
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.parametrize(
    ("folder", "says"),
    [
        ("none", "there is no such folder"),
        ("empty", "expected folders with a suite.toml"),
        ("mine/corner-shop", "it is a suite itself; name the folder around it, "),
    ],
)
def test_a_folder_without_suites_is_refused_by_name(mine: Path, folder: str, says: str) -> None:
    (mine.parent / "empty").mkdir()
    for command in (("list",), ("run", "corner"), ("build",)):
        ended = said(*command, "--suites", folder, cwd=mine.parent)
        assert ended.returncode == 2
        assert f"no suites in {mine.parent / folder}: {says}" in ended.stderr


def test_two_suites_of_one_name_are_refused_by_name(mine: Path) -> None:
    shutil.copytree(mine, mine.with_name("other"))
    both = ("--suites", "mine", "--suites", "other")
    ended = said("list", *both, cwd=mine.parent)
    assert ended.returncode == 2
    assert 'two suites are called "corner"' in ended.stderr
    for name in ("mine", "other"):
        assert str(mine.with_name(name) / "corner-shop") in ended.stderr
    manifest = mine / "corner-shop/suite.toml"
    manifest.write_text(manifest.read_text("utf-8").replace('"corner"', '"kv"', 1), "utf-8")
    ended = said("run", "kv", "--suites", "mine", cwd=mine.parent)
    assert ended.returncode == 2
    assert 'two suites are called "kv"' in ended.stderr
    assert not (mine.parent / "results").exists()


def test_the_same_folder_twice_is_one(mine: Path) -> None:
    arguments = ("--suites", "mine", "--suites", str(mine))
    assert said("list", "corner", *arguments, cwd=mine.parent).returncode == 0


def test_a_suite_with_a_mistake_is_named_with_its_file(mine: Path) -> None:
    manifest = mine / "corner-shop/suite.toml"
    manifest.write_text(manifest.read_text("utf-8").replace("write_every = 4", "wr = 4"), "utf-8")
    ended = said("run", "corner-shop", "--suites", "mine", cwd=mine.parent)
    assert ended.returncode == 2
    assert "mine/corner-shop/suite.toml:" in ended.stderr


def test_published_figures_with_a_mistake_are_refused_before_anything_is_measured(
    mine: Path,
) -> None:
    published = mine / "corner-shop/published.toml"
    published.write_text(PUBLISHED.replace("machine", "computer"), "utf-8")
    ended = said("run", "corner", "--suites", "mine", "--profile", "once", cwd=mine.parent)
    assert ended.returncode == 2
    assert f"{published}: machine: Field required" in ended.stderr
    assert not (mine.parent / "results").exists()
