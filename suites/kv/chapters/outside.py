"""Time that a gateway adds outside of the application."""

from __future__ import annotations

import math

from wirelab.report.api import (
    CellTable,
    Context,
    RatioBand,
    StatementAnswer,
    claims,
    judge,
    open_because,
    ratio,
    ratio_words,
)

CLIENTS = ("aerospike-py", "official-async")
_METRIC = "http.latency.mean"
_STEP = "single"
_MOSTLY = RatioBand(2.0, math.inf)
"""Behind a gateway that is most of it, twice as much is spent outside as without."""


def gateway(context: Context) -> StatementAnswer:
    """The time outside of one process behind a gateway, against the same without it."""
    _ = context.words.gettext
    bare, behind = (CellTable.of(context, name) for name in ("serving", "serving-gateway"))
    answers = []
    for name in CLIENTS:
        left, right = (
            grid.metric(name, _STEP, _METRIC) if grid else None for grid in (behind, bare)
        )
        who = claims.named(context, name)
        if left is None or right is None:
            missing = _("no valid figures with and without a gateway")
            answers.append(open_because(f"{who}: {missing}"))
            continue
        apart = ratio(left, right)
        said = _("{client}: outside of the application {bare}, behind a gateway {behind}").format(
            client=who, bare=claims.shown(right), behind=claims.shown(left)
        )
        if apart is None:
            answers.append(open_because(said))
        else:
            answers.append(StatementAnswer(judge(apart, _MOSTLY), f"{said}; {ratio_words(apart)}"))
    return claims.all_of(answers)
