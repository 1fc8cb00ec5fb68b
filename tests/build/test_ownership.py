"""Cost of owning a contender: lines, sizes, and the many names of licences."""

from __future__ import annotations

import zipfile

import pytest

from wirelab.build.content import (
    code_lines,
    common_lines,
    content_hash,
    source_files,
    tree_bytes,
)
from wirelab.build.jars import dependencies_of
from wirelab.build.licences import licence_of_folder, licence_of_names, licence_of_text


def test_lines_are_those_of_code_that_someone_wrote(tmp_path):
    (tmp_path / "worker.py").write_text("a = 1\n\n   \nb = 2\n# c\n")
    (tmp_path / "Worker.java").write_text("class Worker {\n}")
    (tmp_path / "package-lock.json").write_text("{\n}\n")
    (tmp_path / "contender.toml").write_text("x = 1\n")
    (tmp_path / "made.c").write_text("/* @generated */\nint x;\n")
    for folder in ("target", "node_modules", ".venv", "__pycache__", "tests", "src/test/java"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "other.py").write_text("a = 1\n")
    assert code_lines(tmp_path) == 5
    # What is named as common counts as it does there, whatever is named.
    named = ["worker.py", "./worker.py", "contender.toml", "made.c", "tests/other.py"]
    assert common_lines(tmp_path, named) == 3


@pytest.mark.parametrize("module", ["mod tests", "pub(crate) mod tests"])
def test_lines_of_tests_beside_code_are_left_out(tmp_path, module):
    (tmp_path / "client.go").write_text("package client\n")
    (tmp_path / "client_test.go").write_text("package client\n")
    (tmp_path / "latest.rs").write_text(
        "fn first() {\n}\n\n#[cfg(test)]\nmod tests;\n\n"
        f"#[cfg(test)]\n{module} {{\n    fn works() {{\n    }}\n}}\n\nfn last() {{\n}}\n"
    )
    (tmp_path / "tests.rs").write_text("fn works() {\n}\n")
    assert code_lines(tmp_path) == 1 + 6
    assert common_lines(tmp_path, ["client_test.go", "latest.rs", "tests.rs"]) == 6


def test_the_hash_of_a_folder(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "f").write_text("x")
    seen = [content_hash(tmp_path)]
    (tmp_path / "a" / "f").write_text("y")
    seen.append(content_hash(tmp_path))
    (tmp_path / "a" / "f").chmod(0o755)
    seen.append(content_hash(tmp_path))
    (tmp_path / "a" / "f").rename(tmp_path / "a" / "g")
    seen.append(content_hash(tmp_path))
    (tmp_path / "a" / "link").symlink_to("g")
    seen.append(content_hash(tmp_path))
    assert len(set(seen)) == len(seen)
    (tmp_path / ".hidden").write_text("x")
    (tmp_path / "m.pyc").write_text("x")
    assert content_hash(tmp_path) == seen[-1]
    assert content_hash(tmp_path, without={"g", "link"}) == content_hash(tmp_path / "nothing")
    assert [f.name for f in source_files(tmp_path)] == ["g", "link"]


def test_sizes_count_every_file_once(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "f").write_bytes(b"x" * 1000)
    (tmp_path / "g").write_bytes(b"x" * 24)
    assert tree_bytes(tmp_path) == 1024


@pytest.mark.parametrize(
    ("names", "spdx"),
    [
        (["Apache Software License"], "Apache-2.0"),
        (["The Apache Software License, Version 2.0"], "Apache-2.0"),
        (["Apache License 2.0"], "Apache-2.0"),
        (["Apache-2.0"], "Apache-2.0"),
        (["MIT License"], "MIT"),
        (["The MIT License (MIT)"], "MIT"),
        (["MIT No Attribution License (MIT-0)"], "MIT-0"),
        (["Eclipse Public License - v 2.0"], "EPL-2.0"),
        (
            ["Eclipse Public License v2.0", "Eclipse Distribution License v1.0"],
            "EPL-2.0 OR BSD-3-Clause",
        ),
        (["GNU Lesser General Public License v3 or later (LGPLv3+)"], "LGPL-3.0-or-later"),
        (["Mozilla Public License 2.0 (MPL 2.0)"], "MPL-2.0"),
        (["BSD 3-Clause License"], "BSD-3-Clause"),
        (["New BSD License"], "BSD-3-Clause"),
        (["Apache-2.0 OR BSD-3-Clause"], "Apache-2.0 OR BSD-3-Clause"),
        (
            ["GPL-2.0-only WITH Classpath-exception-2.0"],
            "GPL-2.0-only WITH Classpath-exception-2.0",
        ),
        (["Some Licence of Ours"], "Some Licence of Ours"),
        (["", " "], "unknown"),
        ([], "unknown"),
        (["x" * 500], "unknown"),
    ],
)
def test_names_of_licences(names, spdx):
    assert licence_of_names(names) == spdx


