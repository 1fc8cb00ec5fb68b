"""Folders of the repository, of what was built, and of the results."""

from __future__ import annotations

import os
from pathlib import Path

import typer

from wirelab.model.mistake import MistakeError
from wirelab.model.run import Run
from wirelab.samples.run_lock import holder_of

ROOT = Path(os.environ.get("WIRELAB_ROOT", Path(__file__).parents[3]))
"""The repository's folder."""


def results(chosen: Path | None = None) -> Path:
    """Folder of the runs: ``chosen``, or ``results/`` in the current folder."""
    return Path.cwd() / (chosen or "results")


def called() -> str:
    """``wl`` as it is typed where the user stands."""
    here = Path.cwd()
    return "./wl" if here == ROOT.resolve() else os.path.relpath(ROOT.resolve() / "wl", here)


def usable(folder: Path) -> Path:
    """``folder``, made if it is missing; MistakeError where nothing can be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MistakeError(f"results cannot go to {folder}: {error.strerror}") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise MistakeError(f"results cannot go to {folder}: no right to write there")
    return folder


def place_of(contender: str, run: Run, folder: Path) -> str:
    """Name by which the catalog finds a contender of a run, or its folder outside of the tree."""
    place = run.elsewhere.get(contender)
    if place is None:
        return contender
    refuse_code_of(folder, place)
    if not Path(place).is_dir():
        raise MistakeError(
            f"{contender} was in {place}, which is gone; say where it is: --contender PATH"
        )
    return place


def refuse_code_of(run: Path, place: str) -> None:
    """Raise for code that came along with a run: what is executed is the user's own."""
    if Path(place).resolve().is_relative_to(run.resolve()):
        raise MistakeError(
            f"{run / 'run.json'} names {place}, which lies in the run's own folder: nothing from "
            "there is executed"
        )


def say_if_under_way(run: Path) -> None:
    """Say where trials are still to come: what is computed now is of those that have ended."""
    if (holder := holder_of(run)) is not None:
        typer.echo(f"{run} is under way ({holder}); this is what it has so far", err=True)
