"""Findings of the gates on every cell: verdicts, reasons, evidence, remedies."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from wirelab.gates.catalogue import gate_of
from wirelab.gates.wording import evidence_lines, meaning_of, remedy_of, title_of
from wirelab.model.result import Cell, Finding, Verdict
from wirelab.report.context import Context
from wirelab.report.document import (
    Block,
    Bullets,
    Callout,
    Column,
    Command,
    Details,
    Head,
    Paragraph,
    Row,
    RowGroup,
    Section,
    Table,
    Text,
    Tone,
    WordsCell,
    plain,
    text,
)
from wirelab.report.microbenchmark import scenarios
from wirelab.report.sections.microbenchmark import verdicts
from wirelab.report.tabulate import contender_head, verdict_badge
from wirelab.words.failures import why_in_words

_MOST_LINES = 12
"""More lines of evidence than this are folded away."""


def validity(context: Context) -> Section:
    """Every cell with its verdict, then every gate that spoke."""
    _ = context.words.gettext
    blocks: list[Block | Section] = [
        Paragraph(
            plain(
                _(
                    "Every cell passes a set of checks (gates). A warning says what to bear in "
                    "mind; an invalid cell gets no star and no rank, and its figures stand in "
                    "parentheses: they help to find the cause and are no result. A remark takes "
                    "nothing from a figure, and a cell with remarks alone is valid."
                )
            )
        ),
        *([table] if (table := _verdicts(context)).groups else []),
        *(verdicts.verdicts(context, found) for found in scenarios(context)),
    ]
    blocks += [_gate(context, *found) for found in by_gate(context)]
    if said := _remarks(context):
        blocks.append(said)
    if others := _trials_in_no_figure(context):
        blocks.append(others)
    return Section(_("Validity of the figures"), "validity", tuple(blocks))


def place_of(context: Context, found: Cell) -> str:
    """Contender, with variant or step where the scenario has them, and a second generator."""
    scenario = context.result.scenarios[found.scenario]
    parts = [context.name(found.contender)]
    if found.variant in scenario.variants:
        parts.append(scenario.variants[found.variant].title.of(context.language))
    if found.step in scenario.steps:
        parts.append(scenario.steps[found.step].title.of(context.language))
    if found.generator:
        parts.append(context.generator(found.generator))
    return " · ".join(parts)


def spoken(found: Cell) -> list[Finding]:
    """Findings that are warnings or worse; the gravest first."""
    grave = [f for f in found.findings if f.verdict is Verdict.INVALID]
    return grave + [f for f in found.findings if f.verdict is Verdict.WARN]


def reasons(context: Context, found: Cell, told: Collection[str] = ()) -> str:
    """The first finding in words of those that made the verdict of a cell, and how many more there
    are: the rest of them stands in the appendix. Of a warned one the gates do not count that were
    ``told`` of all cells before."""
    left = context.decisive(found) - set(told if found.verdict is Verdict.WARN else ())
    gates = dict.fromkeys(f.gate for f in spoken(found) if f.gate in left)
    titles = [title_of(gate, context.words) for gate in gates]
    if len(titles) < 2:
        return "".join(titles)
    more = context.words.gettext("{reason}, and {n} more")
    return more.format(reason=titles[0], n=len(titles) - 1)


def warned_alike(context: Context, cells: Sequence[Cell]) -> list[str]:
    """The gates that warn of every one of several cells, which is said once."""
    if len(cells) < 2 or any(found.verdict is not Verdict.WARN for found in cells):
        return []
    return sorted(set.intersection(*map(context.decisive, cells)))


def remarked(found: Cell) -> list[Finding]:
    """Findings that are remarks, but for what is told beside its own figure."""
    remarks = [f for f in found.findings if f.verdict is Verdict.VALID]
    return [f for f in remarks if not ((gate := gate_of(f.gate)) and gate.beside_its_figure)]


def _remarks(context: Context) -> Callout | None:
    """Every remark, gate by gate, without a badge."""
    _ = context.words.gettext
    found: dict[str, list[tuple[Cell, Finding]]] = {}
    for cell in context.result.cells:
        for finding in remarked(cell):
            found.setdefault(finding.gate, []).append((cell, finding))
    blocks: list[Block] = []
    for gate, pairs in found.items():
        lines = tuple(_lines(context, pairs, labelled=False))
        title = f"{title_of(gate, context.words)} ({gate})"
        blocks.append(Paragraph(text("**{title}** ", title=title) + _meaning_of(context, gate)))
        blocks.append(_folded(context, lines))
    return Callout("neutral", _("Remarks"), tuple(blocks)) if blocks else None


def _meaning_of(context: Context, gate: str) -> Text:
    return text(meaning_of(gate, context.words))


def _verdicts(context: Context) -> Table:
    _ = context.words.gettext
    groups = []
    for name, scenario in context.result.scenarios.items():
        if scenario.is_microbenchmark:
            continue
        cells = [cell for cell in context.cells if cell.scenario == name]
        rows = [_verdict_row(context, found) for found in cells]
        if rows:
            groups.append(RowGroup(tuple(rows), Head(scenario.title.of(context.language))))
    columns = (Column(_("verdict"), align="left"), Column(_("reasons"), align="left"))
    return Table(_("Verdicts"), (_("scenario"), _("cell")), columns, tuple(groups))


def _verdict_row(context: Context, found: Cell) -> Row:
    head = contender_head(context, found)
    said = spoken(found)
    codes = tuple(
        text("{title} (`{code}`)", title=title_of(code, context.words), code=code)
        for code in dict.fromkeys(finding.gate for finding in said)
    )
    return Row(
        Head(place_of(context, found), None, head.colour),
        (verdict_badge(found.verdict, context.words), WordsCell(codes or (plain("–"),))),
    )


def by_gate(context: Context) -> list[tuple[str, Verdict, list[tuple[Cell, Finding]]]]:
    """Findings by gate, invalidating ones first; each with the cells it spoke of."""
    found: dict[str, list[tuple[Cell, Finding]]] = {}
    for cell in context.result.cells:
        for finding in spoken(cell):
            found.setdefault(finding.gate, []).append((cell, finding))
    graded = [
        (
            gate,
            Verdict.INVALID
            if any(f.verdict is Verdict.INVALID for _c, f in pairs)
            else Verdict.WARN,
            pairs,
        )
        for gate, pairs in found.items()
    ]
    return sorted(graded, key=lambda entry: entry[1] is not Verdict.INVALID)


def _gate(
    context: Context, gate: str, verdict: Verdict, pairs: Sequence[tuple[Cell, Finding]]
) -> Callout:
    _ = context.words.gettext
    blocks: tuple[Block, ...] = (
        Paragraph(plain(meaning_of(gate, context.words))),
        _folded(context, tuple(_lines(context, pairs))),
        Paragraph(text("**{label}** ", label=_("Remedy:")) + text(remedy_of(gate, context.words))),
    )
    tone: Tone = "bad" if verdict is Verdict.INVALID else "warn"
    return Callout(tone, f"{title_of(gate, context.words)} ({gate})", blocks)


def _folded(context: Context, lines: tuple[Text, ...]) -> Block:
    """Evidence, folded away where it is long."""
    if len(lines) <= _MOST_LINES:
        return Bullets(lines)
    summary = context.words.gettext("Evidence ({n} entries)").format(n=len(lines))
    return Details(summary, (Bullets(lines),))


def told_once(pairs: Sequence[tuple[Cell, Finding]]) -> Iterator[tuple[Cell, Finding]]:
    """Findings of one gate; what was said of a whole run is not repeated for its steps."""
    whole = {(_run_of(cell), str(finding.evidence)) for cell, finding in pairs if not cell.step}
    for cell, finding in pairs:
        if not cell.step or (_run_of(cell), str(finding.evidence)) not in whole:
            yield cell, finding


def _lines(
    context: Context, pairs: Sequence[tuple[Cell, Finding]], *, labelled: bool = True
) -> Iterator[Text]:
    """The evidence of every cell; ``labelled`` with the verdict."""
    for cell, finding in told_once(pairs):
        yield from _evidence(context, cell, finding, labelled=labelled)


def _run_of(cell: Cell) -> tuple[str, str, str, str]:
    """Key that all steps of a schedule share."""
    return cell.scenario, cell.variant, cell.contender, cell.generator


def _evidence(context: Context, cell: Cell, finding: Finding, *, labelled: bool) -> list[Text]:
    """One line a cell where its evidence is short, else one for each piece."""
    scenario = context.result.scenarios[cell.scenario].title.of(context.language)
    place = f"{place_of(context, cell)} · {scenario}"
    lines = evidence_lines(finding, cell.id, context.words)
    if not labelled:
        return [text("**{place}**: {line}", place=place, line=line) for line in lines]
    label = verdict_badge(finding.verdict, context.words).label
    return [
        text("**{place}** ({label}): {line}", place=place, label=label, line=line) for line in lines
    ]


def _trials_in_no_figure(context: Context) -> Callout | None:
    """Every planned trial that no figure contains, with its reason and what it wrote last."""
    _ = context.words.gettext
    lines = tuple(
        text(
            "`{trial}` {place}: {why}",
            trial=trial,
            place=place_of(context, cell),
            why=why_in_words(why, context.words),
        )
        for cell in context.result.cells
        for trial, why in cell.other_trials.items()
    )
    if not lines:
        return None
    written = [
        Details(_("Standard error of {trial}").format(trial=trial), (Command(tail),))
        for cell in context.result.cells
        for trial, tail in cell.stderr.items()
        if tail.strip()
    ]
    return Callout("neutral", _("Trials that are in no figure"), (Bullets(lines), *written))
