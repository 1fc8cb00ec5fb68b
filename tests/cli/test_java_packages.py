"""A contender in Java names its packages in its manifest, and ``wl build`` writes the POM."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from cli.command_lines import piped

TESTS = Path(__file__).parents[1]
CONTENDER = """\
contender = "swift"
title = "Swift"
language = "Java"
provided_by = {{ server = "service:tags" }}

[library]
name = "slf4j"
version = "2.0.17"
licence = "MIT"

[build]
kind = "maven"
{build}

[run]
command = ["{{java}}", "-cp", "{{build}}/app.jar:{{build}}/lib/*", "demo.Main"]
"""
WINGS = """\
library = "wings"
version = "1"
licence = "MIT"

[build]
kind = "none"
dependencies = ["org.slf4j:slf4j-api:2.0.17"]
"""
DECLARED = """\
needs = ["wings"]
dependencies = ["org.slf4j:slf4j-simple:2.0.17"]
"""


class Room:
    """A repository with a suite of a contender in Java, and of sources that it needs."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.contender = root / "suites/turns/contenders/swift"

    def declare(self, build: str) -> None:
        """The ``[build]`` of the contender's manifest."""
        (self.contender / "contender.toml").write_text(CONTENDER.format(build=build))

    def built(self) -> subprocess.CompletedProcess[str]:
        """``wl build`` of the contender, in a store of its own."""
        asked = ("build", "turns", "--contender", "swift")
        cache = str(self.root / "cache")
        return piped(*asked, cwd=self.root, root=self.root, XDG_CACHE_HOME=cache)

    def output(self) -> Path:
        """The folder of its build."""
        (record,) = self.root.glob("cache/wirelab/builds/turns-swift-*/build.json")
        return record.parent


@pytest.fixture
def room(tmp_path: Path) -> Room:
    for name, place in (("closed", "turns"), ("workers", "workers")):
        shutil.copytree(TESTS / "sabotage" / name, tmp_path / "suites" / place)
    (tmp_path / "sdk").symlink_to(TESTS.parent / "sdk")
    room = Room(tmp_path)
    shutil.copytree(TESTS / "build/fixtures/maven", room.contender)
    (room.contender / "pom.xml").unlink()
    wings = tmp_path / "suites/turns/libraries/wings"
    source = wings / "src/main/java/wings/Wings.java"
    source.parent.mkdir(parents=True)
    source.write_text("package wings;\n\npublic final class Wings {\n}\n")
    (wings / "library.toml").write_text(WINGS)
    return room


@pytest.mark.needs("mvn")
def test_a_contender_without_a_pom_is_built_from_its_manifest(room: Room) -> None:
    room.declare(DECLARED)
    before = sorted(room.contender.rglob("*"))
    ended = room.built()
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "contender swift of turns: ready" in ended.stdout
    assert "2 dependencies" in ended.stdout
    output = room.output()
    assert {jar.name for jar in output.glob("lib/*.jar")} == {
        "slf4j-api-2.0.17.jar",
        "slf4j-simple-2.0.17.jar",
    }
    with zipfile.ZipFile(output / "app.jar") as jar:
        assert {"demo/Main.class", "wings/Wings.class"} <= set(jar.namelist())
    assert "<artifactId>slf4j-simple</artifactId>" in (output / "pom.xml").read_text()
    assert sorted(room.contender.rglob("*")) == before


@pytest.mark.needs("mvn")
def test_a_pom_of_its_own_is_not_read_beside_what_the_manifest_says(room: Room) -> None:
    shutil.copy(TESTS / "build/fixtures/maven/pom.xml", room.contender)
    room.declare(DECLARED)
    ended = room.built()
    assert ended.returncode == 1
    own = room.contender / "pom.xml"
    assert f"{own} is used as it is, and [build] names dependencies as well" in ended.stdout
    assert "to mend it: remove the one or the other" in ended.stdout


@pytest.mark.parametrize(
    ("build", "expected"),
    [
        pytest.param(
            'dependencies = [\n  "org.slf4j:slf4j-api:2.0.17",\n  "slf4j-simple",\n]',
            "15: build.dependencies[1]: expected the coordinates of a Java package, "
            '"group:artifact:version", with ":classifier" after it where it has one, '
            'or of a NuGet package, "id:version", found the text "slf4j-simple"',
            id="no coordinates",
        ),
        pytest.param(
            'dependencies = ["org.slf4j:slf4j-api:[1.7,2.1)"]',
            "13: build.dependencies[0]: expected the coordinates of a Java package",
            id="a range of versions",
        ),
        pytest.param(
            'dependencies = ["org.slf4j:slf4j-api"]',
            '13: build.dependencies[0]: no version, write "org.slf4j:slf4j-api:VERSION" or boms '
            "that give it one",
            id="no version",
        ),
        pytest.param(
            'boms = ["org.slf4j:slf4j-bom"]',
            "13: build.boms[0]: expected the coordinates of a Java package, "
            '"group:artifact:version", found the text "org.slf4j:slf4j-bom"',
            id="a BOM without a version",
        ),
        pytest.param(
            'exclusions = ["org.slf4j:slf4j-api:2.0.17"]',
            '13: build.exclusions[0]: expected a Java package, "group:artifact", '
            'found the text "org.slf4j:slf4j-api:2.0.17"',
            id="an exclusion with a version",
        ),
        pytest.param(
            'dependency = ["org.slf4j:slf4j-api:2.0.17"]',
            '13: build.dependency: unknown key, did you mean "dependencies"?',
            id="an unknown key",
        ),
    ],
)
def test_what_is_written_wrong_is_told(room: Room, build: str, expected: str) -> None:
    room.declare(build)
    ended = room.built()
    assert ended.returncode == 2
    assert f"suites/turns/contenders/swift/contender.toml:{expected}" in ended.stderr


@pytest.mark.parametrize("kind", ["none", "cargo"])
def test_packages_are_for_builds_that_fetch_them(room: Room, kind: str) -> None:
    room.declare(DECLARED)
    manifest = room.contender / "contender.toml"
    manifest.write_text(manifest.read_text().replace('"maven"', f'"{kind}"'))
    ended = room.built()
    assert ended.returncode == 2
    refused = "build.dependencies: only builds of the kind maven or dotnet have dependencies"
    assert refused in ended.stderr
