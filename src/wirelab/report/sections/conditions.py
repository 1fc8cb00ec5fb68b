"""The conditions of the measurement."""

from __future__ import annotations

from wirelab.model.measure import Measure
from wirelab.model.parts import Operation
from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context
from wirelab.report.document import (
    Absent,
    Block,
    Callout,
    Column,
    Head,
    Paragraph,
    Plain,
    Row,
    RowGroup,
    Section,
    Table,
    WordsCell,
    cell,
    plain,
    text,
)
from wirelab.report.load import LoadText, load_text
from wirelab.report.loads import measure_of
from wirelab.report.published import Item
from wirelab.report.sections import host, own_servers
from wirelab.report.tabulate import DASH, notes_for
from wirelab.words import numbers


def conditions(context: Context, comparison: CellTable) -> Section:
    """The workload, how often it was repeated, and where; beside the study's conditions."""
    _ = context.words.gettext
    blocks: list[Block | Section] = [
        *own_servers.told(context),
        Paragraph(plain(comparison.scenario.title.of(context.language))),
        _table(context, comparison),
    ]
    if context.published is not None:
        blocks.append(
            Callout(
                "neutral",
                _("Another machine"),
                (
                    Paragraph(
                        text(
                            _(
                                "Published figures come from another machine, with its own "
                                "server, library versions and harness: {machine}. They stand "
                                "beside those measured here for orientation and are never ranked "
                                "with them."
                            ),
                            machine=context.published.machine.of(context.language),
                        )
                    ),
                ),
            )
        )
    blocks.append(host.details(context))
    return Section(_("Conditions and environment"), "conditions", tuple(blocks))


def _table(context: Context, comparison: CellTable) -> Table:
    _ = context.words.gettext
    here = told(context, comparison)
    published = (
        {item.key: item for item in context.published.conditions} if (context.published) else {}
    )
    rows = []
    for key, (label, value) in here.items():
        cells: list[Plain] = [cell(value)]
        if context.published:
            theirs = published.get(key)
            cells.append(_published(context, theirs) if theirs else Absent(DASH))
        rows.append(Row(Head(label), tuple(cells)))
    for key, item in published.items():
        if key not in here:
            theirs_only = (Absent(DASH), _published(context, item))
            rows.append(Row(Head(item.label.of(context.language)), theirs_only))
    columns = [Column(_("measured here"), align="left")]
    if context.published:
        columns.append(Column(_("published"), align="left"))
    groups = (RowGroup(tuple(rows)),)
    return Table(
        _("Conditions of this run"),
        (_("condition"),),
        tuple(columns),
        groups,
        notes_for(context, groups),
    )


def _published(context: Context, item: Item) -> Plain:
    """A condition of the study with the marks of its defects."""
    marks = context.published.marks(f"conditions.{item.key}", "") if context.published else ()
    return WordsCell((plain(item.value.of(context.language)),), marks=marks)


def told(context: Context, comparison: CellTable) -> dict[str, tuple[str, str]]:
    """Label and value of each condition, by the key a study uses for the same."""
    _ = context.words.gettext
    scenario = comparison.scenario
    load = load_text(context, scenario)
    rows = {
        "scenario": (_("scenario"), comparison.scenario_name),
        **load.conditions(),
    }
    alike: dict[str, str] = {}
    for name, operation in comparison.operations.items():
        called, words = _(name), operation_words(context, load, name, operation)
        # Spans of a request, of which there are many, are told of in one row.
        key = name if operation.record == "samples" else alike.setdefault(words, name)
        label, _words = rows.get(f"operation.{key}", ("", ""))
        rows[f"operation.{key}"] = (f"{label}, {called}" if label else called, words)
    if measure := measure_of(context, scenario):
        rows |= load.amount(measure) | {"trials": _trials(context, measure)}
        if names := measure.steps or list(scenario.steps):
            rows |= load.steps(measure, names)
    for role, service in context.result.services.items():
        named = " ".join(v for k in ("name", "version") if (v := service.get(k, "")))
        licence = service.get("licence", "")
        rows[role] = (
            _("service: {role}").format(role=context.role(role)),
            f"{named} ({licence})" if licence else named,
        )
    rows["environment"] = (_("environment"), host.one_line(context))
    bounds = scenario.bounds
    rows["rerun"] = (
        _("rerun rule"),
        _("rerun when cv of the trials' mean {operation} latency ≥ {cv} %").format(
            operation=context.words.called(bounds.cv_operation or next(iter(scenario.operations))),
            cv=f"{bounds.cv * 100:g}",
        ),
    )
    for key, value in _parameters(comparison).items():
        rows[key] = (_("parameter {key}").format(key=key), value)
    return rows


def operation_words(context: Context, load: LoadText, name: str, operation: Operation) -> str:
    """Describe one call: what it does, how often, and its deadline."""
    _ = context.words.gettext
    if operation.due == "join":
        return _("once by every user that a step adds")
    if operation.due == "step":
        return _("once by every user in every step, until it has everything the step brings")
    if operation.record == "intervals":
        return _("every one counted exactly, its times kept as histograms (HdrHistogram)")
    return load.call(name, operation)


def _trials(context: Context, measure: Measure) -> tuple[str, str]:
    """Count the trials made, and those that count."""
    _, ngettext = context.words.gettext, context.words.ngettext
    trials = ngettext("{n} trial a cell", "{n} trials a cell", measure.trials).format(
        n=measure.trials
    )
    if measure.discard:
        trials = _("{trials}, first {discard} not included (session warm-up) → n = {n}").format(
            trials=trials, discard=measure.discard, n=measure.trials - measure.discard
        )
    profile = context.result.profile
    return _("trials"), _("{trials} ({profile} profile)").format(trials=trials, profile=profile)


def _parameters(comparison: CellTable) -> dict[str, str]:
    """Parameters that all cells share; a contender's own tuning is shown with its versions."""
    first, *rest = comparison.cells
    return {
        key: numbers.duration(float(value)) if key.endswith("_ns") else str(value)
        for key, value in first.parameters.items()
        if all(other.parameters.get(key) == value for other in rest)
    }
