"""``wl doctor``: whether this machine can give figures that can be believed."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from wirelab.cli.places import ROOT
from wirelab.doctor import Health, examine

_STYLES = {Health.OK: "green", Health.WARN: "yellow", Health.BAD: "red"}


def doctor() -> None:
    """Examine the machine: toolchains, limits, clock, noise."""
    table = Table(box=None, pad_edge=False, padding=(0, 2), show_header=False)
    for check in examine(ROOT):
        advice = f"[dim]{check.advice}[/dim]" if check.advice else ""
        style = _STYLES[check.health]
        table.add_row(f"[{style}]{check.health}[/{style}]", check.name, check.found, advice)
    Console().print(table)
