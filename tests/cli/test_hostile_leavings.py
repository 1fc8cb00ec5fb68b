"""Leavings of a package for its builder: nothing of them is followed out of its sandbox."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from cli.hostile_packages import KEY, Attacked, attacked
from wirelab.samples.removal import remove

PROFILE = ".profile"
"""A file in the home folder whose content the user's next shell would run."""


def cmake(*commands: str) -> dict[str, str]:
    """A project that runs commands of a shell while it is configured, in its output's folder."""
    lines = [
        "cmake_minimum_required(VERSION 3.18)",
        "project(hostile NONE)",
        'file(WRITE "${CMAKE_BINARY_DIR}/attack.sh" [==[',
        *commands,
        "]==])",
        'execute_process(COMMAND bash "${CMAKE_BINARY_DIR}/attack.sh"',
        '  WORKING_DIRECTORY "${CMAKE_INSTALL_PREFIX}" COMMAND_ERROR_IS_FATAL ANY)',
        'message("curl http://example.org | sh")',
    ]
    return {"CMakeLists.txt": "\n".join(lines)}


def profile(found: Attacked) -> Path:
    """The user's profile, which is there before."""
    path = found.home / PROFILE
    path.write_text("# mine\n")
    return path


@pytest.mark.needs("bwrap", "cmake")
def test_files_of_wirelab_in_a_build_cannot_be_made_links(tmp_path: Path) -> None:
    with attacked(tmp_path) as (found, _):
        mine = profile(found)
        links = ("build.log", "build.answer", "build.json", "build.json.partial")
        made = [f"rm -f {name}; ln -s {mine} {name}; readlink {name}" for name in links]
        found.contains("C", 'kind = "cmake"', cmake(*made))
        ended = found.built(COLUMNS="400")
        assert ended.returncode == 1
        assert "the build has left " in ended.stdout
        assert f", a link to {mine}" in ended.stdout
        assert mine.read_text() == "# mine\n"


@pytest.mark.needs("bwrap", "cmake")
def test_a_fifo_is_waited_for_by_nobody(tmp_path: Path) -> None:
    with attacked(tmp_path) as (found, _):
        found.contains("C", 'kind = "cmake"', cmake("mkdir -p lib", "mkfifo lib/libhostile.so"))
        ended = found.built(COLUMNS="400")
    assert ended.returncode == 1
    assert "/lib/libhostile.so, which is no file" in ended.stdout


@pytest.mark.needs("bwrap", "cmake")
def test_folders_deeper_than_one_can_recurse_are_built_again(tmp_path: Path) -> None:
    script = "import os\nfor _ in range(3000): os.mkdir('x'); os.chdir('x')"
    nests = f'{sys.executable} -S -c "{script}"'
    with attacked(tmp_path) as (found, _):
        found.contains("C", 'kind = "cmake"', cmake(nests))
        for _ in range(2):
            ended = found.built(COLUMNS="400")
            assert ended.returncode == 1
            assert "has left a folder that cannot be read" in ended.stdout
            assert "Traceback" not in ended.stderr
        remove(tmp_path / "cache")  # which pytest, too, would recurse into


CARGO = {
    "Cargo.toml": '[package]\nname = "hostile"\nversion = "1.0.0"\nedition = "2021"\n',
    "Cargo.lock": 'version = 3\n\n[[package]]\nname = "hostile"\nversion = "1.0.0"\n',
    "src/main.rs": "fn main() {}\n",
    "build.rs": """\
fn main() {
    std::process::Command::new("bash").args(["SCRIPT"]).status().unwrap();
}
""",
}
SAYS_WHAT_CARGO_SAYS = """\
own=$(cut -d' ' -f4 /proc/$PPID/stat)
printf '\\n{"executable": "%s"}\\n' "$1" |
    dd of=/proc/$own/fd/1 bs=1 seek=200000 conv=notrunc status=none
"""
"""A build script is a child of cargo, whose standard output it can open."""


@pytest.mark.needs("bwrap", "cargo")
def test_who_answers_in_place_of_cargo_has_no_file_of_the_user_copied(tmp_path: Path) -> None:
    with attacked(tmp_path) as (found, _):
        script = found.source / "says.sh"
        script.write_text(SAYS_WHAT_CARGO_SAYS.replace("$1", str(found.home / ".ssh" / "id")))
        files = {name: text.replace("SCRIPT", str(script)) for name, text in CARGO.items()}
        found.contains("Rust", 'kind = "cargo"', files)
        ended = found.built(COLUMNS="400")
        assert ended.returncode == 1, ended.stdout
        assert "cp failed with exit code 1" in ended.stdout  # it has said so, and is not believed
        assert found.kept(KEY) == []


def npm(script: str, **packages: Mapping[str, object]) -> dict[str, str]:
    """A package with a ``build``, and what its lock file says of others."""
    about = {"name": "hostile", "version": "1.0.0"}
    lock = {**about, "lockfileVersion": 3, "requires": True, "packages": {"": about, **packages}}
    return {
        "package.json": json.dumps({**about, "type": "module", "scripts": {"build": script}}),
        "package-lock.json": json.dumps(lock),
    }


@pytest.mark.needs("bwrap", "npm")
def test_a_link_in_the_place_of_the_sdk_leads_nobody_elsewhere(tmp_path: Path) -> None:
    with attacked(tmp_path) as (found, _):
        mine = profile(found)
        script = (
            f"rm -rf node_modules placed-packages; ln -s {found.home} node_modules; "
            f"ln -s {mine} placed-packages"
        )
        found.contains("Node.js", 'kind = "npm"', npm(script))
        ended = found.built(COLUMNS="400")
        assert ended.returncode == 1
        assert f"a link to {found.home}" in ended.stdout
        assert mine.read_text() == "# mine\n"
        assert not (found.home / "wirelab-sdk").exists()


@pytest.mark.needs("bwrap", "npm")
def test_a_link_among_sources_shows_no_file_of_the_user(tmp_path: Path) -> None:
    with attacked(tmp_path) as (found, _):
        found.contains("Node.js", 'kind = "npm"', npm("cat shown || true"))
        (found.source / "shown").symlink_to(found.home / ".ssh" / "id")
        ended = found.built(COLUMNS="400")
        assert ended.returncode == 1
        assert f"/shown, a link to {found.home}/.ssh/id" in ended.stdout
        assert found.kept(KEY) == []


@pytest.mark.needs("cmake")
def test_what_a_build_says_steers_no_terminal(tmp_path: Path) -> None:
    said = "x\x1b]0;title\x07\x1b[2J\u202eevil [red]y"
    text = f'project(hostile NONE)\nmessage(FATAL_ERROR "{said}")\n'
    with attacked(tmp_path) as (found, _):
        found.contains("C", 'kind = "cmake"', {"CMakeLists.txt": text})
        ended = found.built(COLUMNS="400")
    assert ended.returncode == 1
    assert "x\\x1b]0;title\\x07\\x1b[2J\\u202eevil [red]y" in ended.stdout
    assert "\x1b" not in ended.stdout + ended.stderr
