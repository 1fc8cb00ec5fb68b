"""The files of npm in a part, judged before npm reads them and fetches.

npm takes many a text for a package: it clones a repository of git by a program that the repository
names and builds it there, it unpacks into a folder that a key names, and links to folders of the
user. So a lock file may name packages of a registry by version and hash, and nothing else.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wirelab.build.source_text import json_of
from wirelab.build.unavailable import Unavailable

LOCK = "package-lock.json"
PACKAGE = "package.json"

_PREFERRED = "npm-shrinkwrap.json"
"""A lock file that npm reads in place of the other."""

_NAME = r"(?:@[A-Za-z0-9~_-][\w.~-]*/)?[A-Za-z0-9~_-][\w.~!'()*-]*"
_NAMED = re.compile(_NAME, re.ASCII)
_PLACE = re.compile(f"node_modules/{_NAME}(?:/node_modules/{_NAME})*", re.ASCII)
_VERSION = re.compile(r"\d+\.\d+\.\d+[0-9A-Za-z.+-]*", re.ASCII)
_ARCHIVE = re.compile(
    r"https?://(?:www\.)?(?P<host>[a-z0-9.-]+)(?::\d+)?/[\w.~@%+!/-]+\.tgz", re.ASCII
)
_OF_GIT = {"github.com", "gitlab.com", "bitbucket.org", "gist.github.com", "git.sr.ht"}
"""Servers whose addresses npm takes for repositories, whatever they end with."""

_WANTS = (
    *("dependencies", "devDependencies", "optionalDependencies", "peerDependencies"),
    "overrides",
)
_ALIAS = re.compile(f"npm:{_NAME}(?:@[^/:]*)?", re.ASCII)
_OF_A_REGISTRY = re.compile(r"(?!\.)[^/:]*")
"""A version, a range of them, or a tag: every address and every path has one of those signs."""


def check(folder: Path, source: Path) -> None:
    """Raise Unavailable where npm would take something else than packages of a registry.

    ``folder`` has the files as npm is to read them, ``source`` is where the user finds them.
    """
    if (folder / _PREFERRED).exists():
        raise Unavailable(
            f"npm would read {_PREFERRED} in place of {LOCK}",
            f"rm {shlex.quote(str(source / _PREFERRED))}",
        )
    packages = json_of(folder / LOCK).get("packages", {})
    if not packages:
        raise Unavailable(
            f"{LOCK} is missing or of a version before 2: nothing is pinned",
            f"cd {shlex.quote(str(source))} && npm install --package-lock-only",
        )
    for place, package in packages.items():
        if problem := _problem(place, package):
            raise Unavailable(f"{LOCK}: {place or 'the package itself'} {problem}")
    own = json_of(folder / PACKAGE)
    if "workspaces" in own:
        raise Unavailable(f"{PACKAGE} has workspaces, which are folders and not packages")
    for wanted in _foreign(own):
        raise Unavailable(f"{PACKAGE} wants {wanted!r}, which is no version of a package")


def _problem(place: str, package: dict[str, Any]) -> str:
    """The reason why an entry of the lock file is no package of a registry; empty where it is."""
    if place and not _PLACE.fullmatch(place):
        return "lies outside of node_modules"
    if package.get("link"):
        return "is a link to a folder"
    if package.get("hasShrinkwrap") or package.get("_hasShrinkwrap"):
        return "brings a lock file of its own"
    for wanted in _foreign(package):
        return f"wants {wanted!r}, which is no version of a package"
    if not place:
        return ""
    if "resolved" in package and not _is_archive(package["resolved"]):
        return "comes from elsewhere than an archive (https://... .tgz), maybe a repository of git"
    if not _NAMED.fullmatch(package.get("name", "x")):
        return "has a name that is none"
    if not _VERSION.fullmatch(package.get("version", "")):
        return "has a version that is none"
    if not (package.get("integrity") or package.get("inBundle")):
        return "has no integrity hash"
    return ""


def _is_archive(resolved: object) -> bool:
    found = _ARCHIVE.fullmatch(resolved) if isinstance(resolved, str) else None
    return found is not None and found["host"] not in _OF_GIT


def _foreign(package: dict[str, Any]) -> Iterator[object]:
    """Wishes of a package for others that no registry could meet."""
    for key in _WANTS:
        for wanted in _leaves(package.get(key, {})):
            if not isinstance(wanted, str) or not (
                _OF_A_REGISTRY.fullmatch(wanted) or _ALIAS.fullmatch(wanted)
            ):
                yield wanted


def _leaves(wishes: object) -> Iterator[object]:
    """The wishes: overrides are nested, and one of them is ``$name`` for that of a dependency."""
    for wanted in wishes.values() if isinstance(wishes, dict) else [wishes]:
        if isinstance(wanted, dict):
            yield from _leaves(wanted)
        else:
            yield wanted
