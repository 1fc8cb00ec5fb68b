"""The pinned requirements of a Python part, read by us: pip would also take options from the file.

A line may name a package by its version and hashes, and the interpreters that it is for. Whatever
else pip understands there (paths, addresses, editable folders, other files, options) could have it
run code of a package while it fetches.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from wirelab.build.source_text import text_of
from wirelab.build.unavailable import Unavailable

LOCK = "requirements.txt"
WANTED = "requirements.in"

HOW_TO_PIN = "write it as docs/how-to/add-a-contender.md says under Pinned packages"

_HASH = re.compile(r"\s--hash[= ](sha(?:256|384|512):[0-9a-fA-F]{64,128})(?=\s|$)")
_COMMENT = re.compile(r"(^|\s)#.*$")
_NAME = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)")


@dataclass(frozen=True)
class Pinned:
    """A package in one version, with the hashes of its files."""

    requirement: Requirement
    hashes: tuple[str, ...]

    @property
    def line(self) -> str:
        """The same as a line of requirements."""
        return " ".join([str(self.requirement), *(f"--hash={one}" for one in self.hashes)])


def pinned(lock: Path) -> list[Pinned]:
    """The packages of a file, if there is one; Unavailable for a line that pins none."""
    return [_pinned(line, lock) for line in _lines(lock)]


def names(file: Path) -> set[str]:
    """Canonical names of the packages in a file that need not pin them."""
    found = (_NAME.match(line) for line in _lines(file))
    return {canonicalize_name(name[1]) for name in found if name}


def _lines(file: Path) -> Iterator[str]:
    """Logical lines, without comments."""
    joined = ""
    for line in (text_of(file) or "").splitlines():
        said = _COMMENT.sub("", line).rstrip()
        joined += said.removesuffix("\\")
        if said.endswith("\\"):
            continue
        if joined.strip():
            yield joined.strip()
        joined = ""
    if joined.strip():
        yield joined.strip()


def _pinned(line: str, lock: Path) -> Pinned:
    hashes = tuple(_HASH.findall(line))
    text = _HASH.sub("", line).strip()
    if text.startswith("-") or " -" in text:
        raise _refused(lock, text, "options of pip have no place there")
    try:
        requirement = Requirement(text)
    except InvalidRequirement:
        raise _refused(lock, text, "that is no package in one version") from None
    versions = list(requirement.specifier)
    exact = len(versions) == 1 and versions[0].operator == "==" and "*" not in versions[0].version
    if requirement.url or not exact:
        raise _refused(lock, text, "that is no package in one version")
    if not hashes:
        raise _refused(lock, text, "no hash pins its content")
    return Pinned(requirement, hashes)


def _refused(lock: Path, text: str, why: str) -> Unavailable:
    return Unavailable(f"{lock.name}: {text[:200]}: {why}", HOW_TO_PIN)
