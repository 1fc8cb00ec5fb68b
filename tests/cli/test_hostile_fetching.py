"""Fetching, with the network and as the user: nothing of a package is run meanwhile."""

from __future__ import annotations

import hashlib
import json
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
            {"go.mod": GO_MOD.replace("1.22", "1.16")},
            "no version of Go from 1.17 on",
            id="not all named",
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


NO_PROGRAM = "#!/bin/sh\ncase $1 in --version) echo 11.0.0;; *) echo $@ >> {told};; esac; exit 0\n"
HASHED = {"version": "1.0.0", "integrity": "sha512-AAAA"}
EVIL = "node_modules/evil"
ELSEWHERE = "comes from elsewhere than an archive"


def refused_before_npm(root: Path, files: dict[str, str]) -> str:
    """Output of ``wl build`` about a package; npm is not started for it."""
    program, told = root / "bin" / "npm", root / "started"
    program.parent.mkdir()
    program.write_text(NO_PROGRAM.format(told=told))
    program.chmod(0o755)
    with attacked(root) as (found, _):
        found.contains("Node.js", 'kind = "npm"', files)
        ended = found.built(COLUMNS="400", PATH=f"{program.parent}:{os.environ['PATH']}")
    assert ended.returncode == 1
    assert not told.exists()
    return ended.stdout


@pytest.mark.needs("node")
@pytest.mark.parametrize(
    ("place", "told"),
    [
        ({"resolved": "git+file:///srv/evil"}, ELSEWHERE),
        ({"resolved": "https://github.com/evil/pkg#0123456789"}, ELSEWHERE),
        ({"resolved": "https://www.github.com:443/evil/pkg.tgz"}, ELSEWHERE),
        ({"resolved": "https://git.sr.ht/~evil/pkg.tgz"}, ELSEWHERE),
        ({"resolved": "https://me@gitlab.com/evil/pkg.tgz"}, ELSEWHERE),
        ({"resolved": "https://git%68ub.com/evil/pkg.tgz"}, ELSEWHERE),
        ({"resolved": "evil/pkg"}, ELSEWHERE),
        ({"resolved": ["evil/pkg"]}, ELSEWHERE),
        ({"version": "github:evil/pkg"}, "has a version that is none"),
        ({"name": "evil/pkg"}, "has a name that is none"),
        ({"dependencies": {"other": "evil/pkg"}}, "wants 'evil/pkg', which is no version"),
        ({"hasShrinkwrap": True}, "brings a lock file of its own"),
    ],
)
def test_a_repository_of_git_is_no_package(
    tmp_path: Path, place: dict[str, object], told: str
) -> None:
    """npm clones it by a program that the repository names, and builds it."""
    said = refused_before_npm(tmp_path, npm("true", **{EVIL: {**HASHED, **place}}))
    assert f"package-lock.json: {EVIL} {told}" in said


@pytest.mark.needs("node")
@pytest.mark.parametrize(
    "own",
    [
        {"dependencies": {"evil": "github:evil/pkg"}},
        {"devDependencies": {"evil": "git+ssh://evil/pkg"}},
        {"overrides": {"other": {".": "1.0.0", "evil": "evil/pkg"}}},
        {"optionalDependencies": {"evil": ".."}},
    ],
)
def test_the_package_itself_wants_no_repository_of_git(
    tmp_path: Path, own: dict[str, object]
) -> None:
    """npm looks at what the lock file lacks before it says so."""
    files = npm("true", **{EVIL: HASHED})
    files["package.json"] = json.dumps({**json.loads(files["package.json"]), **own})
    assert "which is no version of a package" in refused_before_npm(tmp_path, files)


@pytest.mark.needs("node")
@pytest.mark.parametrize(
    ("place", "package", "told"),
    [
        ("../../../../elsewhere/node_modules/evil", HASHED, "lies outside of node_modules"),
        ("node_modules/../../elsewhere", HASHED, "lies outside of node_modules"),
        ("node_modules/evil/../../..", HASHED, "lies outside of node_modules"),
        ("/tmp/evil", HASHED, "lies outside of node_modules"),
        ("elsewhere", HASHED, "lies outside of node_modules"),
        (EVIL, {"link": True, "resolved": "../../elsewhere"}, "is a link to a folder"),
    ],
)
def test_a_package_lies_nowhere_but_among_packages(
    tmp_path: Path, place: str, package: dict[str, object], told: str
) -> None:
    said = refused_before_npm(tmp_path, npm("true", **{place: package}))
    assert f"package-lock.json: {place} {told}" in said


@pytest.mark.needs("node")
def test_npm_reads_the_lock_file_that_was_judged(tmp_path: Path) -> None:
    files = npm("true", **{EVIL: HASHED})
    said = refused_before_npm(tmp_path, {**files, "npm-shrinkwrap.json": "{}"})
    assert "npm would read npm-shrinkwrap.json in place of package-lock.json" in said


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
