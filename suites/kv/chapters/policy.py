"""One node against eight: what the order in which a client asks them costs."""

from __future__ import annotations

from wirelab.report.api import (
    Block,
    CellTable,
    Column,
    Context,
    FigureColumn,
    Head,
    Plain,
    Row,
    RowGroup,
    Section,
    Table,
    multiple,
    paragraph,
)

_P50 = "read.latency.p50"


def sections(context: Context) -> list[Section]:
    """The section on the policy; none where eight nodes were not run."""
    one, eight = CellTable.of(context, "one-node"), CellTable.of(context, "eight-nodes")
    if not eight:
        return []
    _ = context.words.gettext
    said = _(
        "Every node takes 10 ms to answer a multi-get. A client that asks the nodes at once waits "
        "10 ms for one and for eight; one that asks them in turn waits for each. The official "
        "client's multi-gets do the latter unless their policy says concurrent. A multi-get that "
        "repeats one key goes to one node, so it is fast with either policy: that, and no fast "
        "not-found, is what the study's set 8 shows."
    )
    blocks: list[Block] = [paragraph(said), _table(context, one, eight)]
    return [Section(_("The policy: nodes in turn or at once"), "policy", tuple(blocks))]


def _table(context: Context, one: CellTable, eight: CellTable) -> Table:
    _ = context.words.gettext
    column = FigureColumn(_P50)
    groups = []
    for name in eight.contenders:
        rows = []
        for step in eight.steps:
            shown = (grid.shown(name, step, column) for grid in (one, eight))
            cells = (*shown, _ratio(one, eight, name, step))
            rows.append(Row(Head(eight.step_title(step)), cells))
        groups.append(RowGroup(tuple(rows), eight.head(name)))
    columns = (
        Column(_("1 node, p50"), "ms"),
        Column(_("8 nodes, p50"), "ms"),
        Column(_("8 nodes / 1 node")),
    )
    stub = (_("contender"), _("multi-get"))
    return Table(_("One node and eight, 10 ms each"), stub, columns, tuple(groups))


def _ratio(one: CellTable, eight: CellTable, name: str, step: str) -> Plain:
    base, own = (grid.metric(name, step, _P50) for grid in (one, eight))
    return multiple(own, base)
