"""A measured role of several processes: one role to whoever counts, each held to what it says."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from wirelab.cells.clock import clock_facts
from wirelab.cells.recorded import RecordedTrial
from wirelab.cells.trial_files import TrialFiles
from wirelab.cells.window import Window
from wirelab.manifest import load_contender, load_suite
from wirelab.model.planned import PlannedTrial
from wirelab.model.trial import TrialRecord, TrialStatus
from wirelab.plan.order import plan
from wirelab.plan.selection import Selection
from wirelab.samples.format import RECORD, write_parquet
from wirelab.schedule import GOLDEN
from wirelab.trial.failure import TrialError
from wirelab.trial.launch import Launch, each_process
from wirelab.trial.rules import rules_of
from wirelab.trial.setup import TrialSetup
from wirelab.trial.together import put_together
from wirelab.trial.trial import Trial

SABOTAGE = Path(__file__).parents[1] / "sabotage"
WORKERS = SABOTAGE / "workers"
WHOLE = load_suite(SABOTAGE / "suite/suite.toml")
ROLES = WHOLE.scenarios["s1"].roles
SEVERAL = ROLES | {"client": ROLES["client"].model_copy(update={"processes": 3})}
SCENARIO = WHOLE.scenarios["s1"].model_copy(update={"roles": SEVERAL})
SUITE = WHOLE.model_copy(update={"scenarios": {"s1": SCENARIO}})
HONEST = load_contender(SABOTAGE / "suite/contenders/honest/contender.toml", WHOLE)
PERIOD_NS = 10_000_000
NAMES = ["client-1", "client-2", "client-3"]


@pytest.fixture
def planned() -> PlannedTrial:
    """Reads alone: each process would write what the others have to find."""
    [trial] = plan(SUITE, [HONEST], Selection(["s1"], "once", 1))
    return trial.model_copy(update={"operations": ["read"]})


def carried_out(folder: Path, planned: PlannedTrial, **spoilt: list[str]) -> TrialRecord:
    """The trial of honest processes, but for those whose command is given by their number."""
    server = Launch("server", [sys.executable, str(WORKERS / "reference.py")], {}, [])
    honest = [sys.executable, str(WORKERS / "asked.py"), "Reference"]
    launches = each_process(server, 1) | each_process(Launch("client", honest, {}, []), 3)
    for number, command in spoilt.items():
        own = launches[f"client-{number[1:]}"]
        launches[own.name] = Launch("client", command, {}, [], process=own.process)
    setup = TrialSetup("several", SCENARIO, launches, rules_of(SABOTAGE / "suite"))
    return Trial(planned, setup, folder).run()


def test_several_processes_are_a_lane_each_of_one_role(
    tmp_path: Path, planned: PlannedTrial
) -> None:
    assert planned.load.processes == 3
    record = carried_out(tmp_path, planned)
    assert (record.status, record.detail, record.wrong_answers) == (TrialStatus.OK, "", [])
    assert [one.role for one in record.processes_of("client")] == NAMES
    assert list(record.roles) == ["server", *NAMES]
    shifts = [lane * GOLDEN % 1_000_000_000 * PERIOD_NS // 1_000_000_000 for lane in range(3)]
    for name, shift in zip(NAMES, shifts, strict=True):
        spec = json.loads((tmp_path / f"{name}.spec.json").read_text())
        assert (spec["role"], spec["schedule"]["steps"]) == ("client", [])
        assert spec["schedule"]["first_ns"] == shift
        assert list(spec["facts"]) == ["server"]
        assert not (tmp_path / f"{name}.parquet").exists()
    files = TrialFiles(tmp_path, "client")
    window = Window.of(planned, record)
    read = SCENARIO.operations["read"]
    assert window.expected(read) == 3 * 120
    assert np.bincount(files.samples.lane).tolist() == [130] * 3
    assert np.all(np.diff(files.samples.end_ns) >= 0)
    clock = clock_facts(files.samples, {"read": read}, SCENARIO, record, window)
    assert (clock.off_schedule, clock.overlapping, clock.outside, clock.early) == (0, 0, 0, 0)
    # Each of them was asked, and has its own preflight of two.
    answers = [(tmp_path / f"{name}.answers.jsonl").read_text().splitlines() for name in NAMES]
    asked = [[json.loads(line) for line in own if '"asked"' in line] for own in answers]
    assert all(len(own) >= 2 for own in asked)
    numbers = [line["asked"] for own in asked for line in own]
    assert len(set(numbers)) == len(numbers) <= (record.asked or 0)
    given = sum("answer" in line for own in asked for line in own)
    assert record.verified == given + 2 * 3
    assert RecordedTrial(planned, record, files).has_ended_well
    # The monitor counts all of them as the role.
    rows = files.monitored["client"]
    assert rows["processes"].max() == 3
    assert [role for role in files.monitored if role.startswith("client")] == ["client"]


def test_one_process_that_fails_is_named_with_its_log(
    tmp_path: Path, planned: PlannedTrial
) -> None:
    ends = [sys.executable, "-c", "import sys; sys.exit('no licence for a second session')"]
    record = carried_out(tmp_path, planned, _2=ends)
    assert (record.status, record.reason, record.role) == (
        TrialStatus.FAILED,
        "exited",
        "client-2",
    )
    assert record.detail.startswith("client-2 ended with exit code 1")
    assert "no licence for a second session" in record.detail
    assert record.roles["client-2"].log == "client-2.stderr"
    assert "client-3" not in record.roles


def test_one_process_that_cheats_is_told_from_the_others(
    tmp_path: Path, planned: PlannedTrial
) -> None:
    caches = [sys.executable, str(WORKERS / "asked.py"), "Caches"]
    record = carried_out(tmp_path, planned, _3=caches)
    assert (record.status, record.detail) == (TrialStatus.OK, "")
    assert record.wrong_answers
    for finding in record.wrong_answers:
        assert finding.startswith("client-3: "), finding
    assert any("values are not those of generation" in one for one in record.wrong_answers)


def test_a_process_has_the_one_lane_of_its_own(tmp_path: Path) -> None:
    for name, lanes in (("client-1", [0, 0]), ("client-2", [0, 1])):
        records = np.zeros(2, dtype=RECORD)
        records["lane"] = lanes
        write_parquet(records, tmp_path / f"{name}.parquet")
    with pytest.raises(TrialError, match="client-2 recorded lane 1") as caught:
        put_together(tmp_path, "client", NAMES[:2])
    assert (caught.value.reason, caught.value.role) == ("sample-file", "client-2")


def test_processes_together_are_in_the_order_of_completion(tmp_path: Path) -> None:
    for name, ends in (("client-1", [30, 50]), ("client-2", [40, 60])):
        records = np.zeros(2, dtype=RECORD)
        records["end_ns"] = ends
        write_parquet(records, tmp_path / f"{name}.parquet")
    kept = pq.read_table(put_together(tmp_path, "client", NAMES[:2]))
    assert kept.column("end_ns").to_pylist() == [30, 40, 50, 60]
    assert kept.column("lane").to_pylist() == [0, 1, 0, 1]
    assert [path.name for path in tmp_path.iterdir()] == ["client.parquet"]
