"""The folder of a run: what is kept there, and how it is read again.

Whoever looks at a run need not have made it, so that nothing in it is trusted: names that become
paths are held to by the models, and no link leads out of the folder.
"""

from __future__ import annotations

import stat
from pathlib import Path

from wirelab.garbage import collection_paused
from wirelab.model.mistake import MistakeError
from wirelab.model.result import Result, Series
from wirelab.model.run import Run
from wirelab.model.trial import TrialRecord
from wirelab.samples import regular_file, stored
from wirelab.samples.conversion import converted
from wirelab.samples.figures_file import figures_csv
from wirelab.samples.removal import remove
from wirelab.samples.replacing import replacing
from wirelab.samples.stored import UnreadableFileError


class NoSuchRunError(MistakeError):
    """A folder that holds no run, or no result of one."""


class RunFolder:
    """``results/<run>/``; see ``wirelab.model.run`` and ``wirelab.model.result`` for what is in it.

    A file that is there and cannot be read raises ``wirelab.samples.stored.UnreadableFileError``.
    """

    def __init__(self, path: Path) -> None:
        # Workers are told of paths in it, and each of them stands in a folder of its own.
        self.path = path.absolute()

    @property
    def trials(self) -> Path:
        """Folder of the trials' folders."""
        return _within(self.path / "trials")

    def trial(self, name: str) -> Path:
        """Folder of the files of a trial."""
        return _within(self.trials / name)

    def target(self, visit: str) -> Path:
        """Folder of the files of a visit to a server of the user's own."""
        return _within(_within(self.path / "targets") / visit)

    def begin_anew(self, folder: Path) -> None:
        """Make the folder of a trial or a visit; what an attempt before has left is removed."""
        if folder.exists():
            remove(folder)
        folder.mkdir(parents=True)

    def read_run(self) -> Run:
        """``run.json``; raises NoSuchRunError where there is none."""
        try:
            return stored.read(self.path / "run.json", Run, converted)
        except FileNotFoundError:
            raise NoSuchRunError(f"{self.path} holds no run: run.json is missing") from None

    def write_run(self, run: Run) -> None:
        """Replace ``run.json``."""
        stored.replace(self.path / "run.json", run)

    def read_record(self, trial: str) -> TrialRecord | None:
        """The record of a trial; None where it has not happened, or was cut off."""
        path = self.trial(trial) / "trial.json"
        try:
            record = stored.read(path, TrialRecord, converted)
        except FileNotFoundError:
            return None
        if record.planned.id != trial:
            raise UnreadableFileError(f"{path} is the record of another trial, {record.planned.id}")
        return record

    def write_record(self, record: TrialRecord) -> None:
        """Keep the record of a trial: from now on it has happened."""
        folder = self.trials / record.planned.id
        for path in (folder, folder / "trial.json"):
            # A worker may have put a link or a folder there; its trial is told of all the same.
            if path.is_symlink() or path.is_dir() != (path == folder):
                regular_file.clear(path)
        stored.replace(folder / "trial.json", record)

    def write_text(self, name: str, text: str) -> None:
        """Replace another file of the run."""
        with replacing(self.path / name) as file:
            file.write(text.encode())

    def read_series(self) -> Series:
        """``series.json``; without any where there is none."""
        try:
            return stored.read(self.path / "series.json", Series)
        except FileNotFoundError:
            return Series(cells={})

    def write_result(self, result: Result, series: Series) -> None:
        """Replace ``result.json``, ``series.json`` and ``figures.csv``."""
        stored.replace(self.path / "result.json", result)
        self.write_text("figures.csv", figures_csv(result))
        stored.replace(self.path / "series.json", series, indent=None)


@collection_paused()
def read_result(place: Path) -> Result:
    """The result in a run's folder, or in a file; raises NoSuchRunError where there is none."""
    file = place if place.suffix == ".json" else place / "result.json"
    try:
        return stored.read(file, Result, converted)
    except FileNotFoundError:
        raise NoSuchRunError(
            f"{file.parent} holds no result: {file.name} is missing; ./wl analyse {file.parent}"
        ) from None


def _within(folder: Path) -> Path:
    """A folder below that of the run, where it is there; a link might lead out of it."""
    try:
        mode = folder.lstat().st_mode
    except FileNotFoundError:
        return folder
    if not stat.S_ISDIR(mode):
        raise UnreadableFileError(f"{folder} is no folder of the run, but a link or a file")
    return folder
