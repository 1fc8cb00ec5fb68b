"""Fetching, with the network and as the user: nothing of a package is run meanwhile."""

from __future__ import annotations

import hashlib
import os
import shutil
import tarfile
from pathlib import Path

import pytest

from cli.hostile_packages import attacked, reached
from cli.test_hostile_leavings import npm

GO = {"main.go": "package main\n\nfunc main() {}\n"}
GO_MOD = "module hostile\n\ngo 1.22\n\nrequire example.org/other v1.0.0\n"
SUM = "example.org/other v1.0.0{} h1:NIvaJDMOsjHA8n1jAhLSgzrAzy1Hgr+hNrb57e+94F0=\n"


@pytest.mark.needs("go")
@pytest.mark.parametrize(
    ("files", "told"),
    [
        pytest.param({}, "nothing pins example.org/other v1.0.0", id="no go.sum"),
        pytest.param(
            {"go.sum": SUM.format("/go.mod")}, "nothing pins example.org/other v1.0.0", id="half"
        ),
        pytest.param(
            {"go.mod": GO_MOD + "\nreplace example.org/other => /etc\n"},
            "replaces example.org/other by /etc, which is neither in its suite nor in the SDK",
            id="a folder elsewhere",
        ),
        pytest.param(
            {"go.mod": GO_MOD + "\nreplace example.org/other => example.org/evil v1.0.0\n"},
            "replaces example.org/other by example.org/evil",
            id="another module",
        ),
        pytest.param(
            {"go.mod": GO_MOD.replace("1.22", "1.16")}, "no go of 1.17 or later", id="not all named"
        ),
    ],
)
def test_what_go_sum_does_not_pin_is_asked_of_nobody(
    tmp_path: Path, files: dict[str, str], told: str
) -> None:
    with attacked(tmp_path) as (found, server):
        found.contains("Go", 'kind = "go"', {"go.mod": GO_MOD, **GO, **files})
        proxy = f"http://127.0.0.1:{server.getsockname()[1]}"
        ended = found.built(GOPROXY=proxy, GONOSUMDB="*", COLUMNS="400")
        assert ended.returncode == 1
        assert told in ended.stdout
        assert not reached(server)


SETUP = """\
import pathlib
pathlib.Path({home!r}, "planted").touch()
from setuptools import setup
setup(name="evil", version="1.0")
"""
CONFIGURATION = "[global]\nno-binary = :all:\n[download]\nno-binary = evil\nuse-pep517 = yes\n"


def source_package(folder: Path, home: Path) -> str:
    """Write ``evil-1.0.tar.gz``, which plants a file when it is built; its hash."""
    setup = folder / "setup.py"
    setup.write_text(SETUP.format(home=str(home)))
    archive = folder / "evil-1.0.tar.gz"
    with tarfile.open(archive, "w:gz") as packed:
        packed.add(setup, "evil-1.0/setup.py")
    setup.unlink()
    return hashlib.sha256(archive.read_bytes()).hexdigest()


def test_a_source_package_is_not_taken_whatever_says_so(tmp_path: Path) -> None:
    """The file of requirements, the user's own configuration, and variables of the environment."""
    with attacked(tmp_path) as (found, _):
        there = tmp_path / "links"
        there.mkdir()
        pinned = f"evil==1.0 --hash=sha256:{source_package(there, found.home)}\n"
        shutil.rmtree(found.home / ".config" / "pip", ignore_errors=True)
        configuration = found.home / ".config" / "pip" / "pip.conf"
        configuration.parent.mkdir(parents=True, exist_ok=True)
        configuration.write_text(CONFIGURATION)
        said = {"PIP_FIND_LINKS": str(there), "PIP_NO_INDEX": "1", "PIP_NO_BINARY": "evil"}
        for lines, told in (
            (pinned, "No matching distribution found for evil==1.0"),
            (f"--no-binary :all:\n{pinned}", "options of pip have no place there"),
        ):
            found.contains("Python", 'kind = "python"', {"requirements.txt": lines})
            ended = found.built(COLUMNS="400", **said)
            assert ended.returncode == 1
            assert told in ended.stdout
        assert found.planted() == []


