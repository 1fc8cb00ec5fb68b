"""A part in C#: its project, its packages and their lock, and where dotnet is looked for."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from build_parts import Sources, output_of

from wirelab import cache
from wirelab.build import Part, PartBuilds, Unavailable, nuget_sources, tools
from wirelab.build.dotnet import runtime_of
from wirelab.build.interpreter import own
from wirelab.build.kinds import builders
from wirelab.build.project import WRITTEN, project_of
from wirelab.catalog import LibraryEntry
from wirelab.model.builds import Build
from wirelab.model.contender import Library

GOLDEN = Path(__file__).parent / "golden" / "app.csproj"
PACKAGE = "Newtonsoft.Json:13.0.4"


def declaring(room: Path, *dependencies: str) -> Part:
    """A contender of a suite with sources to share."""
    build = Build(kind="none")
    shared = LibraryEntry(
        Library(library="shared", version="1", licence="MIT", build=build),
        room / "libraries" / "shared",
    )
    (shared.folder / "src").mkdir(parents=True, exist_ok=True)
    source = room / "contenders" / "one"
    source.mkdir(parents=True, exist_ok=True)
    return Part(
        suite="demo",
        name="one",
        title="one",
        source=source,
        build=Build(kind="dotnet", needs=["shared"], dependencies=list(dependencies or [PACKAGE])),
        room=room,
        libraries={"shared": shared},
    )


def test_the_project_of_a_manifest(tmp_path: Path) -> None:
    assert project_of(declaring(tmp_path)).text == GOLDEN.read_text("utf-8")


def test_frameworks_of_a_manifest_are_referred_to(tmp_path: Path) -> None:
    part = declaring(tmp_path)
    build = part.build.model_copy(update={"frameworks": ["Microsoft.AspNetCore.App"]})
    written = project_of(dataclasses.replace(part, build=build)).text
    reference = '    <FrameworkReference Include="Microsoft.AspNetCore.App" />\n'
    group = f"\n  <ItemGroup>\n{reference}  </ItemGroup>\n"
    assert written.replace(group, "") == GOLDEN.read_text("utf-8")
    (part.source / "one.csproj").write_text("<Project/>")
    build = Build(kind="dotnet", frameworks=build.frameworks)
    with pytest.raises(
        Unavailable, match="is used as it is, and \\[build\\] names frameworks as well"
    ):
        project_of(dataclasses.replace(part, build=build))


def test_a_project_of_its_own_is_taken_as_it_is(tmp_path: Path) -> None:
    part = declaring(tmp_path)
    written = project_of(part).text
    (part.source / "one.csproj").write_text(written)
    assert project_of(part) == ("one.csproj", written)
    (part.source / "one.csproj").write_text("<Project/>")
    with pytest.raises(
        Unavailable, match="is used as it is, and \\[build\\] names dependencies as well"
    ):
        project_of(part)
    part = dataclasses.replace(part, build=Build(kind="dotnet"))
    assert project_of(part).text == "<Project/>"
    (part.source / "two.csproj").write_text("<Project/>")
    with pytest.raises(Unavailable, match=r"has several projects: one\.csproj, two\.csproj"):
        project_of(part)


def _another_version(room: Path) -> Part:
    return declaring(room, "Newtonsoft.Json:13.0.3")


def _another_lock(room: Path) -> Part:
    part = declaring(room)
    (part.source / "packages.lock.json").write_text("{}")
    return part


def _another_shared_source(room: Path) -> Part:
    part = declaring(room)
    (room / "libraries/shared/src/One.cs").write_text("namespace One;\n")
    return part


@pytest.mark.parametrize("changed", [_another_version, _another_lock, _another_shared_source])
def test_what_a_build_depends_on_is_in_the_key(
    tmp_path: Path, changed: Callable[[Path], Part]
) -> None:
    dotnet = builders(own())["dotnet"]
    before = dotnet.inputs(declaring(tmp_path))
    assert dotnet.inputs(changed(tmp_path)) != before


def program(folder: Path, version: str) -> Path:
    """A dotnet that says its version."""
    folder.mkdir(parents=True)
    file = folder / "dotnet"
    file.write_text(f"#!/bin/sh\necho {version}\n")
    file.chmod(0o755)
    return file


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without dotnet: the one folder of its PATH, which is empty."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("DOTNET_ROOT", raising=False)
    return tmp_path / "bin"


def test_dotnet_is_looked_for_on_path_and_where_its_installer_puts_it(
    machine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert tools.DOTNET.find() is None
    monkeypatch.setenv("DOTNET_ROOT", str(tmp_path / "root"))
    for folder in (tmp_path / "home/.dotnet", tmp_path / "root", machine):
        here = program(folder, "10.0.100")
        found = tools.DOTNET.find()
        assert found is not None
        assert (found.path, found.version) == (here, "10.0.100")


@pytest.mark.parametrize(
    ("version", "reason"),
    [("", "dotnet is missing"), ("8.0.417", "dotnet 8.0.417 is too old, 10 is needed")],
)
def test_a_machine_without_it_is_told_what_to_install(
    machine: Path, workshop: PartBuilds, sources: Sources, version: str, reason: str
) -> None:
    if version:
        program(machine, version)
    part = sources.part("dotnet")
    refused = workshop.lacking(part)
    assert refused is not None
    with pytest.raises(Unavailable) as raised:
        workshop.prepare(part)
    for told in (refused, raised.value):
        assert told.reason == reason
        assert told.remedy == (
            "install the .NET SDK 10.0 or later: on PATH, in DOTNET_ROOT or in ~/.dotnet"
        )


def test_a_role_sees_the_runtime_and_not_all_that_lies_beside_it(tmp_path: Path) -> None:
    real = program(tmp_path / ".dotnet", "10.0.100")
    link = tmp_path / "bin" / "dotnet"
    link.parent.mkdir()
    link.symlink_to(real)
    beside = [real.parent / "host", real.parent / "shared"]
    assert runtime_of(link) == [link, real, *beside]


TINY = "Wirelab.Tiny:1.2.3.4"


@pytest.fixture
def downloads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of what was fetched, in which there is nothing."""
    monkeypatch.setenv(cache.DOWNLOADS, str(tmp_path / "downloads"))
    return tmp_path / "downloads"


