"""Packages under compilation write, read, reach and leave nothing outside."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cli.hostile_packages import KEY, PASSWORD, attacked, reached

CMAKE = {
    "CMakeLists.txt": """\
cmake_minimum_required(VERSION 3.18)
project(hostile NONE)
execute_process(COMMAND bash ATTACK ${CMAKE_INSTALL_PREFIX})
"""
}

LOCK = """\
{"name": "hostile", "version": "1.0.0", "lockfileVersion": 3, "requires": true,
 "packages": {"": {"name": "hostile", "version": "1.0.0", "hasInstallScript": true}}}
"""
NPM = {
    "package.json": """\
{"name": "hostile", "version": "1.0.0", "type": "module",
 "scripts": {"build": "bash ATTACK ."}}
""",
    "package-lock.json": LOCK,
}
NPM_INSTALLING = {
    "package.json": """\
{"name": "hostile", "version": "1.0.0", "type": "module",
 "scripts": {"postinstall": "bash ATTACK ."}}
""",
    "package-lock.json": LOCK,
}

MAVEN = {
    "pom.xml": """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>example</groupId>
  <artifactId>hostile</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <build>
    <plugins>
      <plugin>
        <groupId>org.codehaus.mojo</groupId>
        <artifactId>exec-maven-plugin</artifactId>
        <version>3.6.2</version>
        <executions>
          <execution>
            <phase>package</phase>
            <goals><goal>exec</goal></goals>
            <configuration>
              <executable>bash</executable>
              <arguments><argument>ATTACK</argument><argument>${wirelab.output}</argument></arguments>
            </configuration>
          </execution>
        </executions>
      </plugin>
    </plugins>
  </build>
</project>
"""
}

DOTNET = {
    "hostile.csproj": """\
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net10.0</TargetFramework>
    <UseAppHost>false</UseAppHost>
  </PropertyGroup>
  <Target Name="Attack" BeforeTargets="Restore;CollectPackageReferences">
    <Exec Command="mkdir -p OUTPUT; bash ATTACK OUTPUT" />
  </Target>
</Project>
""".replace("OUTPUT", "$(PublishDir)/.."),
    "Program.cs": "System.Console.WriteLine();\n",
}

REFUSING = """\
#!/bin/sh
[ "$1" = --version ] && echo bubblewrap 0.8.0 && exit
echo 'setting up uid map: Permission denied' >&2
exit 1
"""

CARGO = {
    "Cargo.toml": '[package]\nname = "hostile"\nversion = "1.0.0"\nedition = "2021"\n',
    "Cargo.lock": 'version = 3\n\n[[package]]\nname = "hostile"\nversion = "1.0.0"\n',
    "src/main.rs": "fn main() {}\n",
    "build.rs": """\
fn main() {
    let work = std::env::var("TMPDIR").unwrap().replace("/making/", "/builds/");
    let out = work.trim_end_matches("/tmp");
    std::process::Command::new("bash").args(["ATTACK", out]).status().unwrap();
}
""",
}

HOSTILE = [
    pytest.param("C", 'kind = "cmake"', CMAKE, id="cmake", marks=pytest.mark.needs("cmake")),
    pytest.param("Node.js", 'kind = "npm"', NPM, id="npm", marks=pytest.mark.needs("npm")),
    pytest.param(
        "Node.js",
        'kind = "npm"\noptions = ["--ignore-scripts=false"]',
        NPM_INSTALLING,
        id="npm-installing",
        marks=pytest.mark.needs("npm"),
    ),
    pytest.param("Rust", 'kind = "cargo"', CARGO, id="cargo", marks=pytest.mark.needs("cargo")),
    pytest.param("Java", 'kind = "maven"', MAVEN, id="maven", marks=pytest.mark.needs("mvn")),
    pytest.param("C#", 'kind = "dotnet"', DOTNET, id="dotnet", marks=pytest.mark.needs("dotnet")),
]


@pytest.mark.needs("bwrap")
@pytest.mark.parametrize(("language", "build", "files"), HOSTILE)
def test_what_is_compiled_reaches_nothing_of_its_user(
    tmp_path: Path, language: str, build: str, files: dict[str, str]
) -> None:
    with attacked(tmp_path) as (found, server):
        found.contains(language, build, files)
        ended = found.built()
        assert ended.returncode == 0, ended.stdout + ended.stderr
        assert "ready" in ended.stdout
        told = found.told()
        assert not reached(server)
    assert "connected" not in told
    assert "routed away" not in told
    assert "written to what fetches" not in told
    assert KEY not in told
    assert PASSWORD not in told
    assert found.planted() == []
    assert found.left() == []


@pytest.mark.needs("cmake")
def test_who_goes_without_a_sandbox_gives_a_build_everything(tmp_path: Path) -> None:
    with attacked(tmp_path) as (found, server):
        found.contains("C", 'kind = "cmake"', CMAKE)
        ended = found.built("--no-sandbox")
        assert ended.returncode == 0, ended.stdout + ended.stderr
        told = found.told()
        assert reached(server)
    assert "connected" in told
    assert KEY in told
    assert PASSWORD not in told
    assert len(found.planted()) == 2
    # Whatever it has started is marked, and ended with the build.
    assert found.left() == []


@pytest.mark.needs("bwrap", "cmake")
def test_a_build_that_wants_the_network_is_told_what_to_do(tmp_path: Path) -> None:
    text = CMAKE["CMakeLists.txt"].replace(
        "execute_process(COMMAND bash ATTACK ${CMAKE_INSTALL_PREFIX})",
        'message(FATAL_ERROR "Could not resolve host: example.org")',
    )
    with attacked(tmp_path) as (found, _):
        found.contains("C", 'kind = "cmake"', {"CMakeLists.txt": text})
        ended = found.built(COLUMNS="300")
    assert ended.returncode == 1
    assert "in the sandbox of builds, which has no network" in ended.stdout
    assert "say --no-sandbox" in ended.stdout


@pytest.mark.needs("cmake")
def test_where_no_sandbox_starts_builds_go_on_and_say_so(tmp_path: Path) -> None:
    refusing = tmp_path / "bin" / "bwrap"
    refusing.parent.mkdir()
    refusing.write_text(REFUSING)
    refusing.chmod(0o755)
    path = f"{refusing.parent}:{os.environ['PATH']}"
    with attacked(tmp_path) as (found, _):
        found.contains("C", 'kind = "cmake"', CMAKE)
        insisted = found.built("--sandbox", PATH=path)
        ended = found.built(PATH=path)
    assert insisted.returncode == 2
    assert "builds are to be kept in sandboxes: no sandbox can be started" in insisted.stderr
    assert ended.returncode == 0, ended.stdout + ended.stderr
    said = " ".join(ended.stdout.split())
    assert "builds run with all your rights, in no sandbox: no sandbox can be started" in said
    assert "to mend it: " in said
    assert found.told()
