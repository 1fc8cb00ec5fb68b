"""The original codec of CGD in C++, whose headers a user brings: here stand-ins for them.

One writes what the clean-room codec writes, the other one byte of each message otherwise.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.command_lines import piped
from e2e import whole_runs
from e2e.conftest import SABOTAGED

pytestmark = [pytest.mark.e2e]
in_cpp = pytest.mark.needs("cmake", "g++")

HEADERS = Path(__file__).parent / "fixtures" / "cgdk-include"
UNLIKE = HEADERS.with_name("cgdk-include-unlike")
NAME = "cpp-cgd-original"
SHAPES = ("T1", "T2", "T3", "T4", "T5", "telemetry", "chat")
LACKING = (
    "the variable CGDK_INCLUDE names no folder outside of the clone that has cgdk/shared_buffer"
)


def run_with(headers: Path, here: Path) -> Path:
    """A run of both codecs; who writes other bytes has trials with wrong answers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CGDK_INCLUDE", str(headers))
        chosen = whole_runs.only("--contender", [NAME, "cpp-cgd-buffer"])
        options = ("--scenario", "encodings", "--scenario", "conform", "--profile", "check")
        return whole_runs.run_suite(here, "codec", *options, *chosen, ends_with=SABOTAGED)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_with(HEADERS, tmp_path_factory.mktemp("original"))


@pytest.mark.parametrize("value", ["", "/nowhere", str(HEADERS.parent)])
def test_without_its_headers_it_is_unavailable_with_that_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("CGDK_INCLUDE", value)
    remedy = "export CGDK_INCLUDE=FOLDER, where FOLDER has cgdk/shared_buffer"
    [line] = [
        line
        for line in piped("list", "codec", cwd=tmp_path).stdout.splitlines()
        if line.startswith(f"  {NAME} ")
    ]
    assert "  not here  " in line
    why = f"it names {value}" if value else "it is not set"
    assert line.endswith(f"{LACKING}: {why}; to mend it: {remedy}")


@in_cpp
def test_with_them_it_takes_part_and_its_version_is_their_hash(folder: Path) -> None:
    whole_runs.no_trial_failed(folder)
    result = whole_runs.result_of(folder)
    assert whole_runs.available(result) >= {NAME, "cpp-cgd-buffer"}
    ready = [
        event
        for path in folder.glob(f"trials/*-encodings-{NAME}/trial.json")
        for event in re.findall(r"headers [0-9a-f]{12}", path.read_text("utf-8"))
    ]
    assert ready


@in_cpp
def test_both_are_compared_byte_by_byte(folder: Path) -> None:
    cells = {cell["id"]: cell for cell in whole_runs.result_of(folder)["cells"]}
    for shape in SHAPES:
        own, other = (
            cells[f"codec/conform/{shape}/{name}"]["remarks"] for name in (NAME, "cpp-cgd-buffer")
        )
        assert own["sha256"] == other["sha256"], shape
        assert own["read"]["cpp-cgd-buffer"]["same"] == own["read"]["cpp-cgd-buffer"]["of"] > 0
        assert "truncate" in own, shape
    text = (folder / "report-en.md").read_text("utf-8")
    assert f"CGD::buffer (C++): equal in {', '.join(SHAPES)}" in text


@in_cpp
def test_one_byte_that_is_other_is_found(tmp_path: Path) -> None:
    unlike = run_with(UNLIKE, tmp_path)
    cells = {cell["id"]: cell for cell in whole_runs.result_of(unlike)["cells"]}
    for shape in SHAPES:
        own, other = (
            cells[f"codec/conform/{shape}/{name}"]["remarks"] for name in (NAME, "cpp-cgd-buffer")
        )
        assert own["sha256"] != other["sha256"], shape
        assert other["golden"] in ("equal", "no vector"), shape
        assert own["golden"] in ("differs", "no vector"), shape
        # Each reads what it wrote itself, and nothing of the other's.
        assert own["read"][NAME]["same"] == own["read"][NAME]["of"] > 0, shape
        assert own["read"]["cpp-cgd-buffer"]["same"] == 0, shape
    text = (unlike / "report-en.md").read_text("utf-8")
    assert f"CGD::buffer (C++): other bytes in {', '.join(SHAPES)}" in text
