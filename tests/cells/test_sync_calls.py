"""Sync calls to an operation, and nothing else, are the figures of traced trials."""

from __future__ import annotations

from pathlib import Path

from synthetic import Client, closed_run
from synthetic.closed import closed_scenario
from wirelab.cells.analysis import analyse
from wirelab.model.parts import Mode
from wirelab.model.result import Cell, Verdict
from wirelab.model.units import Text

ECHOES = 200
OPERATION = {"rtt": {"code": 1, "item": "message"}}
SYNCED, UNSYNCED = {"few": 800, "more": 1600}, {"few": 0, "more": 0}


def cells_of(folder: Path) -> dict[tuple[str, str], Cell]:
    """By contender and step, of two contenders, one of whom never syncs."""
    scenario = closed_scenario(operations=OPERATION, rankings=[], bounds={}, syncs_of="server")
    clients = {"synced": Client(median_ms=2.0), "unsynced": Client(median_ms=2.0)}
    run = closed_run(clients, scenario=scenario, trials=2, ticks=ECHOES)
    for trial in run.trials:
        synced = trial.planned.contender == "synced"
        trial.record["roles"]["server"]["syncs"] = SYNCED if synced else UNSYNCED
    result, series = analyse(run.write(folder))
    assert series.cells.keys() == {cell.id for cell in result.cells}
    return {(cell.contender, cell.step): cell for cell in result.cells}


def test_calls_are_told_to_each_operation_and_nothing_is_timed(tmp_path: Path) -> None:
    cells = cells_of(tmp_path)
    assert len(cells) == 2 * 3
    told = {place: cell.metrics["rtt.syncs"].value for place, cell in cells.items()}
    # Two and four users with 200 echoes each.
    assert told == {
        ("synced", "few"): 2.0,
        ("synced", "more"): 2.0,
        ("synced", ""): 2.0,
        ("unsynced", "few"): 0.0,
        ("unsynced", "more"): 0.0,
        ("unsynced", ""): 0.0,
    }
    for cell in cells.values():
        assert set(cell.metrics) == {"rtt.syncs", "rtt.error.count"}
        assert cell.metrics["rtt.syncs"].unit == "call/message"
        assert cell.verdict is Verdict.VALID, cell.findings


def test_whose_mode_waits_for_the_disk_has_a_call_for_those_that_can_share_it(
    tmp_path: Path,
) -> None:
    """At the most four users wait for one call: a call to four messages is enough."""
    scenario = closed_scenario(operations=OPERATION, rankings=[], bounds={}, syncs_of="server")
    names = ("grouping", "lazy", "unsynced", "free")
    clients = {name: Client(mode="free" if name == "free" else "kept") for name in names}
    run = closed_run(clients, scenario=scenario, trials=2, ticks=ECHOES)
    title = Text(en="kept")
    for name, waits in (("kept", True), ("free", False)):
        run.run.modes[name] = Mode(title=title, meaning=title, waits_for_disk=waits)
    calls = {"grouping": 300, "lazy": 50, "unsynced": 0, "free": 0}
    for trial in run.trials:
        count = calls[trial.planned.contender]
        trial.record["roles"]["server"]["syncs"] = {"few": count, "more": count}
    result, _ = analyse(run.write(tmp_path))
    told: dict[str, set[str]] = {name: set() for name in names}
    for cell in result.cells:
        told[cell.contender] |= {finding.gate for finding in cell.findings}
    assert {name for name, gates in told.items() if "never-synced" in gates} == {"lazy", "unsynced"}


def test_calls_to_the_few_operations_that_did_not_fail_are_no_figure(tmp_path: Path) -> None:
    scenario = closed_scenario(operations=OPERATION, rankings=[], bounds={}, syncs_of="server")
    run = closed_run({"synced": Client()}, scenario=scenario, trials=1, ticks=ECHOES)
    (trial,) = run.trials
    trial.record["roles"]["server"]["syncs"] = SYNCED
    assert len(trial.samples["status"][::2]) > ECHOES
    trial.samples["status"][::2] = 1
    result, _ = analyse(run.write(tmp_path))
    assert len(result.cells) == 3
    for cell in result.cells:
        assert "loss-or-error" in {finding.gate for finding in cell.findings}
        assert cell.metrics["rtt.syncs"].verdict is Verdict.INVALID
        assert cell.verdict is Verdict.INVALID
