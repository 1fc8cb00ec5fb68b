"""Part 4: contenders of the suites in one run whose blocks alternate, quiet and beside others."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from wirelab.bench.truth import runs
from wirelab.bench.truth.part import MeasuredPiece, Row, TruthPart, TruthPlaces
from wirelab.bench.truth.rows import Entry
from wirelab.bench.truth.tables import number, percent, table, yes_or_no
from wirelab.bench.truth.texts import AGREEMENT
from wirelab.catalog import suite_at
from wirelab.cells.analysis import analyse
from wirelab.model.rankings import rankings
from wirelab.model.result import Cell, Result
from wirelab.plan.load import seconds_with_starts
from wirelab.plan.order import plan
from wirelab.plan.selection import Selection
from wirelab.samples.run_folder import RunFolder

WITHIN = 0.15
_SHARE = 0.9
BLOCKS = 12
_LOOK_S = 0.02

_SCENARIOS = {"opcua": "s7", "codec": "steady"}
"""By suite."""

_TRIALS = "smoke"
"""The profile of their trials, whatever the amount of measuring."""

_SUITES = Path(__file__).parents[4] / "suites"


def _pieces(profile: str) -> list[MeasuredPiece]:
    suites = ["opcua"] if profile == "smoke" else list(_SCENARIOS)
    return [
        MeasuredPiece(suite, _minutes(suite, _blocks_of(profile)), partial(_measured, suite))
        for suite in suites
    ]


def _blocks_of(profile: str) -> int:
    return 2 if profile == "smoke" else BLOCKS


def _minutes(name: str, blocks: int) -> float:
    """Estimate the minutes that all contenders of a suite take, were everything at hand."""
    suite = suite_at(_SUITES / name / "suite.toml")
    selection = Selection([_SCENARIOS[name]], _TRIALS, seed=0, trials=blocks)
    return seconds_with_starts(plan(suite.manifest, suite.runnable, selection)) / 60


def _measured(suite: str, where: TruthPlaces) -> list[Row]:
    blocks = _blocks_of(where.profile)
    scenario = _SCENARIOS[suite]
    # Blocks beside the neighbour are to stay so, whatever is lost in them.
    asked = runs.AskedRun(
        scenario, [], _TRIALS, where.seed, trials=blocks, suite=suite, makes_up=False
    )
    watch = partial(_alternate, where.seed)
    finished = runs.carried_out(asked, where, f"agreement-{suite}", watch=watch)
    quiet, noisy = (
        analyse(of_blocks(finished.folder, finished.folder.parent / host, odd=host != runs.QUIET))
        for host in runs.HOSTS
    )
    return rows_of(suite, quiet[0], noisy[0])


def _alternate(seed: int, process: subprocess.Popen[bytes], out: Path) -> None:
    """Let the neighbour be there in every other block, until the run has ended."""
    blocks: dict[str, int] = {}
    with ExitStack() as beside:
        is_there = False
        while process.poll() is None:
            if not blocks:
                blocks = _blocks(out)
            block = _block_under_way(out, blocks)
            if block is not None and is_there != bool(block % 2):
                is_there = not is_there
                beside.close()
                host = runs.NEIGHBOUR if is_there else runs.QUIET
                beside.enter_context(runs.beside(host, seed + block, out / "neighbour.jsonl"))
            time.sleep(_LOOK_S)


def _blocks(out: Path) -> dict[str, int]:
    """By trial of the plan: its block; none before there is a plan."""
    for path in out.glob("*/run.json"):
        return {trial.id: trial.block for trial in RunFolder(path.parent).read_run().plan}
    return {}


def _block_under_way(out: Path, blocks: dict[str, int]) -> int | None:
    begun = max((path.name for path in out.glob("*/trials/*")), default="")
    return blocks.get(begun)


def of_blocks(folder: Path, into: Path, *, odd: bool) -> Path:
    """A run folder with every other block of a run; its trials are the same files."""
    source, target = RunFolder(folder), RunFolder(into)
    into.mkdir()
    run = source.read_run()
    # What makes up for a lost trial stands in a block of its own, and not beside the other host.
    own = [trial for trial in run.plan if not trial.repeats]
    plan = [trial for trial in own if bool(trial.block % 2) == odd]
    target.write_run(run.model_copy(update={"plan": plan}))
    target.trials.mkdir()
    for trial in plan:
        shutil.copytree(source.trial(trial.id), target.trial(trial.id), copy_function=os.link)
    return into


def rows_of(suite: str, quiet: Result, noisy: Result) -> list[Row]:
    """A row a cell, by what its scenario ranks first."""
    beside = {cell.id: cell for cell in noisy.cells}
    found = []
    for cell in quiet.cells:
        metric = next((r.metric for r in rankings(quiet.scenarios[cell.scenario])), "")
        if metric in cell.metrics:
            found.append(_row(suite, metric, cell, beside.get(cell.id)))
    return found


def _row(suite: str, metric: str, quiet: Cell, noisy: Cell | None) -> Row:
    alone = quiet.usable(metric)
    disturbed = noisy.usable(metric) if noisy is not None else None
    value = alone.value if alone is not None else None
    other = disturbed.value if disturbed is not None else None
    gates = noisy.metrics[metric].gates if noisy is not None and metric in noisy.metrics else []
    return {
        **{"suite": suite, "scenario": quiet.scenario, "variant": quiet.variant},
        **{"step": quiet.step, "contender": quiet.contender, "figure": metric},
        **{"quiet": value, "neighbour": other, "unit": quiet.metrics[metric].unit},
        "ratio": value / other if value and other else None,
        "why": "" if other is not None else ", ".join(gates) or "no figure",
    }


_COLUMNS = ("suite", "cell", "contender", "figure", "quiet", "neighbour", "ratio", "within 15 %")


def _table(entries: Sequence[Entry]) -> list[str]:
    rows = [row for entry in entries for row in entry.rows]
    lines: list[str] = []
    for suite in dict.fromkeys(str(row["suite"]) for row in rows):
        lines += [*_summary(suite, [row for row in rows if row["suite"] == suite]), ""]
    return [*lines, *table(_COLUMNS, map(_line, rows))]


def _summary(suite: str, rows: Sequence[Row]) -> list[str]:
    there = [row for row in rows if row["quiet"] is not None]
    both = [row for row in there if row["ratio"] is not None]
    near = [row for row in both if _is_near(row)]
    return [
        f"**{suite}**: of {len(there)} cells with a figure quiet {len(both)} have one beside the "
        f"neighbour ({_judged(len(both), len(there))}); of these {len(near)} are within 15 % "
        f"({_judged(len(near), len(both))})."
    ]


def _judged(part: int, whole: int) -> str:
    if not whole:
        return "none to judge by"
    share = part / whole
    return f"{percent(share)}, {'at least' if share >= _SHARE else 'below'} {percent(_SHARE)}"


def _is_near(row: Row) -> bool:
    return abs(float(row["ratio"] or 0) - 1) <= WITHIN


def _line(row: Row) -> Iterable[str]:
    cell = " ".join(str(row[key]) for key in ("scenario", "variant", "step") if row[key])
    return (
        *(str(row["suite"]), cell, str(row["contender"]), f"{row['figure']} ({row['unit']})"),
        *(number(row[key]) for key in ("quiet", "neighbour", "ratio")),
        yes_or_no(_is_near(row), str(row["why"]) if row["ratio"] is None else ""),
    )


PART = TruthPart("agreement", "Agreement, quiet and beside others", AGREEMENT, _pieces, _table)
