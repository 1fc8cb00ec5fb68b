"""The order within each language, by data and operation."""

from __future__ import annotations

from wirelab.report.api import (
    Block,
    Bullets,
    CellTable,
    Context,
    Details,
    Section,
    Text,
    microbenchmark,
    paragraph,
    remarks,
    sections,
    series,
    text,
)

from .formats import TIMED


def ranking(context: Context, found: CellTable) -> Section:
    """A part a language, in it a table a mode, and its yardsticks below."""
    _ = context.words.gettext
    parts = [
        Section(language, f"ranking-{at}", tuple(_language(context, found, language)))
        for at, language in enumerate(found.languages)
        if found.peers_of(language)
    ]
    opening = paragraph(sections.microbenchmark.times.reading_ranks(context, found))
    return Section(_("Ranking within each language"), "ranking", (opening, *parts))


def _language(context: Context, found: CellTable, language: str) -> list[Block]:
    _ = context.words.gettext
    groups = found.peers_of(language)
    blocks: list[Block] = [
        sections.microbenchmark.times.ranked_table(context, group, TIMED) for group in groups
    ]
    if said := [line for group in groups for line in leads(context, group)]:
        blocks.append(Bullets(tuple(said)))
    own = found.yardsticks(language)
    table = microbenchmark.by_operation(
        found, own, _("Yardsticks: nothing can be faster than copying")
    )
    if table is not None:
        blocks.append(table)
    else:
        missing = _("No yardstick of this language was measured: no figure here has a floor.")
        blocks.append(paragraph(missing))
    others = [r.metric for r in found.scenario.rankings if r.metric != TIMED]
    folded = tuple(
        sections.microbenchmark.times.ranked_table(context, group, metric)
        for metric in others
        for group in groups
    )
    if folded:
        blocks.append(Details(_("Encoding and decoding apart, with ranks"), folded))
    return blocks


def leads(context: Context, group: CellTable) -> list[Text]:
    """Name the leaders, for groups in which anything could be ranked and told apart."""
    _ = context.words.gettext
    firsts: dict[tuple[str, ...], list[str]] = {}
    for part in group.by_step:
        best = remarks.leaders(part, TIMED)
        if best and len(best) < len([cell for cell in part.ranked if TIMED in cell.ranks]):
            names = tuple(context.name(cell.contender) for cell in best)
            firsts.setdefault(names, []).append(part.step)
    return [
        text(
            _("Fastest round trip ({mode}): **{names}** for {data}."),
            mode=group.mode_title or "–",
            names=series(names),
            data=", ".join(steps),
        )
        for names, steps in firsts.items()
    ]
