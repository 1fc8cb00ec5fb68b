"""Every file that a build reads from elsewhere decides its key: else a stale build is taken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tree import suites_of_the_tree
from wirelab.bench.trials import harness_suite
from wirelab.build import Part, contender_part, engine_part, generator_part, service_part
from wirelab.build.interpreter import own
from wirelab.build.kinds import builders
from wirelab.build.pom import pom_of
from wirelab.catalog import SuiteEntry
from wirelab.model.builds import Build

ROOT = Path(__file__).parents[2]
DESCRIBE_BUILDS = ("CMakeLists.txt", "Cargo.toml", "go.mod", "package.json", "build.rs")
NAMED = re.compile(
    r"\$\{(?:WIRELAB_|wirelab\.)(?P<root>SUITE|SDK|suite|sdk)\}(?P<inside>/[\w./-]+)"
    r"|(?P<beside>(?:\.\./)+[\w./-]+)"
)


def parts() -> Iterator[Part]:
    """Everything in the tree that is built."""
    yield engine_part(ROOT)
    for suite in (*suites_of_the_tree().suites.values(), harness_suite(ROOT)):
        yield from parts_of(suite)


def parts_of(suite: SuiteEntry) -> Iterator[Part]:
    for name in suite.manifest.services:
        yield service_part(suite, name)
    for name in suite.manifest.generators:
        yield generator_part(suite, name)
    for entry in suite.contenders.values():
        if entry.manifest.build.kind != "engine":
            yield contender_part(suite, entry)


def needs_of(part: Part) -> Iterator[Part]:
    for need in part.needs():
        yield need
        yield from needs_of(need)


def read_from(part: Part) -> Iterator[Path]:
    """The places that the files describing a build name outside of their folder."""
    described = [part.source / name for name in DESCRIBE_BUILDS]
    texts = [file.read_text("utf-8") for file in described if file.is_file()]
    if part.build.kind == "maven":
        texts.append(pom_of(part))
    for text in texts:
        for found in NAMED.finditer(text):
            roots = {"suite": part.room, "sdk": ROOT / "sdk"}
            if found["root"]:
                place = roots[found["root"].lower()] / found["inside"].lstrip("/")
            else:
                place = part.source / found["beside"]
            if not place.resolve().is_relative_to(part.source.resolve()):
                yield place.resolve()


def test_what_a_build_reads_from_elsewhere_is_in_its_key() -> None:
    by_kind = builders(own())
    looked_at, missed = 0, []
    for part in parts():
        builder = by_kind[part.build.kind]
        known = [need.source.resolve() for need in needs_of(part)]
        known += [(ROOT / "sdk" / builder.sdk).resolve()] if builder.sdk else []
        for place in read_from(part):
            looked_at += 1
            # The POM's own folders of the suite are in the key by themselves.
            covered = part.build.kind == "maven" or any(map(place.is_relative_to, known))
            if not covered:
                missed.append(f"{part.title}: {place.relative_to(ROOT)}")
    assert looked_at > 100
    assert missed == []


def test_contenders_that_share_sources_share_the_pom() -> None:
    """Each names its packages, and they are built once only where they name the same: all but one,
    which has Jetty in the place of Tomcat.
    """
    by_source: dict[Path, set[str]] = {}
    sharing = 0
    for part in parts():
        if part.build.kind == "maven":
            poms = by_source.setdefault(part.source.resolve(), set())
            sharing += bool(poms)
            poms.add(pom_of(part))
    assert sharing > 5
    several = {source.name: len(poms) for source, poms in by_source.items() if len(poms) > 1}
    assert several == {"spring-websocket": 2}


@pytest.mark.parametrize("changed", ["shared/one.java", "shared/deeper/two.java"])
def test_a_folder_that_a_pom_names_is_in_the_key(tmp_path: Path, changed: str) -> None:
    source, shared = tmp_path / "contender", tmp_path / "shared"
    (shared / "deeper").mkdir(parents=True)
    source.mkdir()
    (source / "pom.xml").write_text("<source>${wirelab.suite}/shared</source>")
    maven = builders(own())["maven"]
    build = Build(kind="maven")
    part = Part(suite="demo", name="one", title="one", source=source, build=build, room=tmp_path)
    before = maven.inputs(part)
    (tmp_path / changed).write_text("class Two {}")
    assert maven.inputs(part) != before
