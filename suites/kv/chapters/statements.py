"""The study's statements against this run, and the situations in which each client pays."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from wirelab.report.api import (
    MORE,
    SAME,
    CellTable,
    Context,
    Ratio,
    RatioBand,
    Rule,
    Section,
    Standing,
    StatementAnswer,
    claims,
    judge,
    open_because,
    own_statements,
    ratio,
    ratio_words,
    study_statements,
    times,
)

from . import outside
from .layers import LAYERS, NATIVE, Layer, apart

OFFICIAL, CONCURRENT = "official", "official-concurrent"
ASYNC = "official-async"
_ALONE, _EIGHT = LAYERS[0], LAYERS[1]
_SERVED, _GATHERED = LAYERS[4], LAYERS[5]


def statements(context: Context) -> Section:
    """The study's statements, then what follows for a choice."""
    _ = context.words.gettext
    caption = _("What the study concludes, against this run")
    blocks = study_statements(context, caption, rules_of(context))
    own = [
        (
            _("Asking nodes at once takes the official client's disadvantage away"),
            lambda: _policy(context),
        ),
        (
            _("At one node that answers at once, the slower client takes less than twice as long"),
            lambda: _less_than(context, _ALONE, 2.0),
        ),
        (
            _("Behind the model, the slower client takes less than twice as long"),
            lambda: _less_than(context, _SERVED, 2.0),
        ),
    ]
    blocks += own_statements(context, _("When does the client matter?"), own)
    return Section(_("The study, answered"), "statements", tuple(blocks))


def rules_of(context: Context) -> Mapping[str, Rule]:
    """Rules that compare ratios with one another; the rest are declared with the statements."""
    return {
        "ratio-shrinks": lambda: _behind_the_model(context, "mean", _smaller),
        "tail-stays": lambda: _behind_the_model(context, "p95", _stays),
        "gil-serialises": lambda: _policy(context, against=True),
        "gather-narrows": lambda: _gather(context),
        "asgi-passed-on": lambda: _passed_on(context),
        "inside-and-outside": lambda: outside.gateway(context),
    }


def _pair(
    grid: CellTable, step: str, left: str, right: str, metric: str
) -> StatementAnswer | Ratio:
    """Ratio of ``left`` to ``right``, or the reason why it cannot be said."""
    if not grid:
        return open_because("–")
    figures = [grid.metric(name, step, metric) for name in (left, right)]
    if figures[0] is None or figures[1] is None:
        missing = left if figures[0] is None else right
        said = grid.context.words.gettext("no valid figure")
        return open_because(
            f"{grid.step_title(step)}: {claims.named(grid.context, missing)}: {said}"
        )
    found = ratio(figures[0], figures[1])
    return found or open_because(grid.context.words.gettext("no interval bounds their ratio"))


def _behind_the_model(
    context: Context, level: str, judged: Callable[[Ratio, Ratio], Standing]
) -> StatementAnswer:
    """The ratio behind the model, judged beside the one with eight nodes alone."""
    alone, served = (apart(context, layer, ASYNC, level) for layer in (_EIGHT, _SERVED))
    if alone is None or served is None:
        return _no_ratio(context, {_EIGHT: alone, _SERVED: served}, level)
    said = context.words.gettext("alone {alone}, behind the model {served}").format(
        alone=ratio_words(alone), served=ratio_words(served)
    )
    return _decided(context, _SERVED, StatementAnswer(judged(served, alone), said))


def _stays(served: Ratio, _alone: Ratio) -> Standing:
    """Whether the native client still takes less time."""
    return judge(served, MORE)


def _smaller(one: Ratio, other: Ratio) -> Standing:
    """Whether one ratio is below another: open while their intervals overlap."""
    if one.high < other.low:
        return Standing.SUPPORTED
    return Standing.CONTRADICTED if one.low > other.high else Standing.OPEN


def _no_ratio(context: Context, found: Mapping[Layer, Ratio | None], level: str) -> StatementAnswer:
    """Name the layers without valid figures of both clients."""
    _ = context.words.gettext
    lacking = "; ".join(_(layer.title) for layer, one in found.items() if one is None)
    said = _("{layers}: no valid figures of both clients ({level})")
    return open_because(said.format(layers=lacking, level=level))


def _passed_on(context: Context) -> StatementAnswer:
    """The ratio of the whole request against that of reading: alike, where nothing is lost."""
    _ = context.words.gettext
    grid = CellTable.of(context, "asgi")
    reading, total = (
        _pair(grid, "c5", NATIVE, ASYNC, f"{span}.latency.mean")
        for span in ("reading", "server-time")
    )
    if isinstance(reading, StatementAnswer) or isinstance(total, StatementAnswer):
        return next(
            (a for a in (reading, total) if isinstance(a, StatementAnswer)), open_because("–")
        )
    said = _("reading {reading}, whole application {total}").format(
        reading=ratio_words(reading), total=ratio_words(total)
    )
    if SAME.holds(reading):
        return open_because(said + "; " + _("no gain that could be passed on"))
    # Wider than it would be by blocks: what is called alike is so by either.
    apart = Ratio(total.value / reading.value, total.low / reading.high, total.high / reading.low)
    return StatementAnswer(judge(apart, SAME), said)


def _policy(context: Context, *, against: bool = False) -> StatementAnswer:
    """Official with concurrent policy against the native client, eight nodes."""
    grid = CellTable.of(context, "eight-nodes")
    found = _pair(grid, "found-k200", CONCURRENT, NATIVE, "read.latency.p50")
    default = _pair(grid, "found-k200", OFFICIAL, CONCURRENT, "read.latency.p50")
    if isinstance(found, StatementAnswer) or isinstance(default, StatementAnswer):
        return next(
            (a for a in (found, default) if isinstance(a, StatementAnswer)), open_because("–")
        )
    _ = context.words.gettext
    said = _("default / concurrent {default}, concurrent / native {found}").format(
        default=ratio_words(default), found=ratio_words(found)
    )
    taken_away = default.low > 2 and found.high < 2
    if not taken_away:
        return open_because(said)
    return StatementAnswer(Standing.CONTRADICTED if against else Standing.SUPPORTED, said)


def _less_than(context: Context, layer: Layer, limit: float) -> StatementAnswer:
    _ = context.words.gettext
    answers = []
    for rival in (ASYNC, "official-async-concurrent"):
        found = apart(context, layer, rival, "mean")
        if found is None:
            continue
        said = f"{claims.named(context, rival)}: {times(context, found)}"
        answers.append(StatementAnswer(judge(found, RatioBand(1 / limit, limit)), said))
    if not answers:
        return open_because("–")
    return _decided(context, layer, claims.all_of(answers))


def _gather(context: Context) -> StatementAnswer:
    """The ratio at p95 with one call against the one with nine."""
    _ = context.words.gettext
    single, gather = (apart(context, layer, ASYNC, "p95") for layer in (_SERVED, _GATHERED))
    if single is None or gather is None:
        return _no_ratio(context, {_SERVED: single, _GATHERED: gather}, "p95")
    said = _("one call {single}, nine calls {gather}").format(
        single=ratio_words(single), gather=ratio_words(gather)
    )
    return _decided(context, _GATHERED, StatementAnswer(_smaller(gather, single), said))


def _decided(context: Context, layer: Layer, answer: StatementAnswer) -> StatementAnswer:
    """The answer, with the scenario of a layer for which either of two may stand."""
    return claims.decided_in(layer.cells(context), answer) if layer.otherwise else answer
