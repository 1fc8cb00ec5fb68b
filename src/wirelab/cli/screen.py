"""The terminal, as every command writes to it."""

from __future__ import annotations

from typing import Any

from rich.console import Console


def screen(**settings: Any) -> Console:
    """A console for which names are names: ``[red]`` or ``:smile:`` in one is shown as it is."""
    return Console(**{"markup": False, "emoji": False, **settings})
