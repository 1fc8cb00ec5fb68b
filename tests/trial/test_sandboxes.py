"""Files that roles write in sandboxes, at the end of their trial."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from synthetic import load_scenario
from wirelab.model.planned import PlannedTrial
from wirelab.trial.sandboxes import bring_out, outputs_of
from wirelab.trial.spec import Surroundings, spec_of

ROLE = "client"


def test_a_folder_that_its_role_closed_is_moved_open(
    planned_trial: PlannedTrial, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = spec_in(planned_trial, tmp_path)
    made = Path(spec["paths"]["samples"])
    made.mkdir()
    made.chmod(0o500)
    replace = os.replace

    def as_the_kernel(path: Path, kept: Path) -> None:
        if path.is_dir() and not path.stat().st_mode & stat.S_IWUSR:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        replace(path, kept)

    monkeypatch.setattr(os, "replace", as_the_kernel)  # it does not refuse root
    assert bring_out(spec, tmp_path) == ""
    assert (tmp_path / "client.samples").is_dir()
    assert not made.parent.exists()


def test_what_cannot_be_moved_is_told_and_the_rest_is(
    planned_trial: PlannedTrial, tmp_path: Path
) -> None:
    spec = spec_in(planned_trial, tmp_path)
    for kind in ("samples", "answers"):
        Path(spec["paths"][kind]).write_text(kind, "utf-8")
    (tmp_path / "client.samples" / "in the way").mkdir(parents=True)
    assert bring_out(spec, tmp_path) == "client.samples cannot be kept: Is a directory"
    assert (tmp_path / "client.answers.jsonl").read_text("utf-8") == "answers"
    assert bring_out(spec, tmp_path) == ""


def spec_in(planned_trial: PlannedTrial, folder: Path) -> dict[str, Any]:
    """A spec of the role in a sandbox, whose outputs are there."""
    outputs = outputs_of(folder, ROLE, sandboxed=True)
    outputs.mkdir()
    return spec_of(
        planned_trial,
        load_scenario(),
        ROLE,
        Surroundings(),
        mark="run/trial",
        folder=folder,
        listen="127.0.0.1:0",
        outputs=outputs,
    )


def test_bringing_out_twice_keeps_what_a_role_wrote(
    planned_trial: PlannedTrial, tmp_path: Path
) -> None:
    spec = spec_in(planned_trial, tmp_path)
    # Stacks are left in the role's scratch folder, which is in the trial's already.
    spec["paths"]["stacks"] = str(tmp_path / ROLE / "stacks.jsonl")
    (tmp_path / ROLE).mkdir()
    for kind in ("samples", "answers", "stacks"):
        Path(spec["paths"][kind]).write_text(kind, "utf-8")
    (tmp_path / "server.stderr.log").write_text("of another role", "utf-8")
    for _ in range(2):
        bring_out(spec, tmp_path)
        files = [path for path in tmp_path.rglob("*") if path.is_file()]
        kept = {str(path.relative_to(tmp_path)): path.read_text("utf-8") for path in files}
        assert kept == {
            "client.samples": "samples",
            "client.answers.jsonl": "answers",
            "client/stacks.jsonl": "stacks",
            "server.stderr.log": "of another role",
        }
        assert spec["paths"]["samples"] == str(tmp_path / "client.samples")
