"""Ratio between two clients as layers are put around the call."""

from __future__ import annotations

from dataclasses import dataclass

from wirelab.report.api import (
    DASH,
    N_,
    Absent,
    CellTable,
    Column,
    Context,
    Head,
    Plain,
    Ratio,
    Row,
    RowGroup,
    Section,
    Table,
    WordsCell,
    cell,
    numbers,
    paragraph,
    plain,
    ratio,
    ratio_words,
)

NATIVE = "aerospike-py"
LEVELS = ("mean", "p95")


@dataclass(frozen=True)
class Layer:
    """An environment in which both clients do the same; ``published`` is the study's key, and
    ``otherwise`` the scenario whose figures stand for it where the first one was not run."""

    title: str
    scenario: str
    step: str
    operation: str
    published: str = ""
    otherwise: str = ""

    def cells(self, context: Context) -> CellTable:
        """The cells of the scenario that stands for it in this run; none where neither was run."""
        return CellTable.first_of(context, self.scenario, self.otherwise)


LAYERS = (
    Layer(N_("client alone, 1 node at once there"), "client", "s1-k200", "read"),
    Layer(N_("client alone, 8 nodes of 10 ms"), "eight-nodes", "found-k200", "read", "client"),
    Layer(N_("behind ASGI, 5 at a time"), "asgi", "c5", "server-time", "asgi.c5"),
    Layer(N_("behind ASGI, 10 at a time"), "asgi", "c10", "server-time", "asgi.c10"),
    # The study's figures are of an application that looks at no clock.
    Layer(
        N_("with the model, one call"),
        *("serving-untimed", "single", "request", "serving.single", "serving"),
    ),
    Layer(
        N_("with the model, nine calls"),
        *("serving-untimed", "gather", "request", "serving.gather", "serving"),
    ),
)
_RIVALS = ("official-async", "official-async-concurrent")


def apart(context: Context, layer: Layer, rival: str, level: str) -> Ratio | None:
    """Ratio of ``rival``'s time to the native client's; None without both figures."""
    grid = layer.cells(context)
    metric = f"{layer.operation}.latency.{level}"
    slow, fast = (grid.metric(name, layer.step, metric) for name in (rival, NATIVE))
    return ratio(slow, fast) if slow is not None and fast is not None else None


def sections(context: Context) -> list[Section]:
    """The section on layers; none where not even two of them were run."""
    run = [layer for layer in LAYERS if layer.cells(context)]
    if len({layer.scenario for layer in run}) < 2:
        return []
    _ = context.words.gettext
    said = _(
        "How many times as long the official client takes as {native}, with its default policy and "
        "with nodes asked at once. Whatever stands around the call takes its time with either "
        "client and brings the ratio nearer to one. The intervals are of the ratio."
    ).format(native=context.name(NATIVE) if NATIVE in context.contenders else NATIVE)
    if of_two := [layer for layer in run if layer.otherwise]:
        title = of_two[0].cells(context).scenario.title.of(context.language)
        decided = _("Figures with the model are those of “{scenario}”.").format(scenario=title)
        said = f"{said} {decided}"
    groups = [
        RowGroup(
            tuple(
                Row(Head(_(level)), tuple(_cell(context, layer, rival, level) for layer in run))
                for level in LEVELS
            ),
            Head(context.name(rival)),
        )
        for rival in _RIVALS
        if rival in context.contenders
    ]
    published = [
        Row(
            Head(_(level)),
            tuple(_published(context, layer, level) for layer in run),
            published=True,
        )
        for level in LEVELS
    ]
    groups.append(RowGroup(tuple(published), Head(_("published"))))
    columns = tuple(Column(_(layer.title)) for layer in run)
    table = Table(_("Ratio by layer"), (_("contender"), ""), columns, tuple(groups))
    return [Section(_("What layers leave of the ratio"), "layers", (paragraph(said), table))]


def _cell(context: Context, layer: Layer, rival: str, level: str) -> Plain:
    found = apart(context, layer, rival, level)
    return Absent(DASH) if found is None else cell(ratio_words(found))


def _published(context: Context, layer: Layer, level: str) -> Plain:
    """From the study's own figures of the two."""
    published = context.published
    if published is None or not layer.published:
        return Absent(DASH)
    key = f"{layer.published}.{level}"
    official = published.figure("official-async", key) or published.figure("official", key)
    native = published.figure("py-async", key)
    if official is None or native is None:
        return Absent(DASH)
    return WordsCell((plain(numbers.brief(float(official) / float(native))),))
