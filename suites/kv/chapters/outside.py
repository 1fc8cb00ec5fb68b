"""Time that a gateway adds outside of the application."""

from __future__ import annotations

import math

from wirelab.report.api import (
    CellTable,
    Context,
    Metric,
    RatioBand,
    StatementAnswer,
    claims,
    judge,
    numbers,
    open_because,
    ratio,
    ratio_words,
)

CLIENTS = ("aerospike-py", "official-async")
_STEP = "single"
_WAITED, _INSIDE, _OUTSIDE = "request", "server-time", "http"
"""Operations: a request as the generator has it, the same in the application, and the first less
the second, request by request."""
_MOSTLY = RatioBand(2.0, math.inf)
"""Behind a gateway that is most of it, twice as much is spent outside as without."""
_PUBLISHED = ("py-async", "serving.single.p95", "serving.single.server.p95")
"""The study's client, its p95 at the client and its p95 in the server."""


def gateway(context: Context) -> StatementAnswer:
    """The time outside of one process behind a gateway, against the same without it."""
    grids = [CellTable.of(context, name) for name in ("serving-gateway", "serving")]
    found = claims.all_of([_of_client(context, name, *grids) for name in CLIENTS])
    theirs = _subtracted_by_the_study(context)
    return StatementAnswer(found.stand, f"{found.grounds}\n{theirs}") if theirs else found


def _of_client(context: Context, name: str, behind: CellTable, bare: CellTable) -> StatementAnswer:
    _ = context.words.gettext
    who = claims.named(context, name)
    left, right = (_metric(grid, name, _OUTSIDE) for grid in (behind, bare))
    lines = [_subtracted(context, grid, name) for grid in (bare, behind)]
    if left is None or right is None or None in lines:
        missing = _("no valid figures with and without a gateway")
        return open_because(f"{who}: {missing}")
    said = _("{client}: {bare}; behind a gateway {behind}").format(
        client=who, bare=lines[0], behind=lines[1]
    )
    if any(_has_the_wrong_sign(grid, name) for grid in (behind, bare)):
        wrong = _("the application tells more than its client waited, so nothing is judged")
        return open_because(f"{said}; {wrong}")
    apart = ratio(left, right)
    if apart is None:
        return open_because(said)
    return StatementAnswer(judge(apart, _MOSTLY), f"{said}; {ratio_words(apart)}")


def _metric(grid: CellTable, name: str, operation: str) -> Metric | None:
    return grid.metric(name, _STEP, f"{operation}.latency.mean") if grid else None


def _subtracted(context: Context, grid: CellTable, name: str) -> str | None:
    """The means by name, and what is left of them; None without one of them."""
    figures = [_metric(grid, name, one) for one in (_WAITED, _INSIDE, _OUTSIDE)]
    known = [claims.shown(one) for one in figures if one is not None]
    if len(known) < len(figures):
        return None
    said = context.words.gettext(
        "request {waited} less application {inside} (means): {outside} outside"
    )
    waited, inside, outside = known
    return said.format(waited=waited, inside=inside, outside=outside)


def _has_the_wrong_sign(grid: CellTable, name: str) -> bool:
    """Whether the application was no shorter than the request that it is a part of: a generator
    may take such a difference for none."""
    waited, inside = (_metric(grid, name, one) for one in (_WAITED, _INSIDE))
    values = [one.value for one in (waited, inside) if one is not None and one.value is not None]
    return len(values) < 2 or values[1] >= values[0]


def _subtracted_by_the_study(context: Context) -> str:
    """The study's own subtraction with its sign; empty where it was not published."""
    published = context.published
    if published is None:
        return ""
    client, *keys = _PUBLISHED
    waited, inside = (published.figure(client, key) for key in keys)
    if waited is None or inside is None:
        return ""
    said = context.words.gettext(
        "published: p95 of {waited} ms at the client less p95 of {inside} ms in the server is "
        "{left} ms; no gateway takes less than no time, and nothing is judged by it"
    )
    left = numbers.number(float(waited) - float(inside), 0)
    return said.format(waited=waited, inside=inside, left=left.replace("-", "\N{MINUS SIGN}"))
