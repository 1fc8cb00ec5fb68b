"""``wl doctor``: whether this machine can give figures that can be believed."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from wirelab.cli.places import ROOT
from wirelab.doctor import Health, examine

_STYLES = {Health.OK: "green", Health.WARN: "yellow", Health.BAD: "red"}


def doctor() -> None:
    """Examine the machine: toolchains, limits, clock, noise."""
    console = Console(highlight=False)
    checks = examine(ROOT)
    widest = max(len(check.name) for check in checks)
    for check in checks:
        health = (f"{check.health:4}", _STYLES[check.health])
        found = Text.assemble(health, f"  {check.name:{widest}}  {check.found}")
        # Folders and programs stay in one piece, so that they can be copied.
        console.print(found, soft_wrap=True)
        if check.advice:
            console.print(Text(" " * (widest + 8) + check.advice, style="dim"), soft_wrap=True)
