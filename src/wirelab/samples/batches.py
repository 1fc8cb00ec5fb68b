"""The batch file: operations too short for a stamp each (*Batch loops* in the worker contract)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from wirelab.samples import regular_file
from wirelab.samples.format import SampleFileError
from wirelab.samples.regular_file import UnsafeFileError

MAX_LINE = 64 * 1024
MOST_BYTES = 64 << 20
"""Most bytes of a file: a thousand times the largest of a suite here."""

_Count = Annotated[int, Field(ge=0, lt=2**63)]


class _BatchLine(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    step: str = Field(min_length=1, max_length=64)
    operation: str = Field(min_length=1, max_length=64)


class Batch(_BatchLine):
    """``iterations`` of an operation of a step; times are CLOCK_MONOTONIC in ns.

    Allocations, collections and the work of the runtime's compilers are over the whole batch; None:
    the language cannot tell.
    """

    phase: Literal["prewarm", "warmup", "measure", "audit", "allocation"]
    start_ns: _Count
    end_ns: _Count
    iterations: int = Field(ge=1, lt=2**63, alias="rounds")
    checksum: int = Field(ge=0, lt=2**32)
    allocated_bytes: _Count | None = None
    gc_count: _Count | None = None
    gc_pause_ns: _Count | None = None
    compile_ns: _Count | None = None

    @property
    def iteration_ns(self) -> float:
        """Time of one iteration."""
        return (self.end_ns - self.start_ns) / self.iterations


class FailedLoop(_BatchLine):
    """An operation of a step that could not be repeated, in the words of the library."""

    phase: Literal["failed"]
    error_class: str = Field(alias="class")
    message: str = ""


_LINE: TypeAdapter[Batch | FailedLoop] = TypeAdapter(
    Annotated[Batch | FailedLoop, Field(discriminator="phase")]
)


def read(path: Path) -> Iterator[Batch | FailedLoop]:
    """Every line of a batch file, in order; raises SampleFileError where one is none."""
    try:
        opened = regular_file.opened(path, MOST_BYTES)
    except FileNotFoundError:
        raise SampleFileError(f"{path.name} was not written") from None
    except UnsafeFileError as error:
        raise SampleFileError(str(error)) from None
    with opened as lines:
        number = 0
        while line := lines.readline(MAX_LINE + 1):
            number += 1
            if len(line) > MAX_LINE:
                raise SampleFileError(f"{path.name}:{number} is longer than {MAX_LINE} bytes")
            try:
                yield _LINE.validate_json(line)
            except ValidationError as error:
                first = error.errors(include_url=False, include_input=False)[0]
                where = ".".join(str(part) for part in first["loc"])
                message = f"{path.name}:{number}: {where}: {first['msg']}"
                raise SampleFileError(message) from None
