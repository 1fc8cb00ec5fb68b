"""Placeholders in the commands and environments of manifests."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .worker import CannotCheckError

PLACES = ("build", "python", "java", "node", "sdk")
"""Placeholders whose values the command line takes."""

FOLDERS = ("build", "sdk")
"""Those that stand for folders; the others may be found on PATH."""

_PLACEHOLDER = re.compile(rf"\{{(source|role|{'|'.join(PLACES)})\}}")


def filled(text: str, values: Mapping[str, str]) -> str:
    """``text`` with its placeholders replaced; CannotCheckError where one has no value."""

    def value(match: re.Match[str]) -> str:
        if match[1] not in values:
            raise CannotCheckError(f"{match[0]} in the command is not known: say --{match[1]}")
        return values[match[1]]

    return _PLACEHOLDER.sub(value, text)
