"""What the source says, against this run; and when which client is worth its place."""

from __future__ import annotations

from collections.abc import Mapping

from wirelab.report import claims
from wirelab.report.claims import Answer, Rule, Stand, open_because
from wirelab.report.context import Context
from wirelab.report.document import Block, Section
from wirelab.report.grid import Grid
from wirelab.stats.ratio import Ratio, ratio

from .layers import LAYERS, NATIVE, Layer, apart

OFFICIAL, CONCURRENT = "official", "official-concurrent"
ASYNC = "official-async"
_ALONE, _EIGHT = LAYERS[0], LAYERS[1]
_SERVED, _GATHERED = LAYERS[4], LAYERS[5]


def statements(context: Context) -> Section:
    """The source's statements, then what follows for a choice."""
    _ = context.words.gettext
    blocks: list[Block] = []
    caption = _("What the source concludes, against this run")
    if table := claims.table(context, caption, _rules(context)):
        blocks.append(table)
    own = [
        (
            _("Asking nodes at once takes the official client's disadvantage away"),
            lambda: _policy(context),
        ),
        (
            _("With one node that answers at once, the choice of the client hardly matters"),
            lambda: _less_than(context, _ALONE, 2.0),
        ),
        (
            _("Behind the model, the choice of the client changes less than half of the time"),
            lambda: _less_than(context, _SERVED, 2.0),
        ),
    ]
    blocks.append(claims.own_table(context, _("When does the client matter?"), own))
    return Section(_("The source, answered"), "statements", tuple(blocks))


def _rules(context: Context) -> Mapping[str, Rule]:
    return {
        "native-faster": lambda: _faster(context, "eight-nodes", ["found-k200"], OFFICIAL),
        "all-sets": lambda: _all_sets(context),
        "fast-not-found": lambda: _not_found(context),
        "executor-slower": lambda: _executor(context),
        "ratio-shrinks": lambda: _shrinks(context, "mean"),
        "tail-stays": lambda: _shrinks(context, "p95", stays=True),
        "gil-serialises": lambda: _policy(context, against=True),
        "gather-narrows": lambda: _gather(context),
    }


def _pair(grid: Grid | None, step: str, left: str, right: str, metric: str) -> Answer | Ratio:
    """How many times as much ``left`` has as ``right``, or why that cannot be said."""
    if grid is None:
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


def _said(grid: Grid, step: str, found: Ratio) -> str:
    return f"{grid.step_title(step)}: {claims.times(grid.context, found)}"


def _stand(found: Ratio, *, above: float = 1.0) -> Stand:
    if found.low > above:
        return Stand.SUPPORTED
    return Stand.CONTRADICTED if found.high < above else Stand.NO_DIFFERENCE


def _faster(context: Context, scenario: str, steps: list[str], rival: str) -> Answer:
    grid = Grid.of(context, scenario)
    answers = []
    for step in steps:
        found = _pair(grid, step, rival, NATIVE, "read.latency.mean")
        if isinstance(found, Answer) or grid is None:
            return found if isinstance(found, Answer) else open_because("–")
        answers.append(Answer(_stand(found), _said(grid, step, found)))
    return claims.all_of(answers)


def _all_sets(context: Context) -> Answer:
    """Between 4 and 8 in every set that was measured, at one node that answers at once."""
    grid = Grid.of(context, "client")
    if grid is None:
        return open_because("–")
    answers = []
    for step in [s for s in grid.steps if not s.startswith("s8")]:
        found = _pair(grid, step, OFFICIAL, NATIVE, "read.latency.mean")
        if isinstance(found, Answer):
            return found
        inside = 4 <= found.value <= 8
        outside = found.high < 4 or found.low > 8
        stand = Stand.SUPPORTED if inside else Stand.CONTRADICTED if outside else Stand.OPEN
        answers.append(Answer(stand, _said(grid, step, found)))
    return claims.all_of(answers) if answers else open_because("–")