@pytest.mark.parametrize(
    ("text", "spdx"),
    [
        (
            "Copyright (c) 2009 Someone.\n\nRedistributions in binary form must "
            "reproduce the above.\nNeither the name of Someone nor ...",
            "BSD-3-Clause",
        ),
        (
            "Copyright (c) 2009 Someone\n\nRedistributions in binary form must reproduce",
            "BSD-2-Clause",
        ),
        ("Copyright 2020\n\nPermission is hereby granted, free\nof charge, to any person", "MIT"),
        (
            "Mozilla Public License Version 2.0\n1. Definitions\n"
            + "words " * 100
            + "GNU General Public License, Version 2.0",
            "MPL-2.0",
        ),
        ("   Apache License\n   Version 2.0, January 2004\n", "Apache-2.0"),
        ("All rights reserved.", "unknown"),
    ],
)
def test_texts_of_licences(text, spdx):
    assert licence_of_text(text) == spdx


def test_the_licence_file_of_a_folder(tmp_path):
    assert licence_of_folder(tmp_path) == "unknown"
    (tmp_path / "LICENSE.txt").write_text("The MIT License\n")
    assert licence_of_folder(tmp_path) == "MIT"


POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">{}</project>"""


def test_jars_without_a_licence_of_their_own(tmp_path, monkeypatch):
    """From the parent in the local repository, and from the jar's manifest."""
    monkeypatch.setenv("HOME", str(tmp_path))
    repository = tmp_path / "repository"
    store = repository / "org" / "demo"
    library = tmp_path / "lib"
    library.mkdir()
    poms = {
        "parent/7": "<groupId>org.demo</groupId><artifactId>parent</artifactId>"
        "<version>7</version><licenses><license><name>MIT License</name></license></licenses>",
        "child-api/1.5": "<artifactId>child-api</artifactId><parent><groupId>org.demo</groupId>"
        "<artifactId>parent</artifactId><version>7</version></parent><version>1.5</version>",
    }
    for place, content in poms.items():
        name, version = place.split("/")
        (store / place).mkdir(parents=True)
        (store / place / f"{name}-{version}.pom").write_text(POM.format(content))
    with zipfile.ZipFile(library / "child-api-1.5-linux-x86_64.jar", "w") as jar:
        pom = POM.format(poms["child-api/1.5"])
        jar.writestr("META-INF/maven/org.demo/child-api/pom.xml", pom)
    with zipfile.ZipFile(library / "child-api-1.5.jar", "w") as jar:
        jar.writestr("x", "")
    with zipfile.ZipFile(library / "lonely-2.0.jar", "w") as jar:
        jar.writestr(
            "META-INF/MANIFEST.MF",
            "Manifest-Version: 1.0\r\nBundle-License: https://example.org/Apache-\r\n 2.0.txt\r\n",
        )
    with zipfile.ZipFile(library / "silent-3.jar", "w") as jar:
        jar.writestr("META-INF/maven/x/silent/pom.xml", "no XML")
    own = POM.format(
        "<dependencies><dependency><artifactId>child-api</artifactId></dependency></dependencies>"
    )
    found = [
        (d.name, d.version, d.licence, d.direct) for d in dependencies_of(library, own, repository)
    ]
    assert found == [
        ("org.demo:child-api", "1.5", "MIT", True),
        ("org.demo:child-api", "1.5", "MIT", True),
        ("lonely", "2.0", "Apache-2.0", False),
        ("silent", "3", "unknown", False),
    ]
