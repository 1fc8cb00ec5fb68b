"""Hashes of the modules of a Go part, judged before anything is fetched.

``go mod download`` fetches what go.mod names, and adds to go.sum what is missing there: only what
is compiled is held to it. So nothing may be missing before.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from wirelab.build.builder import Job
from wirelab.build.tools import parse_version
from wirelab.build.unavailable import Unavailable

_NAMES_ALL_SINCE = (1, 17)
"""The first language version whose go.mod names every module that is taken, also indirectly."""

_SUM = "h1:"


def described(job: Job, environment: dict[str, str]) -> dict[str, Any]:
    """go.mod of a part, as go reads it."""
    edit = [job.tool("go"), "mod", "edit", "-json"]
    said: dict[str, Any] = json.loads(
        job.log.output(edit, cwd=job.part.source, environment=environment)
    )
    return said


def check(job: Job, module: dict[str, Any]) -> None:
    """Raise Unavailable where go.sum lacks a hash, or go.mod leads elsewhere."""
    source = job.part.source
    replaced = {one["Old"]["Path"] for one in _replacements(module, source, job)}
    wanted = [one for one in module.get("Require") or [] if one["Path"] not in replaced]
    if wanted and parse_version(module.get("Go", "")) < _NAMES_ALL_SINCE:
        raise Unavailable(
            "go.mod names no version of Go from 1.17 on, so it does not list every module",
            f"cd {source} && go mod edit -go=1.17 && go mod tidy",
        )
    known = set(_sums(source / "go.sum"))
    for one in wanted:
        path, version = one["Path"], one["Version"]
        for what in (version, f"{version}/go.mod"):
            if (path, what) not in known:
                raise Unavailable(f"missing go.sum entry: nothing pins {path} {what}")


def _replacements(module: dict[str, Any], source: Path, job: Job) -> Iterator[dict[str, Any]]:
    """The replacements of go.mod; each has to lead to a folder of the suite, or to the SDK."""
    places = [source, job.part.room, job.sdk]
    for one in module.get("Replace") or []:
        new = one["New"]
        if "Version" in new or not _within(source / new["Path"], places):
            raise Unavailable(
                f"go.mod replaces {one['Old']['Path']} by {new['Path']}, which is neither in its "
                "suite nor in the SDK"
            )
        yield one


def _within(folder: Path, places: Iterable[Path]) -> bool:
    real = folder.resolve()
    return any(real.is_relative_to(place.resolve()) for place in places if place != Path())


def _sums(file: Path) -> Iterator[tuple[str, str]]:
    """Module and version, or version and ``/go.mod``, of every line with a hash."""
    if file.is_file():
        for line in file.read_text("utf-8", "replace").splitlines():
            fields = line.split()
            if len(fields) == 3 and fields[2].startswith(_SUM):
                yield fields[0], fields[1]
