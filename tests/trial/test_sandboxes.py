"""Files that roles write in sandboxes, at the end of their trial."""

from __future__ import annotations

from pathlib import Path

from synthetic import load_scenario
from wirelab.model.planned import PlannedTrial
from wirelab.trial.sandboxes import bring_out, outputs_of
from wirelab.trial.spec import Surroundings, spec_of

ROLE = "client"


def test_bringing_out_twice_keeps_what_a_role_wrote(
    planned_trial: PlannedTrial, tmp_path: Path
) -> None:
    outputs = outputs_of(tmp_path, ROLE, sandboxed=True)
    scenario = load_scenario()
    spec = spec_of(
        planned_trial,
        scenario,
        ROLE,
        Surroundings(),
        mark="run/trial",
        folder=tmp_path,
        listen="127.0.0.1:0",
        outputs=outputs,
    )
    outputs.mkdir()
    for kind in ("samples", "answers"):
        Path(spec["paths"][kind]).write_text(kind, "utf-8")
    (tmp_path / "server.stderr.log").write_text("of another role", "utf-8")
    for _ in range(2):
        bring_out(spec, tmp_path)
        kept = {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()}
        assert kept == {
            "client.samples": "samples",
            "client.answers.jsonl": "answers",
            "server.stderr.log": "of another role",
        }
        assert spec["paths"]["samples"] == str(tmp_path / "client.samples")
