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
