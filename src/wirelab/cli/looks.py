"""A run that goes on by ``--until``: what it will do and cost, and a line for each look."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from wirelab.cells.analysis import Analysis
from wirelab.cells.widths import widths
from wirelab.cli.ending import run_before
from wirelab.model.mistake import MistakeError
from wirelab.model.run import Run
from wirelab.model.until import TableWidth, Until
from wirelab.plan.load import seconds_with_starts
from wirelab.plan.order import included_blocks
from wirelab.run.looks import cost_line, look_line, rule_line
from wirelab.run.session import Looks
from wirelab.samples.run_folder import RunFolder, read_result


def announce_rule(folder: RunFolder, say: Callable[[str], None]) -> None:
    """Say what a run with such a rule will do, and what a difference costs; of others nothing."""
    run = folder.read_run()
    until = run.until
    if until is None or until.stopped_by is not None:
        return
    block = [trial for trial in run.plan if trial.scenario in until.figures and not trial.block]
    say(rule_line(until))
    say(cost_line(_scatter_before(until, run, folder.path), seconds_with_starts(block)))


def told_looks(analysis: Analysis, say: Callable[[str], None]) -> Looks:
    """Looks at what a run has so far, each of which is told in a line."""

    def looked(until: Until, own: Sequence[TableWidth], block_seconds: float) -> None:
        say(look_line(until, own, block_seconds))

    return Looks(lambda: analysis.result()[0].widths, looked)


def _scatter_before(until: Until, run: Run, folder: Path) -> float | None:
    """Scatter of ratios from block to block in the run before, if that was on this machine."""
    before = run_before(folder, run)
    if before is None:
        return None
    try:
        result = read_result(before)
    except MistakeError:
        return None  # cut off, or edited: what it tells is a courtesy, and no reason to stop
    machine = [one.host.get("cpu") for one in (result.disclosure, run.disclosure)]
    if machine[0] != machine[1]:
        return None
    contenders = {name: found.manifest for name, found in result.participants.items()}
    blocks = included_blocks(RunFolder(before).read_run().plan)
    found = widths(result.cells, until, result.scenarios, contenders, blocks)
    return max((one.scatter for one in found if one.scatter is not None), default=None)
