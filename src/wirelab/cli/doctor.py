"""``wl doctor``: whether this machine can give figures that can be believed."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from wirelab.build import PartBuilds, contender_part
from wirelab.cli.places import ROOT
from wirelab.cli.suites import known_suites
from wirelab.doctor import Examined, Health, examine

_STYLES = {Health.OK: "green", Health.WARN: "yellow", Health.BAD: "red"}


def doctor() -> None:
    """Examine the machine: toolchains, limits, clock, noise."""
    console = Console(highlight=False)
    checks = [*examine(ROOT), *_packages()]
    widest = max(len(check.name) for check in checks)
    for check in checks:
        health = (f"{check.health:4}", _STYLES[check.health])
        found = Text.assemble(health, f"  {check.name:{widest}}  {check.found}")
        # Folders and programs stay in one piece, so that they can be copied.
        console.print(found, soft_wrap=True)
        if check.advice:
            console.print(Text(" " * (widest + 8) + check.advice, style="dim"), soft_wrap=True)


def _packages() -> list[Examined]:
    """Contenders whose packages no lock file pins, and which therefore may be had nowhere."""
    workshop = PartBuilds(ROOT)
    checks = []
    for suite in known_suites(None).suites.values():
        for entry in suite.contenders.values():
            if entry.manifest.build.pinned == "version":
                name, missing = entry.name, workshop.lacking(contender_part(suite, entry))
                if missing is not None:
                    found = f"{name} of {suite.name} is unavailable: {missing.reason}"
                    warning = Examined(
                        name="packages", health=Health.WARN, found=found, advice=missing.remedy
                    )
                    checks.append(warning)
    return checks
