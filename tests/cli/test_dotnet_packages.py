"""Packages of NuGet that no lock file pins beforehand: the first restore on a machine does."""

from __future__ import annotations

import json
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from cli.command_lines import piped
from cli.nuget_homes import NuGetHome
from reports_of_runs import with_reports

TESTS = Path(__file__).parents[1]
CONTENDER = """\
contender = "swift"
title = "Swift"
language = "C#"
provided_by = {{ server = "service:tags" }}

[library]
name = "tiny"
version = "1.2.3.4"
licence = "MIT"

[build]
kind = "dotnet"
dependencies = ["Wirelab.Tiny:1.2.3.4"]
{pinned}

[run]
command = ["{{dotnet}}", "{{build}}/app/app.dll"]
"""
PINNED = """\
pinned = "version"
pinned_because = { en = "No machine of ours could have it.", ko = "구할 수 없었습니다." }
"""
NUSPEC = """\
<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd">
  <metadata>
    <id>Wirelab.Tiny</id>
    <version>1.2.3.4</version>
    <authors>wirelab</authors>
    <description>Nothing.</description>
    <license type="expression">MIT</license>
  </metadata>
</package>
"""
PROGRAM = "System.Console.Error.WriteLine({words});\nSystem.Environment.Exit(1);\n"
LOCK = "packages.lock.json"
REMEDY = "add a NuGet source that has it: dotnet nuget add source FOLDER-OR-ADDRESS"
TOLD = {
    "en": (
        "- Swift (C#): packages pinned by version alone. No machine of ours could have it. "
        "Local source: Wirelab.Tiny 1.2.3.4.",
        "| packages pinned by | version, local source |",
    ),
    "ko": (
        "- Swift (C#): 패키지를 버전으로만 고정했습니다. 구할 수 없었습니다. "
        "로컬 소스: Wirelab.Tiny 1.2.3.4.",
        "| 패키지 고정 방식 | 버전, 로컬 소스 |",
    ),
}
"""Text of the reports about a contender whose package came from a folder."""


