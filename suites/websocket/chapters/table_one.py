"""A server by table 1 of the study, where its units are not those of the other tables."""

from __future__ import annotations

from wirelab.report.api import (
    DASH,
    Absent,
    Cell,
    CellTable,
    Column,
    Context,
    Head,
    Plain,
    Row,
    RowGroup,
    Table,
    cell,
    numbers,
    usable_value,
)

_SAID = ("rtt.rate", "rss.max", "delivery.traffic.max")


def of_server(parts: CellTable, name: str) -> Table | None:
    """TPS as the sum of what users send and receive, memory from its start to its highest, and the
    network in both directions, step by step, with what was published below; None without any
    figure."""
    context = parts.context
    _ = context.words.gettext
    found = [(part.title, here) for part in parts.by_step if (here := part.cell(name))]
    rows = [
        Row(Head(title), (_sum(here), _range(here), _ways(here)))
        for title, here in found
        if here.metrics
    ]
    if not rows:
        return None
    if published := _published(context, name):
        rows.append(published)
    columns = (
        Column(_("TPS: sent and received"), _("messages/s")),
        Column(_("memory, from–to"), "MB"),
        Column(_("network, in / out"), "MB/s"),
    )
    caption = _(
        "As table 1 of the study has it: TPS as a sum, memory as a range, network both ways"
    )
    return Table(caption, (_("step"),), columns, (RowGroup(tuple(rows)),))


def _sum(here: Cell) -> Plain:
    """A message is sent, comes back to its sender, and reaches the others."""
    sent, others = (usable_value(here, metric) for metric in ("rtt.rate", "delivery.rate"))
    if sent is None or others is None:
        return Absent(DASH)
    return cell(numbers.number(2 * sent + others, 0))


def _range(here: Cell) -> Plain:
    first, most = (usable_value(here, metric) for metric in ("rss.start", "rss.max"))
    if most is None:
        return Absent(DASH)
    highest = numbers.number(most, 0)
    return cell(highest if first is None else f"{numbers.number(first, 0)}–{highest}")


def _ways(here: Cell) -> Plain:
    """Bytes that came in at the server and went out of it; runs stored before both were counted
    have none."""
    ways = (usable_value(here, f"delivery.network.{way}") for way in ("in", "out"))
    known = [numbers.number(value, 2) for value in ways if value is not None]
    return cell(" / ".join(known)) if len(known) == 2 else Absent(DASH)


def _published(context: Context, name: str) -> Row | None:
    published = context.published
    key = context.key_of(name)
    if published is None or key is None:
        return None
    said = published.said.get(key, {})
    cells = tuple(
        cell(said[metric].of(context.language)) if metric in said else Absent(DASH)
        for metric in _SAID
    )
    return Row(Head(context.words.gettext("published, whole run")), cells, published=True)