def answering(here: Path, sources: str) -> Path:
    """A dotnet with these sources."""
    file = program(here / "bin", "10.0.100")
    file.write_text(f"#!/bin/sh\ncase $2 in\nlist) {sources} ;;\nesac\n")
    return file


@pytest.mark.usefixtures("downloads")
@pytest.mark.parametrize(
    ("sources", "known"),
    [
        pytest.param("echo E {here}/folder", True, id="a folder"),
        pytest.param("echo E {here}/folder; echo D https://host/index", True, id="switched off"),
        pytest.param("echo E {here}/folder; echo E https://host/index", False, id="a server"),
        pytest.param("echo broken; exit 1", False, id="no answer"),
        pytest.param("echo", True, id="no source at all"),
    ],
)
def test_a_package_is_missing_where_only_folders_could_have_it(
    tmp_path: Path, sources: str, known: bool
) -> None:
    missing = nuget_sources.absent([TINY], answering(tmp_path, sources.format(here=tmp_path)))
    assert (missing is not None) == known
    if missing is not None:
        assert missing.reason == "no source of NuGet has the package Wirelab.Tiny 1.2.3.4"
        assert "dotnet nuget add source" in missing.remedy


@pytest.mark.usefixtures("downloads")
@pytest.mark.parametrize(
    "place",
    [
        "folder/Wirelab.Tiny.1.2.3.4.nupkg",
        "folder/wirelab.tiny/1.2.3.4/wirelab.tiny.1.2.3.4.nupkg",
        "downloads/dotnet/wirelab.tiny/1.2.3.4/wirelab.tiny.1.2.3.4.nupkg",
    ],
)
def test_a_package_lies_in_a_folder_as_nuget_lays_it_out(tmp_path: Path, place: str) -> None:
    dotnet = answering(tmp_path, f"echo E {tmp_path}/folder")
    file = tmp_path / place
    file.parent.mkdir(parents=True)
    file.touch()
    assert nuget_sources.absent([TINY], dotnet) is None
    another = nuget_sources.absent([TINY, "Wirelab.Tiny:1.2.3.5"], dotnet)
    assert another is not None
    assert another.reason.endswith(" Wirelab.Tiny 1.2.3.5")


