"""Reading a manifest: TOML, then its model, then what only the whole of it can show."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from wirelab.manifest import checks, common, published, runtimes
from wirelab.manifest.expected import Expected
from wirelab.manifest.lines import Lines
from wirelab.manifest.origins import Origins
from wirelab.manifest.problems import Key, ManifestError, Problem
from wirelab.manifest.wording import refusals
from wirelab.manifest.written import WrittenSuite
from wirelab.model.contender import Contender, Library
from wirelab.model.suite import Suite
from wirelab.samples import regular_file
from wirelab.samples.regular_file import UnsafeFileError
from wirelab.schema import MANIFESTS, schema_of
from wirelab.words.printable import all_printable

_Model = TypeVar("_Model", bound=BaseModel)
_Checks = Iterable[tuple[Key, str]]

_MOST_BYTES = 16 << 20
"""Most bytes of a manifest: it may be a link to a device, or a file of nothing but size."""

_PLACE = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)$")
_SYNTAX = {
    "Cannot overwrite a value": "the key has a value already",
    "Cannot declare": "the table stands in the file already",
    "Cannot mutate immutable namespace": "a table written on one line cannot be added to",
}


class _Manifest(NamedTuple):
    """A file with what it holds; ``origins`` say where the keys of ``data`` stand in it."""

    file: Path
    text: str
    data: Mapping[str, Any]
    origins: Origins

    def refused(self, found: _Checks) -> ManifestError:
        """The error that tells what was found, by lines and keys of the file."""
        return _error(self.file, self.text, self.origins.told(found))


def load_suite(file: Path) -> Suite:
    """The suite in ``file``; raises ManifestError with every problem of it."""
    manifest = _manifest(file)
    written = WrittenSuite(manifest.data)
    if written.findings:
        raise manifest.refused(written.findings)
    in_full = manifest._replace(data=written.full, origins=written.origins)
    return _checked(in_full, Suite, checks.of_suite)


def load_contender(file: Path, suite: Suite | None = None) -> Contender:
    """The contender in ``file``, checked against its suite when one is given."""

    def check(written: Contender) -> _Checks:
        yield from runtimes.of_contender(written)
        yield from common.of_sources(written, file.parent)
        yield from checks.of_contender(runtimes.with_runtime(written, suite), suite)

    return runtimes.with_runtime(_checked(_manifest(file), Contender, check), suite)


def load_library(file: Path) -> Library:
    """The library in ``file``; raises ManifestError with every problem of it."""

    def check(written: Library) -> _Checks:
        yield from common.of_sources(written, file.parent)
        yield from checks.of_library(written)

    return _checked(_manifest(file), Library, check)


def check_published(file: Path, suite: Suite) -> None:
    """Hold ``published.toml`` to the metrics that its suite has; raises ManifestError."""
    manifest = _manifest(file)
    if found := list(published.of_suite(manifest.data, suite)):
        raise manifest.refused(found)


def _manifest(file: Path) -> _Manifest:
    text = _read(file)
    return _Manifest(file, text, _parse(file, text), Origins())


def _checked(
    manifest: _Manifest, model: type[_Model], check: Callable[[_Model], _Checks]
) -> _Model:
    try:
        # Strict: TOML has types of its own, so "5" for 5 is a mistake.
        checked = model.model_validate(manifest.data, strict=True)
    except ValidationError as error:
        refused = refusals(error, manifest.data, Expected(schema_of(_format(model))))
        raise manifest.refused(refused.items()) from None
    except (OverflowError, RecursionError):
        problem = Problem(manifest.file, None, (), "a value is too large or too deep")
        raise ManifestError([problem]) from None
    if found := list(check(checked)):
        raise manifest.refused(found)
    return checked


def _format(model: type[BaseModel]) -> str:
    return next(name for name, known in MANIFESTS.items() if known is model)


def _error(file: Path, text: str, found: _Checks) -> ManifestError:
    lines = Lines(text)
    return ManifestError(Problem(file, lines.of(key), key, message) for key, message in found)


def _read(file: Path) -> str:
    try:
        raw = regular_file.content(file, _MOST_BYTES)
    except UnsafeFileError as error:
        raise ManifestError([Problem(file, None, (), f"cannot be read: {error.problem}")]) from None
    except OSError as error:
        message = f"cannot be read: {error.strerror}"
        raise ManifestError([Problem(file, None, (), message)]) from None
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ManifestError([Problem(file, line, (), "not UTF-8 text")]) from None


def _parse(file: Path, text: str) -> dict[str, Any]:
    try:
        loaded: dict[str, Any] = all_printable(tomllib.loads(text))
        return loaded
    except tomllib.TOMLDecodeError as error:
        raise ManifestError([_syntax(file, text, str(error))]) from None
    except (ValueError, RecursionError):
        # A number of thousands of digits, brackets nested by the hundred.
        message = "not valid TOML: a value is too large or too deep"
        raise ManifestError([Problem(file, None, (), message)]) from None


def _syntax(file: Path, text: str, complaint: str) -> Problem:
    place = _PLACE.search(complaint)
    what = complaint[: place.start()] if place else complaint
    for begins, plain in _SYNTAX.items():
        if what.startswith(begins):
            what = plain
    # By "\n" alone: a character that only Python takes for the end of a line ends none here.
    at_end = text.removesuffix("\n").count("\n") + 1
    line = int(place[1]) if place and place[1] else at_end
    return Problem(file, line, (), f"not valid TOML: {what}")
