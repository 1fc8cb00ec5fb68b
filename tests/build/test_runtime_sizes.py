"""Size of the runtimes that commands name: exact of our own trees, plausible of this machine's."""

from __future__ import annotations

import platform
import sys
from pathlib import Path

from wirelab.build import interpreter, runtime_sizes, tools
from wirelab.build.interpreter import Interpreter
from wirelab.build.tools import FoundTool, Tool

PYTHON = "lib/python3.12"


def tree(folder: Path, sizes: dict[str, int]) -> Path:
    """Files of so many bytes."""
    for name, size in sizes.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"x" * size)
    return folder


def python_of(folder: Path) -> Interpreter:
    return Interpreter(
        str(folder / "bin" / "python3"), "a build", "3.12.1", f"{PYTHON}/site-packages"
    )


def found(tool: Tool, path: Path) -> dict[str, FoundTool]:
    return {tool.name: FoundTool(tool, path, "17")}


def test_a_native_program_has_no_runtime(tmp_path: Path) -> None:
    assert runtime_sizes.of_command("{build}/bin/worker", python_of(tmp_path), {}) == 0


def test_of_a_jdk_there_is_what_a_jre_has(tmp_path: Path) -> None:
    home = tree(
        tmp_path,
        {"bin/java": 10, "lib/modules": 200, "lib/src.zip": 4000, "jmods/base.jmod": 80000},
    )
    # By a link, as Debian has it, and a file that has two names.
    (home / "java").symlink_to(home / "bin" / "java")
    (home / "lib" / "again").symlink_to(home / "lib" / "modules")
    command = "{java} -cp {build}/app.jar Main"
    size = runtime_sizes.of_command(command, python_of(home), found(tools.JAVA, home / "java"))
    assert size == 210


def test_of_python_there_is_the_standard_library(tmp_path: Path) -> None:
    kept = {"bin/python3": 10, f"{PYTHON}/os.py": 200, f"{PYTHON}/asyncio/tasks.py": 3000}
    left_out = {
        f"{PYTHON}/site-packages/pip.py": 40000,
        f"{PYTHON}/test/test_os.py": 40000,
        f"{PYTHON}/__pycache__/os.pyc": 40000,
    }
    python = python_of(tree(tmp_path, {**kept, **left_out}))
    assert runtime_sizes.of_command("{python} {source}/worker.py", python, {}) == 3210


def test_of_dotnet_there_is_no_sdk(tmp_path: Path) -> None:
    sizes = {"dotnet": 10, "shared/app/core.dll": 200, "host/fxr.so": 3000, "sdk/10.0/all.dll": 9}
    path = tree(tmp_path, sizes) / "dotnet"
    size = runtime_sizes.of_command(
        "{dotnet} {build}/app.dll", python_of(tmp_path), found(tools.DOTNET, path)
    )
    assert size == 3210


def test_the_interpreter_of_this_process_loads_libraries() -> None:
    own = interpreter.own()
    assert own.version == platform.python_version()
    size = runtime_sizes.of_command("{python}", own, {})
    # More than its program alone, less than any image.
    assert Path(sys.executable).resolve().stat().st_size < size < 2_000_000_000
