"""The folder of a run: written in whole files, so that a crash leaves nothing half."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ValidationError

from wirelab.model.mistake import MistakeError
from wirelab.model.run import Run, TrialRecord


class NoSuchRunError(MistakeError):
    """A folder that holds no run."""


class RunFolder:
    """``results/<run>/``; see ``wirelab.model.run`` for what is in it."""

    def __init__(self, path: Path) -> None:
        # Workers are told of paths in it, and each of them stands in a folder of its own.
        self.path = path.absolute()

    @property
    def trials(self) -> Path:
        """Where the trials' folders are."""
        return self.path / "trials"

    def read_run(self) -> Run:
        """``run.json``; raises NoSuchRunError with what is wrong with it."""
        path = self.path / "run.json"
        try:
            return Run.model_validate_json(path.read_bytes())
        except FileNotFoundError:
            raise NoSuchRunError(f"{self.path} holds no run: {path.name} is missing") from None
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise NoSuchRunError(f"{path}: {where}: {first['msg']}") from None

    def write_run(self, run: Run) -> None:
        """Replace ``run.json``."""
        _replace(self.path / "run.json", run)

    def read_record(self, trial: str) -> TrialRecord | None:
        """The record of a trial; None while there is none that can be read."""
        try:
            return TrialRecord.model_validate_json(
                (self.trials / trial / "trial.json").read_bytes()
            )
        except (FileNotFoundError, ValidationError):
            return None

    def write_record(self, record: TrialRecord) -> None:
        """Keep the record of a trial: from now on it has happened."""
        _replace(self.trials / record.planned.id / "trial.json", record)


def _replace(path: Path, model: BaseModel) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_text(model.model_dump_json(indent=1))
    partial.replace(path)
