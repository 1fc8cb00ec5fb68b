"""From the folder of a run to its reports: analysis and report agree on their files."""

from __future__ import annotations

from pathlib import Path

import pytest
from report_sample import SUITE

from synthetic import Caller, Client, SyntheticRun, faults_run, load_run
from wirelab.cells.analysis import analyse
from wirelab.manifest import load_suite
from wirelab.report import write


def s7() -> SyntheticRun:
    """The suite's own scenario, as three contenders of known speed would have run it."""
    return load_run(
        {
            "asyncua": Client(median_ms=22.0, language="Python", title="asyncua"),
            "milo": Client(median_ms=2.8, language="Java", title="Eclipse Milo"),
            "open62541": Client(median_ms=0.8, language="C", heap_mb=None),
        },
        scenario=load_suite(SUITE / "suite.toml").scenarios["s7"],
        suite="opcua",
        scenario_name="s7",
        count=200,
    )


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_suite_of_the_study(tmp_path: Path, language: str) -> None:
    analyse(s7().write(tmp_path))
    html, md = write(tmp_path, language, ["html", "md"], SUITE)
    text = md.read_text("utf-8")
    assert "Eclipse Milo (Java)" in text
    assert "22.45" in text  # the published median of asyncua
    assert "<svg" in html.read_text("utf-8")


def test_a_suite_of_faults_alone(tmp_path: Path) -> None:
    run = faults_run({"kind": Caller(), "mute": Caller(silent=True, recovery_ms=None)})
    analyse(run.write(tmp_path))
    (path,) = write(tmp_path, "en", ["md"], tmp_path / "no-suite")
    text = path.read_text("utf-8")
    assert "No scenario with figures was run." in text
    assert "does not come back by itself" in text
