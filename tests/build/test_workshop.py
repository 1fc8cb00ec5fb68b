"""Builds: their time, their maker, and the words about one that fails."""

from __future__ import annotations

import dataclasses
import errno
import fcntl
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from build_parts import ends, output_of, started

from wirelab.build import PartBuilds, Unavailable, commands
from wirelab.build.cmake import CMakeBuild
from wirelab.model.builds import RunCommand

SOURCE = Path(__file__).parents[2] / "src"


@pytest.fixture
def program(sources, workshop):
    part = sources.part("program", "cmake")
    if refused := workshop.lacking(part):
        pytest.skip(refused.reason)
    return part


def built_again(said: list[str]) -> list[str]:
    """Builds made since the last call."""
    built = [line.removeprefix("building ") for line in said if line.startswith("building ")]
    said.clear()
    return built


def test_the_same_content_is_built_once(sources, program, said):
    first = PartBuilds(sources.root, said.append).prepare(program)
    assert built_again(said) == [
        "library greeting of demo (cmake)",
        "contender program of demo (cmake)",
    ]
    stamp = (first.output / "build.json").stat().st_mtime_ns
    second = PartBuilds(sources.root, said.append).prepare(program)
    assert built_again(said) == []
    assert second == first
    assert (first.output / "build.json").stat().st_mtime_ns == stamp


@pytest.mark.parametrize(
    ("changed", "again"),
    [
        ("sources/program/main.c", ["contender program of demo (cmake)"]),
        (
            "sources/greeting/greeting.c",
            ["library greeting of demo (cmake)", "contender program of demo (cmake)"],
        ),
        (
            "sdk/c/sdk.txt",
            ["library greeting of demo (cmake)", "contender program of demo (cmake)"],
        ),
    ],
)
def test_what_changed_is_built_again(sources, program, said, changed, again):
    workshop = PartBuilds(sources.root, said.append)
    workshop.prepare(program)
    said.clear()
    with (sources.root / changed).open("a") as text:
        text.write("\n")
    workshop.prepare(program)
    assert built_again(said) == again


def test_what_goes_into_no_build_builds_nothing(sources, workshop, program, said):
    workshop.prepare(program)
    said.clear()
    (program.source / "target").mkdir()
    for name in ("README.md", "contender.toml", ".editor", "target/left"):
        (program.source / name).write_text("other\n")
    (sources.root / "sdk" / "java" / "sdk.txt").write_text("version 2\n")
    workshop.prepare(program)
    assert built_again(said) == []


def test_other_options_are_another_build(workshop, program):
    first = workshop.prepare(program)
    options = program.build.model_copy(update={"options": ["-DCMAKE_C_FLAGS=-O1"]})
    second = workshop.prepare(dataclasses.replace(program, build=options))
    assert first.output != second.output


def test_what_an_interrupted_build_left_is_no_build(workshop, program, said):
    output = workshop.prepare(program).output
    (output / "build.json").unlink()
    (output / "bin" / "program").write_text("half a program")
    (output / "bin" / "other").write_text("left over")
    said.clear()
    built = workshop.prepare(program)
    assert built_again(said) == ["contender program of demo (cmake)"]
    assert output_of(built.command("client")) == "hello"
    assert not (output / "bin" / "other").exists()


def test_what_a_killed_build_left_running_is_ended(workshop, program):
    output = workshop.prepare(program).output
    (output / "build.json").unlink()
    mark = {"WIRELAB_TRIAL": f"build {output}/99"}
    with subprocess.Popen(["sleep", "1000"], env={**os.environ, **mark}) as left:
        workshop.prepare(program)
        assert left.wait(10) < 0


def locks_are_told(folder: Path) -> bool:
    """Whether the kernel tells who holds a lock on a file there: not of every file system."""
    with (folder / "locked").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        inode = f":{os.fstat(file.fileno()).st_ino} "
        locks = Path("/proc/locks").read_text("utf-8").splitlines()
    return any(inode in lock and f" {os.getpid()} " in lock for lock in locks)


