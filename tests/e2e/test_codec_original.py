"""The original codec of CGD in C++, whose headers a user brings: here a stand-in for them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.command_lines import piped
from e2e import whole_runs

pytestmark = [pytest.mark.e2e]

HEADERS = Path(__file__).parent / "fixtures" / "cgdk-include"
NAME = "cpp-cgd-original"
SHAPES = ("T1", "T2", "T3", "T4", "T5", "telemetry", "chat")
LACKING = (
    "the variable CGDK_INCLUDE names no folder from outside of the tree that has cgdk/shared_buffer"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CGDK_INCLUDE", str(HEADERS))
        chosen = whole_runs.only("--contender", [NAME, "cpp-cgd-buffer"])
        options = ("--scenario", "encodings", "--scenario", "conform", "--profile", "check")
        here = tmp_path_factory.mktemp("original")
        return whole_runs.run_suite(here, "codec", *options, *chosen)


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
    assert line.endswith(f"{LACKING}; to mend it: {remedy}")


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


def test_both_are_compared_byte_by_byte(folder: Path) -> None:
    cells = {cell["id"]: cell for cell in whole_runs.result_of(folder)["cells"]}
    for shape in SHAPES:
        own, other = (
            cells[f"codec/conform/{shape}/{name}"]["remarks"] for name in (NAME, "cpp-cgd-buffer")
        )
        assert own["sha256"] == other["sha256"], shape
        assert own["read"]["cpp-cgd-buffer"]["same"] == own["read"]["cpp-cgd-buffer"]["of"] > 0
        assert "truncate" not in own, "it believes its input"
    text = (folder / "report-en.md").read_text("utf-8")
    assert f"CGD::buffer (C++): equal in {', '.join(SHAPES)}" in text
