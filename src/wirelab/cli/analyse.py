"""``wl analyse``: compute the cells of a run again from its samples."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from wirelab.cli.places import say_if_under_way
from wirelab.cli.screen import screen
from wirelab.garbage import loading
from wirelab.report import terminal
from wirelab.samples.run_folder import RunFolder


def analyse(
    run: Annotated[Path, typer.Argument(help="Folder of a run.")],
) -> None:
    """Recompute cells, gates and ranks of a run from its samples."""
    with loading():
        from wirelab.cells.analysis import analyse as analyse_run

    RunFolder(run).read_run()
    say_if_under_way(run)
    result, _ = analyse_run(run)
    terminal.summary(result, screen())
