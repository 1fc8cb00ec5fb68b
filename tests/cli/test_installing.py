"""Debian packages are installed for chosen roles alone, after a word, and without their services.

Nothing of this machine is touched: PATH has nothing but stand-ins, the one apt-get among them.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from unittest import mock

import pytest

from cli.command_lines import on_a_terminal, said
from wirelab import build

SABOTAGE = Path(__file__).parents[1] / "sabotage"
STAND_INS = Path(build.__file__).parent / "without_services"

AS_ROOT = (
    sys.executable,
    "-c",
    "import os; os.geteuid = lambda: 0; from wirelab.cli import main; main()",
)

SERVICES = """
[services.wanted]
source = "."
build = { kind = "none", debian = ["wanted-server"] }
run = { command = ["{python}", "{source}/../workers/reference.py"] }

[services.unwanted]
source = "."
build = { kind = "none", debian = ["unwanted-server"] }
run = { command = ["{python}", "{source}/../workers/reference.py"] }

[scenarios.turns]
"""

APT_GET = """#!/bin/sh
printf '%s\\n' "$*" >> {log}
case "$*" in
    *--no-download*) for last in "$@"; do :; done; echo "$last" >> {installed} ;;
esac
"""

DPKG_QUERY = """#!/bin/sh
echo asked >> {log}
while read -r name; do printf 'installed\\t%s\\t1.0\\n' "$name"; done < {installed}
"""

APT_CACHE = """#!/bin/sh
while read -r line; do
    test "$line" = update && echo "Package: $2" && exit
