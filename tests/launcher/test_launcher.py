"""The launcher, in a repository of its own with one small package to install."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from launcher_repository import PYTHON, Repository, load, pinned


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Repository, tuple[int, dict, list]]:
    """A repository that was started for the first time, and what came of it."""
    repository = Repository(tmp_path_factory.mktemp("ready") / "repository")
    return repository, repository.run("list", "--all")


@pytest.fixture(scope="module")
def ready(first) -> Repository:
    """A repository whose environment is there; tests leave it as it is."""
    return first[0]


@pytest.fixture
def copied(ready, tmp_path) -> Repository:
    """A copy of it, which a test may change."""
    return ready.copy(tmp_path / "repository")


@pytest.fixture
def fresh(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "repository")


def test_the_first_start_says_one_line_and_the_second_none(first):
    fresh, (code, seen, said) = first
    assert code == 0
    assert said == ["wl: installing the Python environment (once, about a minute)"]
    assert seen["arguments"] == ["list", "--all"]
    assert seen["packages"] == ["iniconfig"]
    assert seen["path"] == str(fresh.root / "src")
    code, again, said = fresh.run("list", "--all")
    assert (code, said) == (0, [])
    assert again == seen
    link = fresh.root / ".wirelab" / "venv"
    assert link.is_symlink()
    assert (link / "bin" / "python").resolve() == Path(seen["python"]).resolve()


def test_what_was_installed_is_compiled(ready):
    """Bytecode of everything: where nobody may write it later, each start would make it anew."""
    [package] = ready.root.glob(".wirelab/venv/lib/python3*/site-packages/iniconfig")
    modules = {module.stem for module in package.glob("*.py")}
    compiled = {file.name.split(".")[0] for file in package.glob("__pycache__/*.pyc")}
    assert len(modules) > 1
    assert compiled == modules


def test_the_exit_code_is_passed_on(ready):
    assert ready.run("fail")[0] == 7


def test_from_another_folder_and_through_a_link(ready, tmp_path):
    link = tmp_path / "wl"
    link.symlink_to(ready.root / "wl")
    code, seen, said = ready.run("x", launcher=link, cwd=tmp_path)
    assert (code, said) == (0, [])
    assert seen["folder"] == str(tmp_path)
    assert seen["path"] == str(ready.root / "src")


def test_a_moved_repository_keeps_its_environment_and_adds_what_the_tests_need(copied, tmp_path):
    copied.root = copied.root.rename(tmp_path / "moved")
    code, seen, said = copied.run("list")
    assert (code, said) == (0, [])
    assert seen["packages"] == ["iniconfig"]
    assert Path(seen["python"]).is_relative_to(tmp_path / "moved")
    code, seen, said = copied.run("test", "-k", "x")
    assert (code, said) == (0, ["wl: installing what the tests need"])
    assert seen["arguments"] == ["test", "-k", "x"]
    assert seen["packages"] == ["iniconfig", "pluggy"]
    assert copied.run("test")[2] == []
    assert copied.run("x")[2] == []


def test_it_is_executable(ready):
    path = f"{Path(PYTHON).parent}{os.pathsep}{os.environ['PATH']}"
    variables = {**os.environ, "PATH": path}
    subprocess.run([str(ready.root / "wl"), "x"], capture_output=True, env=variables, check=True)


def test_modules_lying_about_are_not_taken(ready, tmp_path):
    (tmp_path / "json.py").write_text("raise SystemExit(99)")
    (tmp_path / "wirelab.py").write_text("raise SystemExit(99)")
    code, _, _ = ready.run("x", cwd=tmp_path, variables={"PYTHONPATH": str(tmp_path / "other")})
    assert code == 0


def test_new_requirements_are_a_new_environment(copied):
    holder = copied.start("wait")
    try:
        assert holder.stdout.readline()
        (copied.root / "requirements.txt").write_text(pinned("iniconfig") + pinned("pluggy"))
        _, seen, said = copied.run("x")
        assert seen["packages"] == ["iniconfig", "pluggy"]
        assert len(said) == 1
        # A run that goes on keeps the environment it started in.
        assert len(copied.environments) == 2
    finally:
        holder.communicate()
    (copied.root / "requirements.txt").write_text(pinned("pluggy"))
    begun = without_a_python(copied)
    assert copied.run("x")[1]["packages"] == ["pluggy"]
    # What only said that it was complete was made again, and nobody uses the others any more.
    assert not (begun / "left-over").exists()
    (left,) = copied.environments
    assert (copied.root / ".wirelab" / "venv").resolve() == left.resolve() == begun


def without_a_python(repository: Repository) -> Path:
    """An environment that was complete, and whose Python has been removed since."""
    # The key is the launcher's own, so the folder is the one it will look for.
    environment = load(repository.root / "wl").Environment(str(repository.root))
    folder = Path(environment.folder)
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").symlink_to("/nowhere/python")
    (folder / "complete").write_text(environment.key)
    for name in ("in-use", "left-over"):
        (folder / name).touch()
    return folder


WITHOUT_A_NETWORK = {
    "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
    "PIP_FIND_LINKS": "",
    "PIP_NO_CACHE_DIR": "1",
    "PIP_RETRIES": "1",
}


@pytest.fixture(scope="module")
def half_made(
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Repository, tuple[int, dict, list]]:
    """A repository whose first start found no network, and what came of it."""
    repository = Repository(tmp_path_factory.mktemp("half") / "repository")
    return repository, repository.run("x", variables=WITHOUT_A_NETWORK)


def test_without_a_network_it_is_said(half_made):
    _, (code, seen, said) = half_made
    assert (code, seen) == (1, {})
    assert said[-1].startswith("wl: no network: the Python packages could not be fetched")


def test_two_at_once_make_what_is_half_made_once(half_made):
    repository, _ = half_made
    [folder] = repository.environments
    (folder / "left-over").touch()
    made_by_hand = repository.root / ".wirelab" / "venv"
    made_by_hand.mkdir()
    both = [repository.start("test", name) for name in ("one", "two")]
    answers = [process.communicate(timeout=120) for process in both]
    assert [process.returncode for process in both] == [0, 0]
    said = "".join(err for _, err in answers)
    assert said.count("installing") == 2  # one installs, one waits for "another wl … installing"
    assert said.count("another wl is installing") == 1
    seen = [json.loads(out) for out, _ in answers]
    assert {one["python"] for one in seen} == {str(folder / "bin" / "python")}
    assert repository.environments == [folder]
    # Who begins with the tests installs at once what these need.
    assert [one["packages"] for one in seen] == [["iniconfig", "pluggy"]] * 2
    assert not (folder / "left-over").exists()
    assert made_by_hand.is_symlink()
    assert repository.run("x")[2] == []


def test_a_package_of_another_content_is_refused(copied):
    good = (copied.root / "requirements-dev.txt").read_text()
    digits = "0123456789abcdef"
    bad = re.sub("sha256:(.)", lambda one: f"sha256:{digits[digits.index(one[1]) - 1]}", good)
    (copied.root / "requirements-dev.txt").write_text(bad)
    code, seen, said = copied.run("test")
    assert (code, seen) == (1, {})
    assert said[-1].startswith("wl: the Python environment could not be installed, see ")
    assert any("hash" in line.lower() for line in said)
    (copied.root / "requirements-dev.txt").write_text(good)
    assert copied.run("test")[1]["packages"] == ["iniconfig", "pluggy"]


def test_a_missing_file_is_named(fresh):
    (fresh.root / "requirements.txt").unlink()
    code, _, said = fresh.run("x")
    assert code == 1
    assert said == [f"wl: No such file or directory: {fresh.root}/requirements.txt"]
