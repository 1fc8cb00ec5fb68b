"""Replacing a file of a run in one step."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from wirelab.samples import regular_file


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Write the new content of ``path``: a crash leaves the old one or the new one.

    Two processes may replace one file at the same time. A link that lies in the way is replaced
    and never followed; so is whatever lies where the new content is put together.
    """
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    regular_file.clear(partial)
    descriptor = os.open(partial, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
