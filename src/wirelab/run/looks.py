"""Lines told of a run that adds blocks: its rule, what each look has found, what is to come."""

from __future__ import annotations

from collections.abc import Sequence

from wirelab.model.until import TableWidth, Until
from wirelab.stats.stopping import LOOKS, blocks_needed, next_look
from wirelab.words.numbers import about, percent

_DIFFERENCES = (0.2, 0.1, 0.05, 0.02, 0.01)
"""Differences whose cost is told."""

_MOST_BLOCKS = 100_000
"""Nobody waits for more."""


def rule_line(until: Until) -> str:
    """Describe the rule of the run."""
    first, *more = LOOKS
    after = ", ".join(map(str, more))
    of = ", ".join(f"{name} ({metric})" for name, metric in until.figures.items())
    return (
        f"Blocks are added until the ratio of each contender to {until.baselines[0]} is known "
        f"within {percent(until.width)}: looked at after {first}, {after} blocks "
        f"of {of}; for at most {about(until.at_most_ns / 1e9)}"
    )


def cost_line(scatter: float | None, block_seconds: float) -> str:
    """Tell the cost of a difference, by its size, where ratios vary by ``scatter``."""
    if scatter is None:
        after = about(LOOKS[0] * block_seconds)
        when = f"after {LOOKS[0]} blocks, in about {after}"
        return f"how long it takes to find a difference is told {when}"
    if scatter == 0:
        return "blocks do not differ: any difference shows"
    told = []
    for difference in _DIFFERENCES:
        blocks = blocks_needed(difference, scatter)
        if blocks > _MOST_BLOCKS:
            break
        told.append((percent(difference), about(blocks * block_seconds)))
    if not told:
        return f"blocks differ by {percent(scatter)}: no difference below 20 % shows"
    (largest, soonest), *smaller = told
    first = f"on this machine a difference of {largest} is found in {soonest}"
    return ", ".join([first, *(f"one of {share} in {time}" for share, time in smaller)])


def look_line(until: Until, own: Sequence[TableWidth], block_seconds: float) -> str:
    """Tell the result of a look at one scenario, and the cost of a difference by its scatter."""
    known = [(table.reach, table) for table in own if table.reach is not None]
    if not known:
        where = own[0].scenario if own else "this scenario"
        return f"{where}: no two contenders have figures with a ratio; no block is added"
    reach, widest = max(known, key=lambda one: one[0])
    scatter = max(table.scatter or 0.0 for _, table in known)
    if reach <= until.width:
        then = "narrow enough"
    elif (look := next_look(widest.blocks)) is None:
        then = f"{percent(until.width)} is not reached, and this was the last look"
    else:
        then = f"{percent(until.width)} is asked for; next look after {look}"
    return (
        f"{widest.place}, {widest.blocks} blocks: {widest.contender} / {widest.baseline} is known "
        f"within {percent(reach)}: {then}; {cost_line(scatter, block_seconds)}"
    )