def test_a_restore_tells_which_package_it_did_not_find() -> None:
    """In the words of NuGet 7."""
    said = """dotnet publish failed with exit code 1:
/tmp/a.csproj : error NU1102: Unable to find package Wirelab.Tiny with version (= 1.2.3.4)
/tmp/a.csproj : error NU1102:   - Found 2 version(s) in feed [ Nearest version: 1.2.3.3 ]
/tmp/a.csproj : error NU1101: Unable to find package No.Such. No packages exist with this id"""
    told = nuget_sources.refused(Unavailable(said), [TINY, "No.Such:1.0.0"])
    assert told is not None
    assert told.reason.endswith("has the package Wirelab.Tiny 1.2.3.4, No.Such 1.0.0")
    assert nuget_sources.refused(Unavailable("error CS0103: no such name"), [TINY]) is None


def servers() -> set[int]:
    """Processes of dotnet that outlive a command: of MSBuild, and of the compiler."""
    words = ("MSBuild", "VBCSCompiler")
    return {
        process.pid
        for process in psutil.process_iter(["cmdline"])
        if any(word in part for part in process.info["cmdline"] or () for word in words)
    }


def are_over(processes: set[int]) -> bool:
    """Whether they end: those of other builds do with them, and a server waits for ten minutes."""
    deadline = time.monotonic() + 120
    while processes & servers() and time.monotonic() < deadline:
        time.sleep(0.2)
    return not processes & servers()


@pytest.mark.needs("dotnet")
def test_a_build_of_a_package(
    sources: Sources, workshop: PartBuilds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    part = sources.part("dotnet", dependencies=[PACKAGE])
    before = {file: file.read_bytes() for file in part.source.rglob("*") if file.is_file()}
    running = servers()
    built = workshop.prepare(part)
    assert are_over(servers() - running)
    assert {f: f.read_bytes() for f in part.source.rglob("*") if f.is_file()} == before
    assert output_of(built.command("client")) == "[1.5]"
    (package,) = built.ownership.dependencies
    assert (package.name, package.version, package.licence) == ("Newtonsoft.Json", "13.0.4", "MIT")
    assert package.direct
    assert built.ownership.toolchain == {"dotnet": tools.DOTNET.find().version}
    published = {file.name for file in (built.output / "app").iterdir()}
    assert published == {
        *("app.dll", "app.deps.json", "app.runtimeconfig.json", "Newtonsoft.Json.dll")
    }
    assert (built.output / WRITTEN).read_text() == project_of(part).text


@pytest.mark.needs("dotnet")
def test_packages_that_nothing_pins_are_refused(sources: Sources, workshop: PartBuilds) -> None:
    part = sources.part("dotnet", dependencies=[PACKAGE])
    lock = part.source / "packages.lock.json"
    kept = json.loads(lock.read_text())
    lock.unlink()
    with pytest.raises(Unavailable, match=r"packages\.lock\.json is missing") as raised:
        workshop.prepare(part)
    subprocess.run(raised.value.remedy, shell=True, check=True)
    assert json.loads(lock.read_text()) == kept


@pytest.mark.needs("dotnet")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("[13.0.4, 13.0.4]", "[13.0.3, 13.0.3]", id="another version"),
        pytest.param('"contentHash": "', '"contentHash": "A', id="another content"),
    ],
)
def test_packages_of_another_lock_are_refused(
    sources: Sources, workshop: PartBuilds, old: str, new: str
) -> None:
    part = sources.part("dotnet", dependencies=[PACKAGE])
    lock = part.source / "packages.lock.json"
    text = lock.read_text()
    assert old in text
    lock.write_text(text.replace(old, new))
    with pytest.raises(Unavailable, match=r"packages are not those of packages\.lock\.json"):
        workshop.prepare(part)
