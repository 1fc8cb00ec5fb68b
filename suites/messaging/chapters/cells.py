"""Contenders apart by what their echo means."""

from __future__ import annotations

from collections.abc import Sequence

from wirelab.report.api import Context

ELAPSED = "step.elapsed"


def by_mode(context: Context, names: Sequence[str]) -> dict[str, list[str]]:
    """Contenders by mode, direct ones first."""
    modes = sorted({context.mode_of(name) for name in names}, key=lambda m: (m != "direct", m))
    return {mode: [n for n in names if context.mode_of(n) == mode] for mode in modes}
