"""The format of everything that is written in C#, in Go and in Rust."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from wirelab.build import surroundings, tools

ROOT = Path(__file__).parents[2]
WRITTEN_IN = ("bench", "crates", "sdk", "suites", "tests")


def found(pattern: str) -> list[Path]:
    """Files of our own, without what tools have generated or left behind."""
    return [
        file
        for folder in WRITTEN_IN
        for file in sorted((ROOT / folder).rglob(pattern))
        if not {"target", "node_modules"}.intersection(file.parts)
        and not file.name.endswith((".pb.go", ".pb.cs"))
    ]


@pytest.mark.needs("gofmt")
def test_go_is_formatted() -> None:
    files = found("*.go")
    assert len(files) > 50
    listed = subprocess.run(["gofmt", "-l", *files], capture_output=True, text=True, check=True)
    assert listed.stdout == ""


@pytest.mark.needs("dotnet")
def test_csharp_is_formatted() -> None:
    files = [str(file.relative_to(ROOT)) for file in found("*.cs")]
    assert len(files) > 20
    dotnet = tools.DOTNET.find()
    assert dotnet
    command = [dotnet.path, "format", "whitespace", "--folder", "--verify-no-changes", "."]
    ended = subprocess.run(
        [*command, "--include", *files],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env=surroundings.environment(),
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


PROJECT = """\
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>net10.0</TargetFramework>
    <LangVersion>12.0</LangVersion>
    <Nullable>enable</Nullable>
    <ImplicitUsings>enable</ImplicitUsings>
    <AllowUnsafeBlocks>true</AllowUnsafeBlocks>
    <NuGetAudit>false</NuGetAudit>
  </PropertyGroup>
  <ItemGroup>
    <FrameworkReference Include="Microsoft.AspNetCore.App" />
  </ItemGroup>
</Project>
"""
WRONG = """\
namespace Wrong;

internal static class Rethrown
{
    public static void Run()
    {
        try
        {
            Console.Out.Flush();
        }
        catch (IOException lost)
        {
            throw lost;
        }
    }
}
"""
"""A defect that only an analyzer finds: the stack of the exception is lost (CA2200)."""


@pytest.mark.needs("dotnet")
def test_csharp_has_nothing_that_style_and_analyzers_find(tmp_path: Path) -> None:
    folders = [ROOT / "sdk/csharp/src", *sorted(ROOT.glob("suites/*/libraries/csharp/src"))]
    assert len(folders) > 5
    for number, folder in enumerate(folders):
        shutil.copytree(folder, tmp_path / str(number))
    (tmp_path / "Wrong.cs").write_text(WRONG)
    (tmp_path / "all.csproj").write_text(PROJECT)
    dotnet = tools.DOTNET.find()
    assert dotnet
    ended = subprocess.run(
        [dotnet.path, "format", "all.csproj", "--verify-no-changes", "--severity", "warn"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env=surroundings.environment(),
    )
    assert ended.returncode != 0
    told = [line for line in (ended.stdout + ended.stderr).splitlines() if line.strip()]
    assert told
    assert [line for line in told if "Wrong.cs" not in line or "CA2200" not in line] == []


@pytest.mark.needs("rustfmt")
def test_rust_is_formatted() -> None:
    packages = [file.parent for file in found("Cargo.toml") if (file.parent / "src").is_dir()]
    assert len(packages) > 15
    wrong = {}
    for package in packages:
        command = ["cargo", "fmt", "--check"]
        ended = subprocess.run(command, cwd=package, capture_output=True, text=True, check=False)
        if ended.returncode != 0:
            wrong[str(package.relative_to(ROOT))] = ended.stdout + ended.stderr
    assert wrong == {}
