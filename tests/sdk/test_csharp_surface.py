"""The SDK for C# against the names that came after .NET 8.

No machine of ours has the reference assemblies of .NET 8, so what the compiled program refers to is
held to a list of names that .NET 9 and 10 brought to the namespaces it draws on.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from scripted_worker import PATIENCE_S, compile_worker, running

from wirelab.build import Part, PartBuilds
from wirelab.model.builds import Build, RunCommand

ROOT = Path(__file__).parents[2]
NEWER = Path(__file__).with_name("newer_than_net8.txt").read_text().splitlines()
AFTER_NET8 = """\
Console.WriteLine(Environment.CpuUsage.TotalTime);
Console.WriteLine(new OrderedDictionary<string, int> { ["one"] = 1 }.Count);
Console.WriteLine(Convert.ToHexStringLower([1]));
"""

pytestmark = pytest.mark.needs("dotnet")


def program(command: list[str]) -> str:
    """The compiled program among the arguments of its command."""
    return next(part for part in command if part.endswith("app.dll"))


def newer_names(reader: list[str], of: str) -> list[str]:
    """Names of the list that the program ``of`` refers to."""
    ended = subprocess.run(
        [*reader, "references", of], capture_output=True, text=True, timeout=PATIENCE_S, check=True
    )
    used = set(ended.stdout.splitlines())
    assert "System.Threading.Thread.Start" in used or "System.Console.WriteLine" in used
    return [name for name in NEWER if name in used or any(n.startswith(f"{name}.") for n in used)]


def test_the_list_is_in_order() -> None:
    assert sorted(set(NEWER)) == NEWER


def test_the_sdk_uses_nothing_newer_than_net8(tmp_path: Path) -> None:
    command = compile_worker("csharp", tmp_path)
    assert newer_names(command, program(command)) == []


def test_what_is_newer_is_found(tmp_path: Path) -> None:
    reader = compile_worker("csharp", tmp_path)
    source = tmp_path / "suites" / "newer"
    source.mkdir(parents=True)
    (source / "Program.cs").write_text(AFTER_NET8)
    run = RunCommand(command=["{dotnet}", "{build}/app/app.dll"])
    part = Part("sdk", "newer", "newer", source=source, build=Build(kind="dotnet"), run=run)
    built = PartBuilds(ROOT).prepare(part).command("")
    assert newer_names(reader, program(built)) == [
        "System.Collections.Generic.OrderedDictionary",
        "System.Convert.ToHexStringLower",
        "System.Environment.CpuUsage",
        "System.Environment.ProcessCpuUsage",
    ]


def test_a_member_that_stands_twice_is_refused(tmp_path: Path) -> None:
    """At any depth: .NET 10 has an option for that, earlier ones have none."""
    with running(compile_worker("csharp", tmp_path), tmp_path) as worker:
        worker.until("ready")
        worker.say('{"command": "start", "monotonic_ns": 1, "more": [{"a": 1, "a": 2}]}')
        assert worker.until("error")["scope"] == "fatal"
        assert worker.process.wait(PATIENCE_S) == 1
