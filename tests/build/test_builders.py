"""Every builder builds a small real project, and reads from it what it costs to own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from build_parts import FIXTURES, Sources, output_of

from wirelab.build import Built, Part, PartBuilds, Unavailable
from wirelab.build.content import content_hash


def prepared(workshop: PartBuilds, part: Part) -> Built:
    """The part; the test is skipped when this machine lacks the tool for it."""
    if refused := workshop.lacking(part):
        pytest.skip(refused.reason)
    before = all_files(part.source)
    built = workshop.prepare(part)
    assert all_files(part.source) == before, "sources are never written to"
    return built


def all_files(folder: Path) -> dict[str, bytes]:
    return {str(f): f.read_bytes() for f in sorted(folder.rglob("*")) if f.is_file()}


def test_cmake_with_a_library_of_the_suite(workshop, sources):
    built = prepared(workshop, sources.part("program", "cmake"))
    assert output_of(built.command("client")) == "hello"
    (library,) = built.ownership.dependencies
    assert (library.name, library.version, library.licence) == ("greeting", "1.2", "MIT")
    assert library.direct
    assert built.ownership.lines == 6
    assert built.ownership.worker_lines == 6 + 5
    assert built.ownership.common_lines == 1
    assert built.ownership.install_bytes == (built.output / "bin" / "program").stat().st_size
    assert set(built.ownership.toolchain) == {"cmake", "make", "cc"}


def test_what_measures_a_program_is_no_dependency_of_it(workshop, sources):
    built = prepared(workshop, sources.part("program", "cmake", harness=True))
    assert output_of(built.command("client")) == "hello"
    assert built.ownership.dependencies == []


@pytest.mark.needs("cargo")
def test_cmake_with_the_sources_of_crates(workshop, sources):
    built = prepared(workshop, sources.part("crate-sources", "cmake", crates=True))
    assert 'version = "1.0.15"' in (built.output / "share" / "Cargo.toml").read_text()


def test_cmake_options_reach_the_project(workshop, sources):
    part = sources.part("program", "cmake", options=["-DCMAKE_EXECUTABLE_SUFFIX_C=.elf"])
    built = prepared(workshop, part)
    assert (built.output / "bin" / "program.elf").exists()


def test_python(workshop, sources):
    built = prepared(workshop, sources.part("python"))
    assert output_of(built.command("client")) == "IniConfig"
    (package,) = built.ownership.dependencies
    assert (package.name, package.version, package.licence) == ("iniconfig", "2.3.1", "MIT")
    assert package.direct
    assert built.environment == {"PYTHONPATH": str(sources.root / "sdk" / "python")}
    assert "pip" not in output_of([built.places["python"], "-c", "help('modules')"]).split()


def test_python_sources_run_where_they_are(workshop, sources):
    part = sources.part("python")
    first = prepared(workshop, part)
    (part.source / "worker.py").write_text("print('changed')\n\n")
    second = prepared(workshop, part)
    assert second.output == first.output
    assert second.folder_hash != first.folder_hash
    assert (first.ownership.lines, second.ownership.lines) == (2, 1)
    assert output_of(second.command("client")) == "changed"


def test_python_refuses_what_is_not_pinned(workshop, sources):
    part = sources.part("python")
    lock = part.source / "requirements.txt"
    pinned = lock.read_text()
    lock.write_text("iniconfig==2.3.1\n")
    with pytest.raises(Unavailable, match="hash"):
        workshop.prepare(part)
    lock.write_text(pinned.replace("sha256:6", "sha256:7").replace("sha256:9", "sha256:8"))
    with pytest.raises(Unavailable, match=r"(?i)hash"):
        workshop.prepare(part)
    lock.unlink()
    with pytest.raises(Unavailable, match=r"requirements.txt is missing"):
        workshop.prepare(part)


@pytest.mark.needs("mvn")
def test_maven(workshop, sources):
    built = prepared(workshop, sources.part("maven"))
    assert output_of(built.command("client")) == "demo"
    found = {d.name: d for d in built.ownership.dependencies}
    assert {name: d.direct for name, d in found.items()} == {
        "org.slf4j:slf4j-api": False,
        "org.slf4j:slf4j-simple": True,
    }
    # The licence stands in the parent's POM, which is only in the local repository.
    assert {d.licence for d in found.values()} == {"MIT"}
    assert {d.version for d in found.values()} == {"2.0.17"}
    assert built.ownership.install_bytes > (built.output / "app.jar").stat().st_size


@pytest.mark.needs("mvn")
def test_maven_refuses_jars_that_the_lock_does_not_hold(workshop, sources):
    part = sources.part("maven")
    lock = part.source / "dependencies.sha256"
    lock.write_text("0" + lock.read_text()[1:] + f"{'0' * 64}  gone-1.0.jar\n")
    if refused := workshop.lacking(part):
        pytest.skip(refused.reason)
    with pytest.raises(Unavailable) as raised:
        workshop.prepare(part)
    assert "gone-1.0.jar was not resolved" in raised.value.reason
    assert "slf4j-api-2.0.17.jar has another content" in raised.value.reason
    assert f"sha256sum *.jar) > {lock}" in raised.value.remedy


@pytest.mark.needs("cargo")
def test_cargo(workshop, sources):
    built = prepared(workshop, sources.part("cargo"))
    assert output_of(built.command("client")) == "42"
    older, newer = built.ownership.dependencies
    assert (older.name, older.version, older.direct) == ("itoa", "0.4.8", True)
    assert (newer.name, newer.version, newer.direct) == ("itoa", "1.0.15", True)
    assert newer.licence == "MIT OR Apache-2.0"


@pytest.mark.needs("cargo")
def test_cargo_compiles_what_another_clone_has_otherwise(workshop, sources, tmp_path):
    assert output_of(prepared(workshop, sources.part("cargo")).command("client")) == "42"
    clone = Sources(tmp_path / "clone")
    source = clone.folder("cargo") / "src" / "main.rs"
    source.write_text(source.read_text().replace("42", "43"))
    # Older than what was compiled, as a clone may be that was made before.
    os.utime(source, (1_700_000_000, 1_700_000_000))
    theirs = prepared(PartBuilds(clone.root, lambda _: None), clone.part("cargo"))
    assert output_of(theirs.command("client")) == "43"


@pytest.mark.needs("npm")
def test_npm(workshop, sources):
    built = prepared(workshop, sources.part("npm"))
    assert output_of(built.command("client")) == "2000"
    (package,) = built.ownership.dependencies
    assert (package.name, package.version, package.licence) == ("ms", "2.1.3", "MIT")
    assert package.direct


@pytest.mark.needs("npm")
@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"integrity"', '"nothing"', "node_modules/ms has no integrity hash"),
        ('"packages"', '"others"', "is missing or of a version before 2"),
    ],
)
def test_npm_refuses_what_is_not_pinned(workshop, sources, old, new, reason):
    part = sources.part("npm")
    if refused := workshop.lacking(part):
        pytest.skip(refused.reason)
    lock = part.source / "package-lock.json"
    lock.write_text(lock.read_text().replace(old, new))
    with pytest.raises(Unavailable, match=reason):
        workshop.prepare(part)


@pytest.mark.needs("go")
def test_go(workshop, sources):
    built = prepared(workshop, sources.part("go"))
    assert output_of(built.command("client")) == "00000000-0000-0000-0000-000000000000"
    (module,) = built.ownership.dependencies
    assert (module.name, module.version) == ("github.com/google/uuid", "v1.6.0")
    assert (module.licence, module.direct) == ("BSD-3-Clause", True)


@pytest.mark.needs("go")
def test_go_refuses_what_go_sum_does_not_hold(workshop, sources):
    part = sources.part("go")
    (part.source / "go.sum").unlink()
    if refused := workshop.lacking(part):
        pytest.skip(refused.reason)
    with pytest.raises(Unavailable, match=r"go\.sum"):
        workshop.prepare(part)
    assert not (part.source / "go.sum").exists()


def test_nothing_to_build(workshop, sources):
    part = sources.part("python", "none")
    built = workshop.prepare(part)
    assert built.command("client")[1] == str(part.source / "worker.py")
    assert (built.ownership.install_bytes, built.ownership.dependencies) == (0, [])
    assert built.ownership.lines == 2


def test_the_fixtures_pin_no_address_of_a_registry():
    for lock in ("npm/package-lock.json", "python/requirements.txt", "maven/pom.xml"):
        text = (FIXTURES / lock).read_text()
        assert "resolved" not in text
        assert "--index" not in text
        assert "<repositor" not in text


def test_a_fixture_is_copied_whole(tmp_path):
    sources = Sources(tmp_path / "other")
    assert content_hash(sources.folder("program")) == content_hash(FIXTURES / "program")
