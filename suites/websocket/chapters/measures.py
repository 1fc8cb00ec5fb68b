"""The study's thirteen measures (5.2): how each works, where it could matter, what it measured."""

from __future__ import annotations

from collections.abc import Sequence
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

from . import compression
from .treatments import load_of, of_scenario
from .tuning_kinds import SCENARIO, Tuning
from .tuning_list import TUNINGS

_METRIC = "delivery.response.p99"


@dataclass(frozen=True)
class RecommendedMeasure:
    """A measure that the study recommends: tunings that vary it, or scenarios that show it.

    ``server`` is the one whose changed neighbours in these scenarios belong to it.
    """

    claim: str
    tunings: tuple[str, ...] = ()
    scenarios: tuple[str, ...] = (SCENARIO,)
    mechanism: str = ""
    matters: str = ""
    server: str = ""


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
            "topic already. Tomcat agrees to permessage-deflate with whoever offers it; elsewhere "
            "the suite hides the offer from it."
        ),
        N_(
            "Where it could matter: with long messages that compress well, and a network that is "
            "short."
        ),
        "spring-stomp",
    ),
    RecommendedMeasure("tune-stomp-threads", ("broker-threads",)),
    RecommendedMeasure("tune-node-native", ("native",)),
    RecommendedMeasure("tune-node-zero-copy", ("copies",)),
    RecommendedMeasure(
        "tune-node-degrade",
        (),
        ("compression", "shedding", "overload", "connection-limit"),
        N_(
            "Mechanism: what is not sent takes no time. Strokes that are left out on purpose and "
            "users who are refused are counted apart from lost strokes."
        ),
        N_("Where it could matter: where the server has more to send than its processor can."),
        "node-ws",
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
    if not measure.tunings:
        told = _of_scenarios(context, measure)
    missing = [one for one in measure.scenarios if not _tables(context, one)]
    if missing or not told:
        told = [*told, _command(missing or measure.scenarios)]
    cells = (WordsCell(tuple(map(marked, lines))) for lines in (how, where, told))
    return Row(Head(title), tuple(cells))


def _ratios(context: Context, tuning: Tuning) -> list[str]:
    """The ratio of each tuned server to the unchanged one; none where they did not take part."""
    found = stepped(context, SCENARIO)
    return _beside(context, found.top, tuning.untuned, tuning.tuned) if found else []


def _beside(
    context: Context, table: CellTable, untuned: str, tuned: Sequence[str], load: str = ""
) -> list[str]:
    base = table.cell(untuned)
    others = [one for name in tuned if (one := table.cell(name)) is not None]
    if base is None:
        return []
    lines = []
    for one in others:
        unfit = claims.unfit(context, one, _METRIC) or claims.unfit(context, base, _METRIC)
        apart = None if unfit else ratio(one.metrics[_METRIC], base.metrics[_METRIC])
        said = unfit or (
            ratio_words(apart) if apart is not None else context.words.gettext("no interval")
        )
        name = context.name(one.contender)
        lines.append(f"{name} ({load}): {said}" if load else f"{name}: {said}")
    return lines


def _of_scenarios(context: Context, measure: RecommendedMeasure) -> list[str]:
    """The ratios of the scenarios that show it, each with its load."""
    lines = []
    for scenario in measure.scenarios:
        for table in _tables(context, scenario):
            load = load_of(table)
            if scenario == compression.SCENARIO:
                tuned = compression.TUNED[measure.server]
            else:
                tuned = tuple(one.treated for one in of_scenario(scenario, measure.server))
            lines += _beside(context, table, measure.server, tuned, load)
    return lines


def _tables(context: Context, scenario: str) -> list[CellTable]:
    """The tables of a scenario: of each variant, or of the last step."""
    model = context.result.scenarios.get(scenario)
    if model is None:
        return []
    if model.variants:
        found = (CellTable.of(context, scenario, variant=name) for name in model.variants)
        return [table for table in found if table]
    parts = stepped(context, scenario)
    return [parts.top] if parts else []


def _command(scenarios: Sequence[str]) -> str:
    """The command that runs what is missing."""
    asked = " ".join(f"--scenario {one}" for one in scenarios)
    return f"`./wl run websocket {asked}`"


def _said(words: str) -> str:
    """A sentence without the word before it that the column has as its title."""
    rest = words.partition(": ")[2]
    return rest[:1].upper() + rest[1:]
