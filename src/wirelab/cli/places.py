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


def place_of(contender: str, run: Run, folder: Path, named_by: str = "--contender PATH") -> str:
    """Name by which the catalog finds a contender of a run, or its folder outside of the tree."""
    place = run.elsewhere.get(contender)
    if place is None:
        return contender
    refuse_code_of(folder, place, named_by)
    if not Path(place).is_dir():
        raise MistakeError(
            f"{contender} was in {place}, which is gone; say where it is: --contender PATH"
        )
    return place


def refuse_code_of(run: Path, place: str, named_by: str) -> None:
    """Raise for code that may have come along with a run: what is executed is the user's own.

    An archive is unpacked into the folder of the results, where it may bring more than a run.
    ``named_by`` is the option that names such code all the same, where the command has one.
    """
    refused = "nothing from there is executed"
    refused += f" unless you name it yourself: {named_by}" if named_by else ""
    if not Path(place).is_absolute():
        raise MistakeError(
            f"{run / 'run.json'} names {place}, which is another place in every folder: {refused}"
        )
    for results_folder in _results_around(run):
        if any(it.is_relative_to(results_folder) for it in _ways_to(Path(place))):
            raise MistakeError(
                f"{run / 'run.json'} names {place}, which lies in {results_folder}, as the run "
                f"does: {refused}"
            )


def refuse_interpreter_of(run: Path, python: str, named_by: str = "") -> None:
    """Raise for an interpreter of a run that may have come along with it."""
    if os.sep in python:  # a name alone is looked for where the user's commands are
        refuse_code_of(run, python, named_by)


def refuse_other_interpreter(python: str, named: str) -> None:
    """Raise where the user has ``named`` another interpreter than the one that a run has."""
    if python not in (named, interpreter_place(named)):
        raise MistakeError(
            f"--python {named}: this run's contenders run on {python or 'that of wirelab'}, and "
            "keep to it; begin a new run for another"
        )


def interpreter_place(python: str) -> str:
    """An interpreter that leads to the same place from every folder."""
    return str(Path.cwd() / python) if os.sep in python else python


def _results_around(run: Path) -> set[Path]:
    return {Path(os.path.normpath(run.absolute())).parent, run.resolve().parent}


def _ways_to(place: Path) -> set[Path]:
    """By its name, by its folder, and by where it leads: an interpreter is often a link."""
    named = Path(os.path.normpath(place))
    led = [Path(os.path.realpath(path)) for path in (place.parent, place)]
    return {named, led[0] / place.name, *led}


def say_if_under_way(run: Path) -> None:
    """Say where trials are still to come: what is computed now is of those that have ended."""
    if (holder := holder_of(run)) is not None:
        typer.echo(f"{run} is under way ({holder}); this is what it has so far", err=True)
