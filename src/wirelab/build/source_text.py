"""Files of a part that wirelab reads itself: the kind of a file and its size are looked at first.

Whoever made the sources may have put a link to a device, a FIFO or a file without an end there.
"""

from __future__ import annotations

import codecs
import tomllib
from pathlib import Path
from typing import Any

from wirelab.build.unavailable import Unavailable
from wirelab.samples import foreign_json, regular_file
from wirelab.samples.regular_file import UnsafeFileError

MOST_BYTES = 16 << 20
"""Most bytes of a file that says how to build: the largest lock files of npm have 2 MiB."""


def text_of(file: Path) -> str | None:
    """Its text, without a mark of its encoding; None where there is no such file.

    Raises Unavailable for a file that cannot be read, or is no text.
    """
    content = _content(file)
    try:
        return None if content is None else content.decode("utf-8")
    except UnicodeDecodeError:
        raise Unavailable(f"{file} is not UTF-8 text") from None


def json_of(file: Path) -> dict[str, Any]:
    """The object in a file of JSON; empty where there is none. Raises Unavailable as ``text_of``,
    and for any other content.
    """
    content = _content(file)
    if content is None:
        return {}
    try:
        found = foreign_json.parsed(content)
    except ValueError as error:
        raise Unavailable(f"{file}: {error}") from None
    if not isinstance(found, dict):
        raise Unavailable(f"{file} is no object of JSON")
    return found


def toml_of(file: Path) -> dict[str, Any]:
    """The content of a file of TOML; empty where there is none, and where its tool has to say what
    is wrong with it. Raises Unavailable as ``text_of``.
    """
    try:
        return tomllib.loads(text_of(file) or "")
    except (ValueError, RecursionError):
        return {}


def _content(file: Path) -> bytes | None:
    try:
        content = regular_file.content(file, MOST_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnsafeFileError as error:
        raise Unavailable(f"{file} {error.problem}") from None
    except OSError as error:
        raise Unavailable(f"{file} cannot be read: {error.strerror}") from None
    return content.removeprefix(codecs.BOM_UTF8)