def _not_found(context: Context) -> Answer:
    """Distinct missing keys against found ones, with eight nodes."""
    _ = context.words.gettext
    grid = Grid.of(context, "eight-nodes")
    if grid is None:
        return open_because("–")
    found, missing, repeated = (
        grid.metric(OFFICIAL, step, "read.latency.p50")
        for step in ("found-k200", "missing-k200", "repeated-k200")
    )
    if found is None or repeated is None:
        return open_because(_("no valid figure"))
    said = _("found {found}, one key repeated {repeated}").format(
        found=claims.shown(found), repeated=claims.shown(repeated)
    )
    if missing is None:
        return open_because(said)
    said += "; " + _("distinct keys that do not exist {missing}").format(
        missing=claims.shown(missing)
    )
    apart = ratio(missing, found)
    if apart is None:
        return open_because(said)
    # Faster at all is not what is said: as fast as the set that seems to show it is.
    return Answer(Stand.CONTRADICTED if apart.high > 0.5 else Stand.SUPPORTED, said)


def _executor(context: Context) -> Answer:
    grid = Grid.of(context, "client")
    if grid is None:
        return open_because("–")
    answers = []
    for step in grid.steps:
        found = _pair(grid, step, ASYNC, OFFICIAL, "read.latency.mean")
        if isinstance(found, Answer):
            return found
        answers.append(Answer(_stand(found), _said(grid, step, found)))
    return claims.all_of(answers) if answers else open_because("–")


def _shrinks(context: Context, level: str, *, stays: bool = False) -> Answer:
    """The ratio with eight nodes alone against the one behind the model."""
    _ = context.words.gettext
    alone, served = (apart(context, layer, ASYNC, level) for layer in (_EIGHT, _SERVED))
    if alone is None or served is None:
        return _no_ratio(context, {_EIGHT: alone, _SERVED: served}, level)
    said = _("alone {alone}, behind the model {served}").format(
        alone=claims.ratio_words(alone), served=claims.ratio_words(served)
    )
    if stays:
        return Answer(_stand(served), said)
    if served.high < alone.low:
        return Answer(Stand.SUPPORTED, said)
    return Answer(Stand.CONTRADICTED if served.low > alone.high else Stand.NO_DIFFERENCE, said)


def _no_ratio(context: Context, found: Mapping[Layer, Ratio | None], level: str) -> Answer:
    """Which layers have no valid figures of both clients."""
    _ = context.words.gettext
    lacking = "; ".join(_(layer.title) for layer, one in found.items() if one is None)
    said = _("{layers}: no valid figures of both clients ({level})")
    return open_because(said.format(layers=lacking, level=level))


def _policy(context: Context, *, against: bool = False) -> Answer:
    """Official with concurrent policy against the native client, eight nodes."""
    grid = Grid.of(context, "eight-nodes")
    found = _pair(grid, "found-k200", CONCURRENT, NATIVE, "read.latency.p50")
    default = _pair(grid, "found-k200", OFFICIAL, CONCURRENT, "read.latency.p50")
    if isinstance(found, Answer) or isinstance(default, Answer) or grid is None:
        return next((a for a in (found, default) if isinstance(a, Answer)), open_because("–"))
    _ = context.words.gettext
    said = _("default / concurrent {default}, concurrent / native {found}").format(
        default=claims.ratio_words(default), found=claims.ratio_words(found)
    )
    taken_away = default.low > 2 and found.high < 2
    if not taken_away:
        return open_because(said)
    return Answer(Stand.CONTRADICTED if against else Stand.SUPPORTED, said)


def _less_than(context: Context, layer: Layer, limit: float) -> Answer:
    _ = context.words.gettext
    answers = []
    for rival in (ASYNC, "official-async-concurrent"):
        found = apart(context, layer, rival, "mean")
        if found is None:
            continue
        said = f"{claims.named(context, rival)}: {claims.times(context, found)}"
        stand = Stand.SUPPORTED if found.high < limit else Stand.OPEN
        answers.append(Answer(Stand.CONTRADICTED if found.low > limit else stand, said))
    return claims.all_of(answers) if answers else open_because("–")


def _gather(context: Context) -> Answer:
    """The ratio at p95 with one call against the one with nine."""
    _ = context.words.gettext
    single, gather = (apart(context, layer, ASYNC, "p95") for layer in (_SERVED, _GATHERED))
    if single is None or gather is None:
        return _no_ratio(context, {_SERVED: single, _GATHERED: gather}, "p95")
    said = _("one call {single}, nine calls {gather}").format(
        single=claims.ratio_words(single), gather=claims.ratio_words(gather)
    )
    if gather.high < single.low:
        return Answer(Stand.SUPPORTED, said)
    return Answer(Stand.CONTRADICTED if gather.low > single.high else Stand.NO_DIFFERENCE, said)
