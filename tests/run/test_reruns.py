"""Reruns: all samples are read for them where the profile has any, and nowhere else."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import Mock

import pytest

from synthetic.behaviour import Client
from synthetic.load import load_run
from synthetic.manifests import load_scenario
from wirelab.run.session import Session
from wirelab.samples.run_folder import RunFolder


@pytest.mark.parametrize(("profile", "reruns", "times"), [("smoke", 0, 0), ("quick", 3, 1)])
def test_cells_are_judged_where_the_profile_has_reruns(
    tmp_path: Path, profile: str, reruns: int, times: int
) -> None:
    assert load_scenario().profiles[profile].reruns == reruns
    folder = load_run({"swift": Client()}, trials=2, profile=profile).write(tmp_path)
    unstable = Mock(return_value=[])
    Session(RunFolder(folder), setups=Mock(), watcher=Mock()).carry_out(unstable)
    assert unstable.call_count == times