@pytest.mark.parametrize("kind", ["python", pytest.param("npm", marks=pytest.mark.needs("npm"))])
def test_options_of_a_manifest_reach_nobody_who_fetches(tmp_path: Path, kind: str) -> None:
    with attacked(tmp_path) as (found, _):
        options = f'kind = "{kind}"\noptions = ["--prefix={found.home}"]'
        files = npm("true") if kind == "npm" else {"requirements.txt": ""}
        language = {"npm": "Node.js", "python": "Python"}[kind]
        found.contains(language, options, files)
        ended = found.built(COLUMNS="400")
        assert ended.returncode == 1
        assert {"npm": "not one that npm is given", "python": "takes no options"}[
            kind
        ] in ended.stdout


@pytest.mark.needs("npm")
def test_a_repository_of_git_is_no_package(tmp_path: Path) -> None:
    """npm clones it by a program that the repository names, and builds it."""
    with attacked(tmp_path) as (found, _):
        place = {"resolved": f"git+file://{found.source}", "integrity": "sha512-AAAA"}
        found.contains("Node.js", 'kind = "npm"', npm("true", **{"node_modules/evil": place}))
        ended = found.built(COLUMNS="400")
        assert ended.returncode == 1
        assert "node_modules/evil comes from a repository of git" in ended.stdout


MAVEN = """\
#!/bin/bash
[ "$1" = --version ] && echo Apache Maven 3.9.9 && exit
echo "$@" >> {told}/arguments
cat pom.xml >> {told}/poms
exit 1
"""
POM = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>example</groupId><artifactId>hostile</artifactId><version>1</version>
  <repositories><repository><id>central</id><url>https://evil-5</url></repository></repositories>
  <pluginRepositories>
    <pluginRepository><id>central</id><url>https://evil-6</url></pluginRepository>
  </pluginRepositories>
  <profiles><profile><pluginRepositories>
    <pluginRepository><id>central</id><url>https://evil-7</url></pluginRepository>
  </pluginRepositories></profile></profiles>
  <build>
    <extensions><extension><artifactId>evil-1</artifactId></extension></extensions>
    <plugins><plugin>
      <artifactId>maven-dependency-plugin</artifactId>
      <configuration><outputFile>evil-2</outputFile></configuration>
      <dependencies><dependency><artifactId>evil-3</artifactId></dependency></dependencies>
    </plugin></plugins>
  </build>
</project>
"""


@pytest.mark.needs("mvn")
@pytest.mark.parametrize("own", [True, False], ids=["a POM of its own", "a POM that is written"])
def test_maven_is_given_no_code_to_fetch_with(tmp_path: Path, own: bool) -> None:
    """An option may name a goal; dependencies of a plugin are code of it, and a repository gives
    it."""
    program = tmp_path / "bin" / "mvn"
    program.parent.mkdir()
    program.write_text(MAVEN.format(told=tmp_path))
    program.chmod(0o755)
    with attacked(tmp_path) as (found, _):
        options = '["exec:exec", "-Dexec.executable=evil-4", "-Dwirelab.lint=all,-path"]'
        files = {"pom.xml": POM} if own else {"src/main/java/A.java": "class A {}\n"}
        found.contains("Java", f'kind = "maven"\noptions = {options}', files)
        ended = found.built(PATH=f"{program.parent}:{os.environ['PATH']}")
    assert ended.returncode == 1
    fetching = (tmp_path / "arguments").read_text().splitlines()[0]
    given = fetching + (tmp_path / "poms").read_text()
    assert "exec:exec" not in given
    assert "evil" not in given
    assert ("-Dwirelab.lint=all,-path" in fetching) != own