done < {log}
exit 100
"""


class Room:
    """A repository with a suite whose services want packages, and a machine that has none."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.programs = folder / "bin"
        self.programs.mkdir()
        self.apt_get = folder / "apt-get.log"
        self.dpkg_query = folder / "dpkg-query.log"
        self.installed = folder / "installed"
        self.installed.touch()
        (self.programs / "sh").symlink_to(shutil.which("sh") or "")
        self.program("apt-get", APT_GET.format(log=self.apt_get, installed=self.installed))
        self.program("dpkg-query", DPKG_QUERY.format(log=self.dpkg_query, installed=self.installed))
        suite = folder / "suites" / "turns"
        shutil.copytree(SABOTAGE / "closed", suite)
        shutil.copytree(SABOTAGE / "workers", folder / "suites" / "workers")
        (folder / "sdk").symlink_to(SABOTAGE.parents[1] / "sdk")
        manifest = suite / "suite.toml"
        manifest.write_text(manifest.read_text().replace("\n[scenarios.turns]\n", SERVICES, 1))
        self.contender("needy", 'provided_by = { server = "service:wanted" }')

    def program(self, name: str, script: str) -> None:
        """One more program on PATH."""
        (self.programs / name).write_text(script)
        (self.programs / name).chmod(0o755)

    def contender(self, name: str, provided: str) -> None:
        """One more contender, like the honest one."""
        contenders = self.folder / "suites/turns/contenders"
        honest = (contenders / "honest/contender.toml").read_text()
        (contenders / name).mkdir()
        text = honest.replace('"honest"', f'"{name}"', 1)
        text = text.replace('provided_by = { server = "service:tags" }', provided)
        (contenders / name / "contender.toml").write_text(text)

    @property
    def variables(self) -> Mapping[str, str]:
        """The environment of a user of this machine."""
        return {
            "PATH": str(self.programs),
            "XDG_CACHE_HOME": str(self.folder / "cache"),
            "WIRELAB_INSTALL": "",
        }

    def wl(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """``wl`` as root, with nobody to ask."""
        its = {**self.variables, **variables}
        with mock.patch.object(os, "geteuid", return_value=0):
            return said(*arguments, cwd=self.folder, root=self.folder, **its)

    def asked(self, *arguments: str, types: str) -> tuple[int, str]:
        """``wl`` as root, on a terminal."""
        return on_a_terminal(
            *arguments, cwd=self.folder, root=self.folder, wl=AS_ROOT, types=types, **self.variables
        )

    def calls(self) -> list[str]:
        """The installations: the last words of each."""
        if not self.apt_get.exists():
            return []
        lines = self.apt_get.read_text().splitlines()
        assert lines[0] == "update"
        assert all(line.startswith("install -y ") for line in lines[1:])
        assert all(f"DPkg::Path={STAND_INS}:" in line for line in lines[1:])
        return [" ".join(line.split()[-2:]) for line in lines[1:]]


INSTALLED = ["--download-only wanted-server", "--no-download wanted-server"]


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def test_of_several_packages_one_is_chosen_when_the_list_is_fresh(room: Room) -> None:
    room.program("apt-cache", APT_CACHE.format(log=room.apt_get))
    room.apt_get.touch()
    manifest = room.folder / "suites" / "turns" / "suite.toml"
    text = manifest.read_text()
    assert '"wanted-server"' in text
    manifest.write_text(text.replace('"wanted-server"', '"newest-server|wanted-server"'))
    ended = room.wl("build", "turns", "--contender", "needy", "--install")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert room.calls() == [f"--{when} newest-server" for when in ("download-only", "no-download")]


def test_nothing_is_installed_without_a_word(room: Room) -> None:
    ended = room.wl("build", "turns", "--contender", "needy")
    assert ended.returncode == 1
    assert (
        "wanted of turns: unavailable: Debian packages are missing: wanted-server; "
        "to mend it: say --install with run or build, which installs wanted-server and starts "
        "no service"
    ) in ended.stdout
    assert "contender needy of turns: ready" in ended.stdout
    assert room.calls() == []


@pytest.mark.parametrize("allowed", ["option", "variable"])
def test_what_was_allowed_is_installed_for_chosen_roles_alone(room: Room, allowed: str) -> None:
    option = ["--install"] if allowed == "option" else []
    variable = {"WIRELAB_INSTALL": "yes"} if allowed == "variable" else {}
    ended = room.wl("build", "turns", "--contender", "needy", *option, **variable)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert room.calls() == INSTALLED
    assert "Debian packages are missing: wanted-server\n" in ended.stderr
    assert "Services that come with them are neither started nor enabled at boot." in ended.stderr
    assert "unwanted" not in ended.stdout + ended.stderr


def test_who_needs_no_package_is_asked_nothing(room: Room) -> None:
    ended = room.wl("build", "turns", "--contender", "honest", "--install")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert room.calls() == []
    assert "Debian packages" not in ended.stderr


@pytest.mark.parametrize(("answer", "calls", "code"), [("y", INSTALLED, 0), ("n", [], 1)])
def test_a_user_at_a_terminal_is_asked(
    room: Room, answer: str, calls: list[str], code: int
) -> None:
    ended, shown = room.asked("build", "turns", "--contender", "needy", types=f"{answer}\n")
    assert "Debian packages are missing: wanted-server\n" in shown
    assert shown.count("Install them? [y/N]: ") == 1
    assert ended == code, shown
    assert room.calls() == calls


def test_a_run_goes_on_without_those_that_lack_packages(room: Room) -> None:
    ended = room.wl(
        *("run", "turns", "--profile", "once", "--report", "en.md"),
        *("--contender", "needy", "--contender", "honest"),
    )
    assert (
        "needy is unavailable: Debian packages are missing: wanted-server; "
        "to mend it: say --install with run or build, which installs wanted-server and starts "
        "no service"
    ) in ended.stdout
    assert room.calls() == []
    assert len(list(room.folder.glob("results/*/trials/*/trial.json"))) == 1, ended.stderr


def test_packages_are_asked_for_once(room: Room) -> None:
    """A list of hundreds of contenders asks dpkg for all of them at once."""
    ended = room.wl("list")
    assert "needy" in ended.stdout
    assert ended.stdout.count("not here") == 1
    assert room.dpkg_query.read_text().splitlines() == ["asked"]


def test_names_that_are_none_are_refused(room: Room) -> None:
    names = ["-oDir::Etc=/tmp", "redis-server-", "Redis", "a b", "redis-server|", "x", ""]
    manifest = room.folder / "suites/turns/suite.toml"
    text = manifest.read_text()
    assert '["wanted-server"]' in text
    manifest.write_text(text.replace('["wanted-server"]', json.dumps(names)))
    ended = room.wl("build", "turns", "--install")
    assert ended.returncode == 2
    for number in range(len(names)):
        assert f"services.wanted.build.debian[{number}]: expected the name of a Debian" in (
            ended.stderr
        )
    assert room.calls() == []


# ------------------------------------------------------------------ what packages then call


def called(tmp_path: Path, known: str, *command: str) -> list[str]:
    """Calls of system programs by a stand-in; ``known`` is a unit that was there."""
    system = tmp_path / "system"
    system.mkdir()
    log = tmp_path / "log"
    log.touch()
    for name in ("deb-systemd-helper", "deb-systemd-invoke", "invoke-rc.d", "update-rc.d"):
        script = f'#!/bin/sh\necho "{name} $*" >> {log}\n'
        script += f'case "$*" in *debian-installed*) test "$2" = "{known}" ;; esac\n'
        (system / name).write_text(script)
        (system / name).chmod(0o755)
    path = f"{STAND_INS}:{system}:/usr/bin:/bin"
    subprocess.run(command, env={"PATH": path}, check=True, executable=STAND_INS / command[0])
    return log.read_text().splitlines()


def test_a_new_unit_is_noted_as_switched_off(tmp_path: Path) -> None:
    assert called(tmp_path, "", "deb-systemd-helper", "enable", "redis-server.service") == [
        "deb-systemd-helper debian-installed redis-server.service",
        "deb-systemd-helper update-state redis-server.service",
    ]


def test_a_unit_that_was_there_stays_as_it_was(tmp_path: Path) -> None:
    unit = "redis-server.service"
    assert called(tmp_path, unit, "deb-systemd-helper", "enable", unit) == [
        f"deb-systemd-helper debian-installed {unit}",
        f"deb-systemd-helper enable {unit}",
    ]


def test_questions_of_packages_are_answered_by_the_system(tmp_path: Path) -> None:
    asked = ("deb-systemd-helper", "--quiet", "was-enabled", "redis-server.service")
    assert called(tmp_path, "", *asked) == [" ".join(asked)]


def test_an_init_script_is_off_at_boot(tmp_path: Path) -> None:
    assert called(tmp_path, "", "update-rc.d", "redis-server", "defaults") == [
        "update-rc.d redis-server defaults-disabled"
    ]


@pytest.mark.parametrize("program", ["invoke-rc.d", "deb-systemd-invoke"])
def test_no_service_is_started(tmp_path: Path, program: str) -> None:
    assert called(tmp_path, "", program, "start", "redis-server") == []
