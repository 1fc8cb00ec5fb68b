"""Files that wirelab itself wrote: read whole or refused by name, and replaced whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from wirelab.model.mistake import MistakeError
from wirelab.samples import regular_file
from wirelab.samples.regular_file import UnsafeFileError
from wirelab.samples.replacing import replacing
from wirelab.words.printable import all_printable, may_steer

Stored = TypeVar("Stored", bound=BaseModel)

MOST_BYTES = 256 << 20
"""Most bytes of one stored file: fifty times the largest result of a suite here."""


class UnreadableFileError(MistakeError):
    """A stored file that is there and does not hold what it should."""


def read(path: Path, model: type[Stored], converted: Callable[[bytes], bytes] = bytes) -> Stored:
    """The content of a stored file, brought to the present format by ``converted``.

    Raises FileNotFoundError where there is none, and UnreadableFileError, with the file and the
    key, where it is of another version or was changed: what cannot be read is not what is missing.
    Nothing but a regular file of ``MOST_BYTES`` is read; its texts can be shown.
    """
    try:
        content = converted(regular_file.content(path, MOST_BYTES))
        if may_steer(content):
            content = json.dumps(all_printable(json.loads(content))).encode()
        return model.model_validate_json(content)
    except UnsafeFileError as error:
        raise UnreadableFileError(f"{path} {error.problem}") from None
    except ValidationError as error:
        first = error.errors()[0]
        raise _unreadable(
            path, ".".join(str(part) for part in first["loc"]), first["msg"]
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise _unreadable(path, "", str(error)) from None


def _unreadable(path: Path, key: str, message: str) -> UnreadableFileError:
    said = ": ".join(part for part in (str(path), key, message) if part)
    return UnreadableFileError(
        f"{said}. The file is kept as it is. It may be of another version of wirelab: "
        "use that one, or move the file away to do without it."
    )


def replace(path: Path, content: BaseModel, indent: int | None = 1) -> None:
    """Write a stored file in one step, so that a crash leaves the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        file.write(content.model_dump_json(indent=indent).encode())
