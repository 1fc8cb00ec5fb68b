"""SPDX identifiers of licences from the many ways in which packages name them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from wirelab.samples import regular_file
from wirelab.samples.regular_file import UnsafeFileError

UNKNOWN = "unknown"

_NAMES = [
    (re.compile(pattern, re.IGNORECASE), spdx)
    for pattern, spdx in (
        (r"apache.{0,30}\b2|apache software license", "Apache-2.0"),
        (r"\b(?:lesser|library) general public license.{0,40}2\.1|\bLGPL[ -]?v?2", "LGPL-2.1"),
        (r"\blesser general public license.{0,40}3|\bLGPL[ -]?v?3", "LGPL-3.0"),
        (r"\baffero general public license.{0,40}3|\bAGPL[ -]?v?3", "AGPL-3.0"),
        (r"\bgeneral public license.{0,40}\b2|\bGPL[ -]?v?2", "GPL-2.0"),
        (r"\bgeneral public license.{0,40}\b3|\bGPL[ -]?v?3", "GPL-3.0"),
        (r"eclipse public license.{0,20}2|\bEPL[ -]?v?2", "EPL-2.0"),
        (r"eclipse public license.{0,20}1|\bEPL[ -]?v?1", "EPL-1.0"),
        (r"eclipse distribution license|\bEDL\b", "BSD-3-Clause"),
        (r"mozilla public license.{0,20}2|\bMPL[ -]?v?2", "MPL-2.0"),
        (r"\bbouncy castle licence", "MIT"),
        (r"\bpython software foundation license|\bPSF-2", "PSF-2.0"),
        (r"\bunlicense\b", "Unlicense"),
        (r"\bMIT-0\b|\bMIT no attribution", "MIT-0"),
        (r"\bMIT\b", "MIT"),
        (r"\bISC\b", "ISC"),
        (r"\bBSD.{0,3}(?:2|two).clause|simplified BSD", "BSD-2-Clause"),
        (r"\bBSD.{0,3}(?:3|three).clause|(?:new|revised|modified) BSD", "BSD-3-Clause"),
        (r"\b(?:2|two).clause BSD", "BSD-2-Clause"),
        (r"\b(?:3|three).clause BSD", "BSD-3-Clause"),
    )
]
_TEXTS = [
    (re.compile(pattern, re.IGNORECASE), spdx)
    for pattern, spdx in (
        (r"permission is hereby granted, free of charge", "MIT"),
        (r"permission to use, copy, modify, and(?:/or)? distribute this software", "ISC"),
        (r"redistributions in binary form.*neither the name", "BSD-3-Clause"),
        (r"redistributions in binary form", "BSD-2-Clause"),
        (r"free and unencumbered software", "Unlicense"),
    )
]
_EXPRESSION = re.compile(r"\(?[A-Za-z0-9.+-]+(?: (?:AND|OR|WITH) \(?[A-Za-z0-9.+-]+\)?)*")
_TITLE = 200
_LONGEST_NAME = 60
_MOST_BYTES = 1 << 20


def licence_of_names(names: Iterable[str]) -> str:
    """The SPDX expression of licence names; several are alternatives (``OR``)."""
    known = dict.fromkeys(_one(name.strip()) for name in names if name.strip())
    return " OR ".join(known) or UNKNOWN


def licence_of_text(text: str) -> str:
    """The licence whose text this is; ``unknown`` when it is not one of the common ones."""
    flat = " ".join(text.split())
    # A text may speak of other licences further down: only its title names it.
    titles = [(found.start(), spdx) for p, spdx in _NAMES if (found := p.search(flat[:_TITLE]))]
    if titles:
        return min(titles, key=lambda title: title[0])[1]
    return next((spdx for pattern, spdx in _TEXTS if pattern.search(flat)), UNKNOWN)


def licence_of_folder(folder: Path) -> str:
    """The licence of a package from the licence file in its folder."""
    for file in sorted(folder.glob("*")):
        if re.match(r"(un)?licen[cs]e|copying", file.name, re.IGNORECASE) and file.is_file():
            return licence_of_file(folder, file.name)
    return UNKNOWN


def licence_of_file(folder: Path, name: str) -> str:
    """The licence in a file of a package; ``unknown`` where ``name`` is none of its files."""
    if not is_inside(name):
        return UNKNOWN
    try:
        content = regular_file.content(folder / name, _MOST_BYTES)
    except (OSError, UnsafeFileError, ValueError):  # of a name that no file can have
        return UNKNOWN
    return licence_of_text(content.decode("utf-8", "replace"))


def is_inside(name: str) -> bool:
    """Whether a path that a package names stays in the folder of the package."""
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts


def _one(name: str) -> str:
    if ("-" in name or " OR " in name or " AND " in name) and _EXPRESSION.fullmatch(name):
        return name
    found = next((spdx for pattern, spdx in _NAMES if pattern.search(name)), UNKNOWN)
    if "GPL" in found and re.search(r"or later|\+", name):
        return f"{found}-or-later"
    if found == UNKNOWN and len(name) <= _LONGEST_NAME and "\n" not in name:
        return name
    return found
