"""Cost of a sandbox: start-up and latency of the same trials with and without, block by block.

    .wirelab/venv/bin/python tests/sandbox_cost.py [--blocks N] [SUITE/SCENARIO/CONTENDER,… ...]

Each trial is carried out twice in a row, in random order: once with its roles in sandboxes, once
without. What is not built is built first. Then each figure is told as the ratio with / without over
the blocks, with its 95 % interval (``wirelab.stats.ratio.within_blocks``, exact from 6 blocks), and
start-up as medians: ``worker`` is from the start of a role's program until it is ready, ``trial``
is all that a trial takes beside its load, in which sandboxes are made and ended. To be run while
the machine does nothing else. Exit 1: a trial failed, or an interval leaves 0.95 to 1.05.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from wirelab.catalog import find_catalog
from wirelab.cells.analysis import analyse
from wirelab.model.planned import PlannedTrial
from wirelab.model.result import Metric, Result
from wirelab.model.trial import TrialRecord, TrialStatus
from wirelab.plan.selection import Selection
from wirelab.processes import leftovers
from wirelab.processes.guardian import Guardian, session_of
from wirelab.run.progress import PlainProgress
from wirelab.run.selection import begin
from wirelab.run.session import Session
from wirelab.run.setups import TrialSetups
from wirelab.samples.run_folder import RunFolder
from wirelab.stats.ratio import within_blocks

TREE = Path(__file__).parents[1]
MEASURED = ("opcua/s7/asyncua,milo,open62541", "websocket/stroke/axum")
BETWEEN = (0.95, 1.05)
FIGURES = tuple(f"{time}.{part}" for time in ("latency", "response") for part in ("p50", "p95"))


@dataclass(frozen=True)
class Side:
    """The trials with sandboxes, or those without."""

    folder: RunFolder
    session: Session

    def record(self, trial: PlannedTrial) -> TrialRecord:
        found = self.folder.read_record(trial.id)
        assert found is not None
        return found


def side(wanted: str, blocks: int, profile: str, place: Path, *, sandbox: bool) -> Side:
    suite_name, scenario, names = wanted.split("/")
    suite = find_catalog(TREE).suite(suite_name)
    contenders = suite.chosen_contenders(names.split(","))
    selection = Selection(
        [scenario],
        profile,
        seed=1,
        trials=blocks + suite.scenario(scenario).profiles[profile].discard,
        sandbox="required" if sandbox else "none",
    )
    setups = TrialSetups(suite, contenders, selection, TREE, print)
    folder = begin(setups, place, TREE)
    console = Console(quiet=True)
    return Side(folder, Session(folder, setups, PlainProgress(console, lambda _: [])))


def measured(wanted: str, blocks: int, profile: str, place: Path) -> bool:
    """Carry the trials out and tell of them; whether all went well within the bounds."""
    confined = side(wanted, blocks, profile, place / "with", sandbox=True)
    plain = side(wanted, blocks, profile, place / "without", sandbox=False)
    chance = random.Random(1)
    plan = list(zip(confined.session.run.plan, plain.session.run.plan, strict=True))
    leftovers.adopt_orphans()
    with ExitStack() as guarded:
        for one in (confined, plain):
            guarded.enter_context(Guardian(session_of(one.session.run.id)))
        for number, (inside, outside) in enumerate(plan, 1):
            print(f"{wanted}: {number} of {len(plan)}", file=sys.stderr, flush=True)
            assert inside.id == outside.id
            both = [(confined, inside), (plain, outside)]
            chance.shuffle(both)
            for one, trial in both:
                one.session.carry_out_once(trial)
    tell_starts(wanted, confined, plain)
    results = [analyse(one.folder.path)[0] for one in (confined, plain)]
    lines = list(ratios(*results))
    print(f"ratios with / without, to lie within {BETWEEN[0]} and {BETWEEN[1]}")
    print("\n".join(line for line, _ in lines) or "  too few trials for any", flush=True)
    records = [one.record(t) for one in (confined, plain) for t in one.session.run.plan]
    failed = [r for r in records if r.status is not TrialStatus.OK]
    for record in failed:
        print(f"  {record.planned.id}: {record.reason}: {record.detail}")
    return not failed and bool(lines) and all(good for _, good in lines)


def tell_starts(wanted: str, confined: Side, plain: Side) -> None:
    print(f"\n{wanted}: medians with and without, ms")
    names = dict.fromkeys(trial.contender for trial in confined.session.run.plan)
    for name in names:
        shown = []
        for one in (confined, plain):
            records = [one.record(t) for t in one.session.run.plan if t.contender == name]
            worker = [r.startup_ns for t in records for r in t.roles.values() if r.startup_ns]
            beside = [around(record) for record in records]
            shown.append((statistics.median(worker), statistics.median(beside)))
        (worker_in, trial_in), (worker_out, trial_out) = shown
        print(
            f"  {name:24} worker {worker_in / 1e6:8.1f} {worker_out / 1e6:8.1f}   "
            f"trial {trial_in / 1e6:8.1f} {trial_out / 1e6:8.1f}"
        )


def around(record: TrialRecord) -> int:
    """Time of a trial without what was measured."""
    window = record.window_ns or (0, 0)
    return (record.took_ns or 0) - (window[1] - window[0])


def ratios(inside: Result, outside: Result) -> Iterator[tuple[str, bool]]:
    """A line for each figure of a cell, and whether its interval lies within the bounds."""
    others = {cell.id: cell for cell in outside.cells}
    for cell in inside.cells:
        for key, figure in cell.metrics.items():
            if not key.endswith((*FIGURES, "cpu.mean")) or key not in others[cell.id].metrics:
                continue
            found = within_blocks(figure, beside(figure, others[cell.id].metrics[key]))
            if found is None:
                continue
            good = BETWEEN[0] <= found.low and found.high <= BETWEEN[1]
            shown = f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}]"
            # Processor time is told, not judged: a few ticks of it are a coarse figure.
            judged = key.startswith("cpu") or good
            yield f"  {cell.id:36} {key:22} {shown}{'' if judged else '  <-- outside'}", judged


def beside(figure: Metric, other: Metric) -> Metric:
    """``other`` as of the blocks of ``figure``: each trial of one was beside one of the other."""
    if figure.by_block is None or other.by_block is None:
        return other
    same = other.by_block.model_copy(update={"of": figure.by_block.of})
    return other.model_copy(update={"by_block": same})


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("measured", nargs="*", default=list(MEASURED))
    parser.add_argument("--blocks", type=int, default=12)
    parser.add_argument("--profile", default="smoke")
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="sandbox-cost-") as place:
        went = [measured(one, asked.blocks, asked.profile, Path(place)) for one in asked.measured]
    return 0 if all(went) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