class Room:
    """A repository with a suite of a contender in C#, and a machine with a NuGet of its own."""

    def __init__(self, root: Path, home: NuGetHome) -> None:
        self.root = root
        self.home = home
        self.contender = root / "suites/turns/contenders/swift"

    def declare(self, pinned: str = PINNED) -> None:
        (self.contender / "contender.toml").write_text(CONTENDER.format(pinned=pinned))

    def says(self, words: str) -> None:
        """Another text of the program, and so another build."""
        (self.contender / "Program.cs").write_text(PROGRAM.format(words=json.dumps(words)))

    def publish(self, content: str) -> None:
        """Put a package with this content into the source."""
        with zipfile.ZipFile(self.home.source / "Wirelab.Tiny.1.2.3.4.nupkg", "w") as package:
            package.writestr("Wirelab.Tiny.nuspec", NUSPEC)
            package.writestr("lib/net10.0/_._", "")
            package.writestr("readme.txt", content)

    def wl(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return piped(*arguments, cwd=self.root, root=self.root, **self.home.variables)

    def built(self) -> subprocess.CompletedProcess[str]:
        return self.wl("build", "turns", "--contender", "swift")

    def reports(self) -> dict[str, str]:
        """The reports of a run with it, by language."""
        asked = with_reports(("run", "turns", "--profile", "once", "--contender", "swift"))
        ended = self.wl(*asked)
        run = max(self.root.glob("results/*/run.json"))
        assert "the first build speaks" in ended.stdout
        return {name: (run.parent / f"report-{name}.md").read_text() for name in TOLD}

    def locks(self) -> list[Path]:
        """Lock files that first restores have left."""
        return list(self.home.builds.glob(f"*.{LOCK}"))


@pytest.fixture
def room(tmp_path: Path) -> Room:
    for name, place in (("closed", "turns"), ("workers", "workers")):
        shutil.copytree(TESTS / "sabotage" / name, tmp_path / "suites" / place)
    (tmp_path / "sdk").symlink_to(TESTS.parent / "sdk")
    room = Room(tmp_path, NuGetHome(tmp_path / "home"))
    room.contender.mkdir(parents=True)
    room.declare()
    room.says("the first build speaks")
    return room


@pytest.mark.needs("dotnet")
def test_packages_that_no_source_has_are_told_by_name(tmp_path: Path) -> None:
    home = NuGetHome(tmp_path / "home")

    def wl(*arguments: str) -> subprocess.CompletedProcess[str]:
        return piped(*arguments, cwd=tmp_path, **home.variables)

    wanted = {
        "csharp-cgd-original": ("codec", "CGDK.buffer 3.2.1.1"),
        "csharp-opcfoundation": ("opcua", "OPCFoundation.NetStandard.Opc.Ua.Client 1.5.376.213"),
    }
    listed = wl("list", "codec", "opcua").stdout.splitlines()
    examined = wl("doctor").stdout.splitlines()
    for name, (suite, package) in wanted.items():
        missing = f"no source of NuGet has the package {package}"
        [line] = [line for line in listed if line.startswith(f"  {name} ")]
        assert "  not here  " in line
        assert line.endswith(f"{missing}; to mend it: {REMEDY}")
        [place] = [n for n, line in enumerate(examined) if f"{name} of {suite} " in line]
        assert examined[place].startswith("warn  packages")
        assert examined[place].endswith(f"is unavailable: {missing}")
        assert examined[place + 1].strip() == REMEDY
    built = wl("build", "codec", "--contender", "csharp-cgd-original")
    assert built.returncode == 1
    assert (
        "contender csharp-cgd-original of codec: unavailable: no source of NuGet has the package "
        f"CGDK.buffer 3.2.1.1; to mend it: {REMEDY}"
    ) in built.stdout


@pytest.mark.needs("dotnet")
def test_the_first_restore_holds_later_ones_to_what_it_found(room: Room) -> None:
    ran = room.wl("run", "turns", "--profile", "once", "--contender", "swift")
    assert (
        "swift is unavailable: no source of NuGet has the package Wirelab.Tiny 1.2.3.4; "
        f"to mend it: {REMEDY}"
    ) in ran.stdout + ran.stderr
    assert room.locks() == []

    room.publish("the first")
    first = room.built()
    assert first.returncode == 0, first.stdout + first.stderr
    [lock] = room.locks()
    assert lock.name.startswith("turns-swift-")
    held = lock.read_bytes()
    assert "Wirelab.Tiny" in json.loads(held)["dependencies"]["net10.0"]
    assert not (room.contender / LOCK).exists()
    reports = room.reports()
    for language, told in TOLD.items():
        for said in told:
            assert said in reports[language]

    room.publish("another of the same version")
    shutil.rmtree(room.home.packages)
    room.says("the second build speaks")
    changed = room.built()
    assert changed.returncode == 1
    assert f"the packages are not those of {lock.name}" in changed.stdout
    assert f"to mend it: if that is meant: rm {lock}, and build again" in changed.stdout
    assert lock.read_bytes() == held

    lock.unlink()
    meant = room.built()
    assert meant.returncode == 0, meant.stdout + meant.stderr
    assert room.locks() == [lock]
    assert lock.read_bytes() != held


@pytest.mark.needs("dotnet")
def test_a_lock_file_beside_it_says_something_else(room: Room) -> None:
    room.publish("the first")
    (room.contender / LOCK).write_text("{}")
    refused = room.built()
    assert refused.returncode == 1
    assert (
        f'{LOCK} pins the packages by hash, and [build] says pinned = "version"' in refused.stdout
    )


@pytest.mark.parametrize(
    ("pinned", "expected"),
    [
        pytest.param('pinned = "version"', "pinned: pinned_because is missing", id="no reason"),
        pytest.param(
            'pinned_because = "so"',
            'pinned_because: a reason for pinned = "version", which is not there',
            id="nothing that it is a reason for",
        ),
        pytest.param('pinned = "name"', "build.pinned", id="another word"),
    ],
)
def test_what_is_written_wrong_is_told(room: Room, pinned: str, expected: str) -> None:
    room.declare(pinned)
    refused = room.built()
    assert refused.returncode == 2
    assert expected in refused.stderr
