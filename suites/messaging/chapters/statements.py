"""What the source concludes, against this run; and when the convenience is worth its price."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wirelab.report import claims, figures
from wirelab.report.claims import Answer, Rule, Stand, open_because
from wirelab.report.context import Context
from wirelab.report.document import Block, Section
from wirelab.report.grid import Grid
from wirelab.stats.ratio import Ratio, ratio

from .cells import ELAPSED, mode_of

SOCKET, RMI, JMS = "socket-naive", "rmi", "jms-artemis"
_EVEN = 1.05
"""First and last client of a broadcast differ when one waits 5 % longer than the other."""


def statements(context: Context) -> Section:
    """The source's statements, then what follows for a choice."""
    _ = context.words.gettext
    blocks: list[Block] = []
    caption = _("What the source concludes, against this run")
    if table := claims.table(context, caption, _rules(context)):
        blocks.append(table)
    blocks.append(claims.own_table(context, _("When is the convenience worth it?"), _own(context)))
    return Section(_("The source, answered"), "statements", tuple(blocks))


def _rules(context: Context) -> Mapping[str, Rule]:
    transfer = Grid.of(context, "transfer", "transfer-steady")
    sizes = Grid.of(context, "echo-size")
    broadcast = Grid.of(context, "broadcast")
    return {
        "socket-fastest": lambda: _before(context, transfer, "socket", [RMI, JMS]),
        "rmi-before-jms": lambda: _before(context, transfer, RMI, [JMS]),
        "size-socket-fastest": lambda: _before(context, sizes, "socket", [RMI, JMS]),
        "broadcast-socket-fastest": lambda: _before(context, broadcast, "socket", [RMI, JMS]),
        "rmi-favours-the-last": lambda: _first_and_last(context, broadcast, RMI, later=True),
        "socket-even": lambda: _first_and_last(context, broadcast, "socket", later=False),
        "few-clients": lambda: _few_clients(context, broadcast),
        "rmi-holds-more": lambda: _holds_more(context),
    }


def _before(context: Context, grid: Grid | None, first: str, others: Sequence[str]) -> Answer:
    """Whether ``first`` takes less time than each other in every step that was measured."""
    _ = context.words.gettext
    if grid is None:
        return open_because(_("not measured in this run"))
    answers = [_less(grid, step, first, other) for step in grid.steps for other in others]
    return claims.all_of(answers) if answers else open_because(_("not measured in this run"))


def _less(grid: Grid, step: str, left: str, right: str) -> Answer:
    context, _ = grid.context, grid.context.words.gettext
    own, other = (grid.metric(name, step, ELAPSED) for name in (left, right))
    names = claims.named(context, left), claims.named(context, right)
    if own is None or other is None:
        missing = names[0] if own is None else names[1]
        return open_because(f"{grid.step_title(step)}: {missing}: " + _("no valid figure"))
    said = f"{grid.step_title(step)}: {names[0]} {claims.shown(own)}, {names[1]} "
    said += claims.shown(other)
    apart = ratio(own, other)
    if apart is None:
        return open_because(_("{figures}; no interval bounds their ratio").format(figures=said))
    said += f"; {claims.times(context, apart)}"
    return Answer(_stand(apart), said)


def _stand(apart: Ratio) -> Stand:
    if apart.includes_one:
        return Stand.NO_DIFFERENCE
    return Stand.SUPPORTED if apart.high < 1 else Stand.CONTRADICTED


def _first_and_last(context: Context, grid: Grid | None, name: str, *, later: bool) -> Answer:
    """Whether the first client waits longer than the last (``later``), or as long."""
    _ = context.words.gettext
    if grid is None:
        return open_because(_("not measured in this run"))
    answers = []
    for step in grid.steps:
        first, last = (grid.metric(name, step, f"complete.{who}") for who in ("first", "last"))
        if first is None or last is None or not first.value or not last.value:
            continue
        times = first.value / last.value
        said = _("{step}: first {first}, last {last}").format(
            step=grid.step_title(step), first=claims.shown(first), last=claims.shown(last)
        )
        even = 1 / _EVEN < times < _EVEN
        agrees = not even and times > 1 if later else even
        answers.append(Answer(Stand.SUPPORTED if agrees else Stand.CONTRADICTED, said))
    if not answers:
        return open_because(f"{claims.named(context, name)}: " + _("no valid figure"))
    return claims.all_of(answers)


