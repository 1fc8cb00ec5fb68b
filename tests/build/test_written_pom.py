"""The POM that is written from a manifest, and what of it decides over a build."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from wirelab.build import Part
from wirelab.build.interpreter import own
from wirelab.build.jars import read_pom
from wirelab.build.kinds import builders
from wirelab.build.pom import pom_of
from wirelab.build.unavailable import Unavailable
from wirelab.catalog import LibraryEntry
from wirelab.model.builds import Build
from wirelab.model.contender import Library

GOLDEN = Path(__file__).parent / "golden" / "pom.xml"
DECLARED = {
    "needs": ["shared", "schemas"],
    "boms": ["io.netty:netty-bom:4.2.18.Final"],
    "dependencies": [
        "io.netty:netty-codec-http",
        "io.netty:netty-transport-native-epoll:4.2.18.Final:linux-x86_64",
        "io.netty:netty-transport-native-epoll:4.2.18.Final:linux-aarch_64",
        "org.slf4j:slf4j-simple:2.0.17",
    ],
    "constraints": ["org.bouncycastle:bcutil-jdk18on:1.80.2"],
    "exclusions": ["io.netty:netty-resolver-dns-native-macos"],
}


def library(room: Path, name: str, *dependencies: str) -> LibraryEntry:
    build = Build(kind="none", dependencies=list(dependencies))
    manifest = Library(library=name, version="1", licence="MIT", build=build)
    return LibraryEntry(manifest, room / "libraries" / name)


def declaring(room: Path, **build: object) -> Part:
    """A contender of a suite with sources to share; of ``schemas`` none is in Java."""
    shared = library(
        room, "shared", "org.hdrhistogram:HdrHistogram:2.2.2", "org.slf4j:slf4j-simple:1"
    )
    (shared.folder / "src/main/java").mkdir(parents=True, exist_ok=True)
    source = room / "contenders" / "one"
    source.mkdir(parents=True, exist_ok=True)
    return Part(
        suite="demo",
        name="one",
        title="one",
        source=source,
        build=Build.model_validate({"kind": "maven", **DECLARED, **build}),
        room=room,
        libraries={"shared": shared, "schemas": library(room, "schemas")},
    )


def test_the_pom_of_a_manifest(tmp_path: Path) -> None:
    text = pom_of(declaring(tmp_path))
    assert text == GOLDEN.read_text("utf-8")
    read = read_pom(text.encode())
    assert read is not None
    assert read.dependencies() == {
        *("netty-codec-http", "netty-transport-native-epoll"),
        *("slf4j-simple", "HdrHistogram"),
    }


def test_resources_of_shared_sources_are_packaged(tmp_path: Path) -> None:
    part = declaring(tmp_path)
    assert "resource" not in pom_of(part).split("<plugins>")[1].split("</plugin>")[0]
    (tmp_path / "libraries/shared/src/main/resources").mkdir()
    folders = [
        one.findtext("{*}directory")
        for one in ElementTree.fromstring(pom_of(part)).iter()
        if one.tag.endswith("}resource")
    ]
    assert folders == ["${wirelab.suite}/libraries/shared/src/main/resources"]


def test_a_part_that_declares_nothing_has_a_pom_too(tmp_path: Path) -> None:
    part = dataclasses.replace(declaring(tmp_path), build=Build(kind="maven"))
    read = read_pom(pom_of(part).encode())
    assert read is not None
    assert read.dependencies() == set()
    assert read.text("build", "finalName") == "app"


def test_a_pom_of_its_own_is_taken_as_it_is(tmp_path: Path) -> None:
    part = dataclasses.replace(declaring(tmp_path), build=Build(kind="maven", needs=["shared"]))
    (part.source / "pom.xml").write_text("<project/>")
    assert pom_of(part) == "<project/>"


def test_a_copy_of_the_written_pom_may_lie_beside_the_manifest(tmp_path: Path) -> None:
    part = declaring(tmp_path)
    written = pom_of(part)
    (part.source / "pom.xml").write_text(written)
    assert pom_of(part) == written
    with pytest.raises(Unavailable, match="boms, constraints, exclusions as well"):
        pom_of(declaring(tmp_path, dependencies=[]))


def _another_version(room: Path) -> Part:
    return declaring(room, boms=["io.netty:netty-bom:4.2.20.Final"])


def _another_package_of_the_library(room: Path) -> Part:
    part = declaring(room)
    return dataclasses.replace(
        part, libraries={**part.libraries, "shared": library(room, "shared", "a:b:1")}
    )


def _another_shared_source(room: Path) -> Part:
    part = declaring(room)
    (room / "libraries/shared/src/main/java/One.java").write_text("class One {}\n")
    return part


@pytest.mark.parametrize(
    "changed", [_another_version, _another_package_of_the_library, _another_shared_source]
)
def test_what_the_pom_depends_on_is_in_the_key(
    tmp_path: Path, changed: Callable[[Path], Part]
) -> None:
    maven = builders(own())["maven"]
    before = maven.inputs(declaring(tmp_path))
    assert maven.inputs(changed(tmp_path)) != before


def test_clones_write_the_same_pom(tmp_path: Path) -> None:
    first = declaring(tmp_path / "first")
    shutil.copytree(tmp_path / "first", tmp_path / "second")
    assert pom_of(declaring(tmp_path / "second")) == pom_of(first)


def test_names_of_folders_are_told_as_xml(tmp_path: Path) -> None:
    part = declaring(tmp_path)
    odd = library(tmp_path, "shared")
    odd = dataclasses.replace(odd, folder=tmp_path / "a & b")
    (odd.folder / "src/main/java").mkdir(parents=True)
    text = pom_of(dataclasses.replace(part, libraries={**part.libraries, "shared": odd}))
    sources = [
        one.text for one in ElementTree.fromstring(text).iter() if one.tag.endswith("}source")
    ]
    assert sources == [
        "${wirelab.sdk}/java/src/main/java",
        "${wirelab.suite}/a & b/src/main/java",
    ]
