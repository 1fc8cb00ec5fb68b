"""Packages of NuGet: what a lock file pins, and what packages say of themselves."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from wirelab.build.licences import UNKNOWN, is_inside, licence_of_folder, licence_of_names
from wirelab.build.source_text import text_of
from wirelab.model.participant import Dependency

LOCK = "packages.lock.json"
"""The file in which NuGet keeps versions and hashes, beside the sources."""

_METADATA = ".nupkg.metadata"
"""The file that NuGet writes into the folder of each package it has unpacked."""

_ADDRESS = re.compile(r"https?://", re.IGNORECASE)


def locked(lock: Path, caches: list[Path], *, held: bool = True) -> list[Dependency]:
    """Every package that a lock file pins; ``caches`` are folders of unpacked packages.

    ``held``: the lock file comes with the sources, so that it does not matter who gave a package.
    """
    found: dict[str, Dependency] = {}
    for packages in _json(lock).get("dependencies", {}).values():
        for name, package in packages.items():
            version = package.get("resolved", "")
            found[name] = Dependency(
                name=name,
                version=version,
                licence=_licence(name.lower(), version.lower(), caches),
                direct=package.get("type") == "Direct",
                local=not held and _of_a_folder(name.lower(), version.lower(), caches),
            )
    return sorted(found.values(), key=lambda dependency: dependency.name.lower())


def _unpacked(name: str, version: str, caches: list[Path]) -> Path | None:
    folders = (cache / name / version for cache in caches)
    return next((folder for folder in folders if folder.is_dir()), None)


def _of_a_folder(name: str, version: str, caches: list[Path]) -> bool:
    """Whether NuGet took a package from a folder, as it has written down, and not from a server."""
    folder = _unpacked(name, version, caches)
    source = _json(folder / _METADATA).get("source", "") if folder else ""
    return isinstance(source, str) and is_folder(source)


def is_folder(source: str) -> bool:
    """Whether a source of NuGet is a folder of this machine."""
    return bool(source) and not _ADDRESS.match(source)


def _licence(name: str, version: str, caches: list[Path]) -> str:
    folder = _unpacked(name, version, caches)
    if folder is None:
        return UNKNOWN
    try:
        root = ElementTree.parse(folder / f"{name}.nuspec").getroot()
    except (OSError, ElementTree.ParseError):
        return UNKNOWN
    stated = root.find("{*}metadata/{*}license")
    if stated is None or not stated.text:
        return licence_of_folder(folder)
    if stated.get("type") == "file":
        if not is_inside(stated.text):
            return UNKNOWN
        return licence_of_folder((folder / stated.text).parent)
    return licence_of_names([stated.text])


def _json(file: Path) -> dict[str, Any]:
    try:
        content = json.loads(text_of(file) or "")
    except (OSError, ValueError):
        # What is wrong with it is said by NuGet.
        return {}
    return content if isinstance(content, dict) else {}