def _few_clients(context: Context, grid: Grid | None) -> Answer:
    """Time for a delivery with few clients that send much, against many that send little."""
    _ = context.words.gettext
    few, many = "c100-m100", "c300-m10"
    if grid is None or few not in grid.steps or many not in grid.steps:
        return open_because(_("needs 100 clients × 100 messages and 300 × 10"))
    lines, stands = [], []
    for name in (SOCKET, "socket", RMI, JMS):
        own, other = (_delivery_us(grid, name, step) for step in (few, many))
        if own is None or other is None:
            continue
        lines.append(
            _("{name}: {few} µs a delivery with 100 × 100, {many} µs with 300 × 10").format(
                name=claims.named(context, name), few=figures.brief(own), many=figures.brief(other)
            )
        )
        stands.append(Stand.SUPPORTED if own * _EVEN < other else Stand.CONTRADICTED)
    if not lines:
        return open_because(_("no valid figure"))
    same = set(stands) == {stands[0]}
    return Answer(stands[0] if same else Stand.NO_DIFFERENCE, "\n".join(lines))


def _delivery_us(grid: Grid, name: str, step: str) -> float | None:
    due = grid.metric(name, step, "delivery.expected.count")
    elapsed = grid.metric(name, step, ELAPSED)
    if due is None or elapsed is None or not due.value or elapsed.value is None:
        return None
    return elapsed.value * 1e6 * len(elapsed.per_trial) / due.value


def _holds_more(context: Context) -> Answer:
    _ = context.words.gettext
    grid = Grid.of(context, "capacity")
    if grid is None:
        return open_because(_("not run this time: wl run messaging --scenario capacity"))
    lines, values = [], {}
    for name in ("socket", RMI, JMS):
        found = next((grid.metric(name, s, "capacity.verified") for s in ("", "probe")), None)
        if found is not None and found.value is not None:
            values[name] = found.value
            lines.append(f"{claims.named(context, name)}: {claims.shown(found)}")
    if RMI not in values or len(values) < 2:
        return open_because("\n".join(lines) or _("no valid figure"))
    more = all(values[RMI] > value for name, value in values.items() if name != RMI)
    return Answer(Stand.SUPPORTED if more else Stand.CONTRADICTED, "\n".join(lines))


# ------------------------------------------------------------------------- for a choice


def _own(context: Context) -> list[tuple[str, Rule]]:
    _ = context.words.gettext
    transfer = Grid.of(context, "transfer", "transfer-steady")
    return [
        (
            _("A call of RMI costs less than a millisecond: convenience is affordable"),
            lambda: _below(transfer, RMI, 1.0),
        ),
        (
            _("A message through a broker costs less than a millisecond"),
            lambda: _below(transfer, JMS, 1.0),
        ),
        (
            _("Storing a message on disk costs more than everything else together"),
            lambda: _dearer(transfer, "jms-artemis-persistent", "jms-artemis-responder"),
        ),
        (
            _("Two writes without TCP_NODELAY cost more than any library here without a disk"),
            lambda: _dearest(transfer, SOCKET),
        ),
    ]


def _below(grid: Grid | None, name: str, limit_ms: float) -> Answer:
    if grid is None or (found := grid.metric(name, "steady", "echo.latency.p50")) is None:
        return open_because("–")
    said = f"{claims.named(grid.context, name)}: p50 {claims.shown(found)}"
    low, high = found.interval or (found.value, found.value)
    if low is None or high is None or low <= limit_ms <= high:
        return Answer(Stand.OPEN, said)
    return Answer(Stand.SUPPORTED if high < limit_ms else Stand.CONTRADICTED, said)


def _dearer(grid: Grid | None, left: str, right: str, step: str = "steady") -> Answer:
    if grid is None:
        return open_because("–")
    own, other = (grid.metric(name, step, "echo.latency.p50") for name in (left, right))
    if own is None or other is None:
        return open_because("–")
    said = f"{claims.named(grid.context, left)} {claims.shown(own)}, "
    said += f"{claims.named(grid.context, right)} {claims.shown(other)}"
    apart = ratio(own, other)
    if apart is None or apart.includes_one:
        return Answer(Stand.OPEN, said)
    return Answer(Stand.SUPPORTED if apart.low > 1 else Stand.CONTRADICTED, said)


def _dearest(grid: Grid | None, name: str) -> Answer:
    if grid is None or grid.metric(name, "cold", "echo.latency.p50") is None:
        return open_because("–")
    others = [n for n in grid.contenders if n != name and mode_of(grid.context, n) != "persistent"]
    answers = [
        _dearer(grid, name, other, "cold")
        for other in others
        if grid.metric(other, "cold", "echo.latency.p50") is not None
    ]
    return claims.all_of(answers) if answers else open_because("–")
