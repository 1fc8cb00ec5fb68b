"""Files of strangers that are none, too deep or odd: a sentence, and no end of reading."""

from __future__ import annotations

import os
import zipfile
from email.message import Message
from pathlib import Path

import pytest

from wirelab.build import Unavailable
from wirelab.build.content import content_hash, source_files, tree_bytes
from wirelab.build.jars import dependencies_of
from wirelab.build.licences import is_inside, licence_of_file, licence_of_folder
from wirelab.build.python import licence_of_wheel
from wirelab.build.source_text import MOST_BYTES
from wirelab.build.store import Store
from wirelab.manifest import ManifestError, load_library
from wirelab.samples.removal import remove

READ = [("npm", "package.json"), ("go", "go.mod"), ("cargo", "Cargo.toml")]


def odd(file: Path, what: str) -> None:
    file.unlink(missing_ok=True)
    if what == "FIFO":
        os.mkfifo(file)
    elif what == "device":
        file.symlink_to("/dev/zero")
    else:
        with file.open("wb") as sparse:
            sparse.truncate(MOST_BYTES + 1)


@pytest.mark.parametrize("what", ["FIFO", "device", "size"])
@pytest.mark.parametrize(("kind", "name"), READ)
def test_what_is_no_file_of_sources_is_not_read(workshop, sources, kind, name, what):
    part = sources.part(kind)
    odd(part.source / name, what)
    refused = workshop.lacking(part)
    assert refused is not None
    assert refused.reason.startswith(f"{part.source / name} ")
    workshop.foresee([part])
    with pytest.raises(Unavailable, match=name):
        workshop.prepare(part)


@pytest.mark.parametrize("what", ["FIFO", "device", "size"])
def test_what_is_no_manifest_is_not_read(tmp_path, what):
    odd(tmp_path / "library.toml", what)
    with pytest.raises(ManifestError, match="cannot be read: "):
        load_library(tmp_path / "library.toml")


@pytest.mark.parametrize(
    ("kind", "name", "content"),
    [
        ("npm", "package.json", b'{"engines": []}'),
        ("npm", "package.json", b"[" * 100_000),
        ("go", "go.mod", b"\xff"),
        ("cargo", "Cargo.toml", b"package = 5"),
        ("cargo", "Cargo.lock", b"version = []"),
    ],
)
def test_odd_content_is_told(workshop, sources, kind, name, content):
    part = sources.part(kind)
    (part.source / name).write_bytes(content)
    assert workshop.lacking(part) is not None
    workshop.foresee([part])
    with pytest.raises(Unavailable):
        workshop.prepare(part)


@pytest.mark.parametrize("content", [b"<project/>", b"PK\5\6" + bytes(18), None])
def test_a_jar_that_is_none_has_no_licence_that_is_known(tmp_path, content):
    jar = tmp_path / "x-1.jar"
    if content is None:
        with zipfile.ZipFile(jar, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr("META-INF/MANIFEST.MF", "Bundle-License: MIT\n" * 100)
        whole = bytearray(jar.read_bytes())
        whole[60:70] = b"\xff" * 10
        jar.write_bytes(whole)
    else:
        jar.write_bytes(content)
    (found,) = dependencies_of(tmp_path, "<project/>", tmp_path)
    assert found.licence == "unknown"


def test_folders_too_deep_to_recurse_are_measured(tmp_path):
    build = tmp_path / "home" / "builds" / "x"
    build.mkdir(parents=True)
    before = Path.cwd()
    os.chdir(build)
    for _ in range(1500):
        Path("x").mkdir()
        os.chdir("x")
    Path("file").write_text("12345")
    os.chdir(before)
    try:
        assert tree_bytes(build) == 5
        assert [file.name for file in source_files(build)] == ["file"]
        assert content_hash(build) != content_hash(tmp_path / "none")
        store = Store(tmp_path / "home")
        assert store.size() == 5
        assert store.clear() == []
    finally:
        if build.exists():
            remove(build)


def test_a_package_names_no_file_elsewhere_for_its_licence(tmp_path):
    folder = tmp_path / "a-1.dist-info"
    folder.mkdir()
    (tmp_path / "LICENSE").write_text("MIT License")
    os.mkfifo(folder / "COPYING")
    (folder / "zero").symlink_to("/dev/zero")
    for name in ("/dev/zero", "../LICENSE", "COPYING", "zero", "nothing", "a\0b"):
        about = Message()
        about["License-File"] = name
        assert licence_of_wheel(folder, about) == "unknown"
        assert licence_of_file(folder, name) == "unknown"
    assert not is_inside("a/../../b")
    assert licence_of_folder(folder) == "unknown"
    assert licence_of_file(tmp_path, "LICENSE") == "MIT"
