"""The study's thirteen measures (5.2): how each works, where it could matter, what it measured."""

from __future__ import annotations

from dataclasses import dataclass

from wirelab.report.api import (
    N_,
    Block,
    CellTable,
    Column,
    Context,
    Head,
    Row,
    RowGroup,
    Table,
    WordsCell,
    claims,
    marked,
    paragraph,
    ratio,
    ratio_words,
    stepped,
)

from .tuning_kinds import SCENARIO, Tuning
from .tuning_list import TUNINGS

_METRIC = "delivery.response.p99"


@dataclass(frozen=True)
class RecommendedMeasure:
    """A measure that the study recommends: tunings that vary it, or scenarios that show it."""

    claim: str
    tunings: tuple[str, ...] = ()
    scenarios: tuple[str, ...] = (SCENARIO,)
    mechanism: str = ""
    matters: str = ""


MEASURES = (
    RecommendedMeasure("tune-spring-gc", ("collector",)),
    RecommendedMeasure("tune-spring-threads", ("threads",)),
    RecommendedMeasure("tune-spring-buffers", ("buffers",)),
    RecommendedMeasure("tune-stomp-broker", ("broker",)),
    RecommendedMeasure(
        "tune-stomp-compress",
        (),
        ("compression",),
        N_(
            "Mechanism: compression takes processor time for fewer bytes, and each board is a "
            "topic already. Tomcat has no switch for compression, so Node.js `ws` shows it."
        ),
        N_(
            "Where it could matter: with long messages that compress well, and a network that is "
            "short."
        ),
    ),
    RecommendedMeasure("tune-stomp-threads", ("broker-threads",)),
    RecommendedMeasure("tune-node-native", ("native",)),
    RecommendedMeasure("tune-node-zero-copy", ("copies",)),
    RecommendedMeasure(
        "tune-node-degrade",
        (),
        ("compression", "shedding", "overload"),
        N_(
            "Mechanism: what is not sent takes no time. Strokes that are left out on purpose are "
            "counted apart from lost ones. A limit of connections is varied nowhere: it refuses "
            "users, and those who are let in have the figures of fewer users."
        ),
        N_("Where it could matter: where the server has more to send than its processor can."),
    ),
    RecommendedMeasure("tune-fastapi-workers", ("workers",)),
    RecommendedMeasure("tune-fastapi-connection", ("pings", "max-size")),
    RecommendedMeasure("tune-fastapi-async", ("flow",)),
    RecommendedMeasure("tune-fastapi-nginx", ("nginx",)),
)


def measures(context: Context) -> list[Block]:
    """A row for each measure, in the study's order; nothing without the study."""
    _ = context.words.gettext
    if context.published is None:
        return []
    claimed = {claim.key: claim.text.of(context.language) for claim in context.published.claims}
    rows = tuple(_row(context, claimed[one.claim], one) for one in MEASURES)
    said = _(
        "Each of the study's thirteen measures, with the ratio of its delivery p99 to the "
        "unchanged server, or the command that measures it. Three things that belong here change "
        "nothing: virtual threads need a newer Java than the 17 that contenders are built for, "
        "Spring Boot 4 does not run on Undertow, and `ws` hands on the bytes as they came, so that "
        "there is no buffer to use again."
    )
    titles = (_("mechanism"), _("load"), _("measured, or the command"))
    columns = tuple(Column(title, align="left") for title in titles)
    caption = _("The study's thirteen measures: mechanism, load and what was measured")
    return [paragraph(said), Table(caption, (_("measure"),), columns, (RowGroup(rows),))]


def _row(context: Context, title: str, measure: RecommendedMeasure) -> Row:
    _ = context.words.gettext
    varied = [tuning for tuning in TUNINGS if tuning.key in measure.tunings]
    how = [_said(_(tuning.mechanism)) for tuning in varied] or [_said(_(measure.mechanism))]
    where = [_said(_(tuning.matters)) for tuning in varied] or [_said(_(measure.matters))]
    told = [line for tuning in varied for line in _ratios(context, tuning)]
    told = told or [_elsewhere(context, measure)]
    cells = (WordsCell(tuple(map(marked, lines))) for lines in (how, where, told))
    return Row(Head(title), tuple(cells))


def _ratios(context: Context, tuning: Tuning) -> list[str]:
    """The ratio of each tuned server to the unchanged one; none where they did not take part."""
    found = stepped(context, SCENARIO)
    if not found:
        return []
    untuned = found.top.cell(tuning.untuned)
    tuned = [one for name in tuning.tuned if (one := found.top.cell(name)) is not None]
    if untuned is None or not tuned:
        return []
    lines = []
    for one in tuned:
        unfit = claims.unfit(context, one, _METRIC) or claims.unfit(context, untuned, _METRIC)
        apart = None if unfit else ratio(one.metrics[_METRIC], untuned.metrics[_METRIC])
        said = unfit or (
            ratio_words(apart) if apart is not None else context.words.gettext("no interval")
        )
        lines.append(f"{context.name(one.contender)}: {said}")
    return lines


def _elsewhere(context: Context, measure: RecommendedMeasure) -> str:
    """The scenarios that show it: their sections where all of them were run, or the command."""
    _ = context.words.gettext
    if not measure.tunings and all(CellTable.of(context, one) for one in measure.scenarios):
        return _("in the sections of: {scenarios}").format(scenarios=", ".join(measure.scenarios))
    asked = " ".join(f"--scenario {one}" for one in measure.scenarios)
    return f"`./wl run websocket {asked}`"


def _said(words: str) -> str:
    """A sentence without the word before it that the column has as its title."""
    rest = words.partition(": ")[2]
    return rest[:1].upper() + rest[1:]
