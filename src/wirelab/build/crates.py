"""Crates that cargo has fetched: where they are, and how cargo finds them without a network.

The home folder of cargo for builds is one of wirelab's own. What the user has said of registries is
linked into it: where the user's home is not to be seen, those links lead nowhere.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wirelab.build.builder import Job

_OF_THE_USER = ("config.toml", "config", "credentials.toml", "credentials")

_OF_A_SOURCE = (
    *("replace-with", "registry", "local-registry", "directory"),
    *("git", "branch", "tag", "rev"),
)


def home_of(job: Job) -> dict[str, str]:
    """The variable that has cargo read what was fetched."""
    return {"CARGO_HOME": str(job.downloads)}


def fetch(job: Job, *words: str) -> None:
    """Have cargo fetch, from the registries of the user."""
    for name in _OF_THE_USER:
        link, own = job.downloads / name, _user_home() / name
        link.unlink(missing_ok=True)
        if own.exists():
            link.symlink_to(own)
    job.log.run([job.tool("cargo"), *words], environment=home_of(job))


def sources_of() -> list[str]:
    """Options that name the user's sources in place of others: fetched crates lie by their names.

    One that has a password in its address is left out.
    """
    found = _settings()
    said = [*_said("source", found.get("source"), _OF_A_SOURCE)]
    said += _said("registries", found.get("registries"), ("index",))
    return [word for text in said for word in ("--config", text)]


def _said(table: str, entries: Any, keys: tuple[str, ...]) -> Iterator[str]:
    for name, entry in entries.items() if isinstance(entries, dict) else ():
        for key in keys if isinstance(entry, dict) else ():
            value = entry.get(key)
            if isinstance(value, str) and "@" not in value.partition("://")[2].partition("/")[0]:
                yield f"{table}.{json.dumps(name)}.{key}={json.dumps(value)}"


def _settings() -> dict[str, Any]:
    for name in ("config", "config.toml"):
        try:
            return tomllib.loads((_user_home() / name).read_text("utf-8"))
        except (OSError, ValueError):
            # What is wrong with it is said by cargo.
            continue
    return {}


def _user_home() -> Path:
    return Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