def test_two_at_once_build_once(sources, program, tmp_path):
    cmake = program.source / "CMakeLists.txt"
    cmake.write_text(cmake.read_text() + "execute_process(COMMAND sleep 1)\n")
    script = tmp_path / "prepare.py"
    script.write_text(
        "import sys\n"
        "from pathlib import Path\n"
        "from build_parts import Sources\n"
        "from wirelab.build import PartBuilds\n"
        "class Same(Sources):\n"
        "    def __init__(self, root): self.root = root\n"
        "root = Path(sys.argv[1])\n"
        "workshop = PartBuilds(root, lambda line: print(line, flush=True))\n"
        "built = workshop.prepare(Same(root).part('program', 'cmake'))\n"
        "print(built.command('client')[0])\n"
    )
    path = os.pathsep.join([str(SOURCE), str(Path(__file__).parent)])
    both = [
        subprocess.Popen(
            [sys.executable, str(script), str(sources.root)],
            env={**os.environ, "PYTHONPATH": path},
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    answers = [process.communicate(timeout=60)[0].splitlines() for process in both]
    assert [process.returncode for process in both] == [0, 0]
    lines = [line for answer in answers for line in answer]
    assert lines.count("building contender program of demo (cmake)") == 1
    waited = [line for line in lines if line.startswith("waiting for ")]
    assert waited
    pids = [process.pid for process in both] if locks_are_told(tmp_path) else []
    holders = [f"process {pid} (" for pid in pids] or ["another process, "]
    assert any(line.startswith(f"waiting for {holder}") for line in waited for holder in holders)
    assert all("which works on " in line for line in waited)
    assert answers[0][-1] == answers[1][-1]
    assert output_of([answers[0][-1]]) == "hello"


def test_a_broken_build_is_told_and_not_tried_twice(sources, workshop, program, said):
    main = program.source / "main.c"
    good = main.read_text()
    main.write_text(good.replace("puts", "puts_("))
    with pytest.raises(Unavailable) as raised:
        workshop.prepare(program)
    failure = raised.value
    assert failure.reason.startswith("cmake failed with exit code") or "failed" in failure.reason
    assert "main.c" in failure.reason
    assert failure.log is not None
    assert "main.c" in failure.log.read_text()
    assert failure.remedy == f"cat {failure.log}"
    said.clear()
    with pytest.raises(Unavailable, match=r"main\.c"):
        workshop.prepare(program)
    assert built_again(said) == []
    main.write_text(good)
    assert output_of(workshop.prepare(program).command("client")) == "hello"


def test_a_broken_library_is_named(sources, workshop, program):
    (sources.folder("greeting") / "greeting.c").write_text("no C\n")
    with pytest.raises(Unavailable, match="its library greeting: cmake"):
        workshop.prepare(program)


def test_a_build_that_hangs_is_ended_with_its_children(workshop, program, monkeypatch):
    monkeypatch.setattr(commands, "LIMIT_S", 2.0)
    cmake = program.source / "CMakeLists.txt"
    cmake.write_text(cmake.read_text() + f"execute_process(COMMAND sleep 1000.{os.getpid()})\n")
    with pytest.raises(Unavailable, match="had not ended after 2 s"):
        workshop.prepare(program)
    assert [pid for pid in started(f"1000.{os.getpid()}") if not ends(pid)] == []


def test_a_long_command_is_named_while_it_runs(workshop, program, said, monkeypatch):
    monkeypatch.setattr(commands, "BEAT_S", 0.2)
    cmake = program.source / "CMakeLists.txt"
    cmake.write_text(cmake.read_text() + "execute_process(COMMAND sleep 1)\n")
    workshop.prepare(program)
    beats = [line for line in said if re.fullmatch(r"    .+: cmake.*, \d+ s so far", line)]
    assert any(line.startswith(f"    {program.title}: ") for line in beats)


def test_no_network_is_told_plainly(sources, workshop, monkeypatch, tmp_path):
    # Nothing of it was downloaded before.
    monkeypatch.setenv("WIRELAB_DOWNLOADS", str(tmp_path / "downloads"))
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    monkeypatch.setenv("PIP_RETRIES", "1")
    with pytest.raises(Unavailable) as raised:
        workshop.prepare(sources.part("python"))
    assert raised.value.reason.startswith("no network: python")
    assert "connect" in raised.value.remedy


@pytest.mark.parametrize(
    "line",
    [
        "fatal: unable to access: Could not resolve host: somewhere",
        "go: download failed: dial tcp: lookup somewhere: no such host",
        "npm error code ENOTFOUND",
        "[ERROR] Unknown host somewhere: Temporary failure in name resolution",
        "warning: spurious network error (3 tries remaining): [6] Couldn't resolve host name",
        "Err:1 stable InRelease  Temporary failure resolving 'somewhere'",
    ],
)
def test_the_words_for_no_network_of_every_tool(tmp_path, line):
    log = commands.Log(tmp_path / "build.log")
    with pytest.raises(Unavailable, match="no network: sh could not reach its registry"):
        log.run(["sh", "-c", f'echo "{line}"; exit 1'])


def test_a_full_disk_is_told_plainly(workshop, program, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/somewhere")

    monkeypatch.setattr(CMakeBuild, "build", full)
    with pytest.raises(Unavailable, match=r"No space left on device \(/somewhere\)"):
        workshop.prepare(program)


def test_what_the_manifest_calls_unavailable_is_not_tried(workshop, program, said):
    part = dataclasses.replace(program, unavailable="no release yet")
    assert workshop.lacking(part).reason == "no release yet"
    with pytest.raises(Unavailable, match="no release yet"):
        workshop.prepare(part)
    assert said == []


def test_sources_that_are_not_there(workshop, program):
    part = dataclasses.replace(program, source=program.source / "nowhere")
    with pytest.raises(Unavailable, match=r"there is no folder .*nowhere"):
        workshop.prepare(part)


def test_placeholders_of_commands_and_variables(sources, workshop):
    run = RunCommand(
        command=["{python}", "{source}/worker.py", "--role={role}", "--sdk={sdk}", '{"json": {}}'],
        environment={"OPTIONS": "{build}/options"},
    )
    part = dataclasses.replace(sources.part("python", "none"), run=run)
    built = workshop.prepare(part)
    command = built.command("client")
    assert command[1:] == [
        f"{part.source}/worker.py",
        "--role=client",
        f"--sdk={sources.root}/sdk",
        '{"json": {}}',
    ]
    assert Path(command[0]).exists()
    assert built.environment["OPTIONS"] == f"{built.output}/options"
