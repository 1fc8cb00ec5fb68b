"""A command says what is wrong with it before it loads what computes and draws."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cli.command_lines import piped
from synthetic import Client, load_run

DRAWS_OR_COMPUTES = {"altair", "jinja2", "scipy.stats", "scipy.fft", "ruptures"}
"""Libraries that take longer to load than a mistake takes to be found."""


@pytest.mark.parametrize(
    "arguments",
    [("run", "opcua", "--profile", "none"), ("list", "nothing"), ("report", "nothing")],
)
def test_a_mistake_is_told_at_once(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    ended = piped(*arguments, cwd=tmp_path, PYTHONPROFILEIMPORTTIME="1")
    assert ended.returncode == 2, ended.stderr
    loaded = modules(ended.stderr)
    assert {"typer", "wirelab.cli.places"} <= loaded
    assert not loaded & DRAWS_OR_COMPUTES


def test_a_build_loads_nothing_that_reads_samples(tmp_path: Path) -> None:
    ended = piped("build", "nothing", cwd=tmp_path, PYTHONPROFILEIMPORTTIME="1")
    assert ended.returncode == 2, ended.stderr
    loaded = modules(ended.stderr)
    assert {"typer", "wirelab.build"} <= loaded
    assert not loaded & {*DRAWS_OR_COMPUTES, "numpy", "pyarrow"}


def test_a_short_run_is_analysed_without_what_only_long_ones_need(tmp_path: Path) -> None:
    short = load_run({"swift": Client()}, trials=2, discard=0, count=100)
    folder = short.write(tmp_path / "run")
    ended = piped("analyse", str(folder), cwd=tmp_path, PYTHONPROFILEIMPORTTIME="1")
    assert ended.returncode == 0, ended.stderr
    loaded = modules(ended.stderr)
    assert {"numpy", "pyarrow.parquet", "scipy.fft", "wirelab.gates"} <= loaded
    assert not loaded & {"scipy.stats", "ruptures", "pyarrow.dataset"}
    # It ends with tables: what draws is for reports.
    assert "wirelab.report.terminal" in names_in(ended.stderr)
    assert not loaded & {"altair", "jinja2", "vl_convert"}


def names_in(said: str) -> set[str]:
    """Modules that Python loaded, from its own timing."""
    return {line.rpartition("|")[2].strip() for line in said.splitlines()}


def modules(said: str) -> set[str]:
    """Modules that Python loaded; of parts of parts, what they are parts of: nothing is said of a
    module that code, and no statement, loads.
    """
    names = names_in(said)
    return names | {".".join(name.split(".")[:2]) for name in names}


COLLECTING = """
import atexit, gc, runpy, sys
sys.argv = ["wl", "list", "nothing"]
done = []
gc.callbacks.append(lambda phase, _: done.append("wirelab.cli.listing" in sys.modules))
told = lambda: (False in done, gc.isenabled(), gc.get_freeze_count())
atexit.register(lambda: print(*told(), file=sys.stderr))
runpy.run_module("wirelab", run_name="__main__", alter_sys=True)
"""


def test_nothing_is_collected_before_the_command_is_there_and_no_module_after(
    tmp_path: Path,
) -> None:
    ended = piped(cwd=tmp_path, wl=[sys.executable, "-c", COLLECTING])
    assert ended.returncode == 2, ended.stderr
    too_early, enabled, modules_objects = ended.stderr.split()[-3:]
    assert (too_early, enabled) == ("False", "True")
    assert int(modules_objects) > 20_000
