"""The launcher, in a repository of its own with one small package to install."""

from __future__ import annotations

import json
import os
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


def test_the_exit_code_is_passed_on(ready):
    assert ready.run("fail")[0] == 7


def test_from_another_folder_and_through_a_link(ready, tmp_path):
    link = tmp_path / "wl"
    link.symlink_to(ready.root / "wl")
    code, seen, said = ready.run("x", launcher=link, cwd=tmp_path)
    assert (code, said) == (0, [])
    assert seen["folder"] == str(tmp_path)
    assert seen["path"] == str(ready.root / "src")


def test_a_moved_repository_keeps_its_environment(copied, tmp_path):
    copied.root = copied.root.rename(tmp_path / "moved")
    code, seen, said = copied.run("list")
    assert (code, said) == (0, [])
    assert seen["packages"] == ["iniconfig"]
    assert Path(seen["python"]).is_relative_to(tmp_path / "moved")
    code, seen, said = copied.run("test")
    assert (code, said) == (0, ["wl: installing what the tests need"])
    assert seen["packages"] == ["iniconfig", "pluggy"]


def test_it_is_executable(ready):
    path = f"{Path(PYTHON).parent}{os.pathsep}{os.environ['PATH']}"
    variables = {**os.environ, "PATH": path}
    subprocess.run([str(ready.root / "wl"), "x"], capture_output=True, env=variables, check=True)


def test_modules_lying_about_are_not_taken(ready, tmp_path):
    (tmp_path / "json.py").write_text("raise SystemExit(99)")
    (tmp_path / "wirelab.py").write_text("raise SystemExit(99)")
    code, _, _ = ready.run("x", cwd=tmp_path, variables={"PYTHONPATH": str(tmp_path / "other")})
    assert code == 0


def test_test_installs_what_the_tests_need(copied):
    assert copied.run("x")[1]["packages"] == ["iniconfig"]
    code, seen, said = copied.run("test", "-k", "x")
    assert (code, seen["arguments"]) == (0, ["test", "-k", "x"])
    assert seen["packages"] == ["iniconfig", "pluggy"]
    assert said == ["wl: installing what the tests need"]
    assert copied.run("test")[2] == []
    assert copied.run("x")[2] == []


def test_test_first_installs_everything_at_once(fresh):
    _, seen, said = fresh.run("test")
    assert seen["packages"] == ["iniconfig", "pluggy"]
    assert len(said) == 1


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
    assert copied.run("x")[1]["packages"] == ["pluggy"]
    (left,) = copied.environments
    assert (copied.root / ".wirelab" / "venv").resolve() == left.resolve()


@pytest.mark.parametrize("damage", ["no stamp", "no python"])
def test_a_broken_environment_is_made_again(fresh, damage):
    # The key is the launcher's own, so the folder is the one it will look for.
    environment = load(fresh.root / "wl").Environment(str(fresh.root))
    folder = Path(environment.folder)
    (folder / "bin").mkdir(parents=True)
    (folder / "in-use").touch()
    (folder / "left-over").touch()
    if damage == "no python":
        (folder / "complete").write_text(environment.key)
        (folder / "bin" / "python").symlink_to("/nowhere/python")
    made_by_hand = fresh.root / ".wirelab" / "venv"
    made_by_hand.mkdir()
    code, seen, _ = fresh.run("x")
    assert (code, seen["packages"]) == (0, ["iniconfig"])
    assert not (folder / "left-over").exists()
    assert made_by_hand.is_symlink()
    assert fresh.run("x")[2] == []


def test_two_at_once_install_once(fresh):
    both = [fresh.start(name) for name in ("one", "two")]
    answers = [process.communicate(timeout=120) for process in both]
    assert [process.returncode for process in both] == [0, 0]
    said = "".join(err for _, err in answers)
    assert said.count("installing") == 2  # one installs, one waits for "another wl … installing"
    assert said.count("another wl is installing") == 1
    assert {json.loads(out)["python"] for out, _ in answers} == {
        str(path / "bin" / "python") for path in fresh.environments
    }


def test_a_package_of_another_content_is_refused(copied):
    good = (copied.root / "requirements.txt").read_text()
    bad = good.replace("sha256:6", "sha256:7").replace("sha256:9", "sha256:8")
    (copied.root / "requirements.txt").write_text(bad)
    code, seen, said = copied.run("x")
    assert (code, seen) == (1, {})
    assert said[-1].startswith("wl: the Python environment could not be installed, see ")
    assert any("hash" in line.lower() for line in said)
    (copied.root / "requirements.txt").write_text(good)
    assert copied.run("x")[0] == 0


def test_without_a_network(fresh):
    variables = {
        "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
        "PIP_FIND_LINKS": "",
        "PIP_NO_CACHE_DIR": "1",
        "PIP_RETRIES": "1",
    }
    code, _, said = fresh.run("x", variables=variables)
    assert code == 1
    assert said[-1].startswith("wl: no network: the Python packages could not be fetched")
    # What is half installed is not taken for an environment.
    code, seen, said = fresh.run("x")
    assert (code, len(said)) == (0, 1)
    assert seen["packages"] == ["iniconfig"]


def test_a_missing_file_is_named(fresh):
    (fresh.root / "requirements.txt").unlink()
    code, _, said = fresh.run("x")
    assert code == 1
    assert said == [f"wl: No such file or directory: {fresh.root}/requirements.txt"]
