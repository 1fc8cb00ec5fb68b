"""Under which conditions was measured."""

from __future__ import annotations

from typing import assert_never

from wirelab.model.load import Closed, Microbenchmark, Open, Paced
from wirelab.model.measure import Measure
from wirelab.model.parts import Operation
from wirelab.model.scenario import Scenario
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
from wirelab.report.loads import measure_of, period_seconds
from wirelab.report.published import Item
from wirelab.report.sections import host, own_servers
from wirelab.report.tabulate import DASH, notes_for
from wirelab.words import numbers


def conditions(context: Context, comparison: CellTable) -> Section:
    """The workload, how often it was repeated, and where; beside the source's conditions."""
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
                                "Published figures come from another machine ({machine}), with "
                                "its own server, library versions and harness. They are shown "
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
    """A condition of the source with the marks of its defects."""
    marks = context.published.marks(f"conditions.{item.key}", "") if context.published else ()
    return WordsCell((plain(item.value.of(context.language)),), marks=marks)


def told(context: Context, comparison: CellTable) -> dict[str, tuple[str, str]]:
    """Label and value of each condition, by the key a source uses for the same."""
    _ = context.words.gettext
    scenario = comparison.scenario
    rows = {
        "scenario": (_("scenario"), comparison.scenario_name),
        "loop": (_("loop"), loop_words(context, scenario)),
    }
    if scenario.is_scheduled:
        rows["period"] = (_("tick period"), numbers.duration(scenario.period))
    alike: dict[str, str] = {}
    for name, operation in comparison.operations.items():
        called, words = _(name), operation_words(context, comparison, name, operation)
        # Stages of a request, of which there are many, are told of in one row.
        key = name if operation.record == "samples" else alike.setdefault(words, name)
        label, _words = rows.get(f"operation.{key}", ("", ""))
        rows[f"operation.{key}"] = (f"{label}, {called}" if label else called, words)
    rows |= _amount(context, comparison)
    if measure := measure_of(context, scenario):
        rows |= _steps(context, comparison, measure)
    for role, program in context.result.programs.items():
        named = " ".join(v for k in ("name", "version") if (v := program.get(k, "")))
        licence = program.get("licence", "")
        rows[role] = (
            _("neutral program: {role}").format(role=context.role(role)),
            f"{named} ({licence})" if licence else named,
        )
    rows["environment"] = (_("environment"), host.one_line(context))
    bounds = scenario.bounds
    rows["rerun"] = (
        _("rerun rule"),
        _("rerun when cv of the trials' mean {operation} latency ≥ {cv} %").format(
            operation=bounds.cv_operation or next(iter(scenario.operations)),
            cv=f"{bounds.cv * 100:g}",
        ),
    )
    for key, value in _parameters(comparison).items():
        rows[key] = (_("parameter {key}").format(key=key), value)
    return rows


def loop_words(context: Context, scenario: Scenario) -> str:
    """How calls follow each other, in a sentence."""
    _ = context.words.gettext
    match scenario.played:
        case Paced():
            return _("paced: absolute intended times, one call of a kind at a time")
        case Open():
            return _("open: absolute intended times, calls never wait for each other")
        case Closed() | Microbenchmark():
            return _(
                "closed: the next call starts when the last one ended, so that a slow answer thins "
                "out the load and hides its own queue (coordinated omission)"
            )
    assert_never(scenario.played)


def operation_words(
    context: Context, comparison: CellTable, name: str, operation: Operation
) -> str:
    """What one call does, how often, and by when it must be done."""
    _ = context.words.gettext
    if operation.due == "join":
        return _("once by every user, while a step adds it")
    if operation.due == "step":
        return _("once by every user in every step, until it has everything the step brings")
    if operation.record == "intervals":
        return _("every one counted exactly, its times kept as histograms (HdrHistogram)")
    every = (
        _("every tick") if operation.every == 1 else _("every {n} ticks").format(n=operation.every)
    )
    if not comparison.scenario.is_scheduled:
        each = _("{items} by every sending user, {every}, one after the other")
        return each.format(items=context.items(operation), every=every)
    template = (
        _("{items} by every sending user, {every} ({rate} Hz)")
        if comparison.scenario.steps
        else _("{items} in one call, {every} ({rate} Hz)")
    )
    said = template.format(
        items=context.items(operation),
        every=every,
        rate=f"{1 / period_seconds(comparison.scenario, name):.6g}",
    )
    if operation.deadline is None:
        return said
    deadline = numbers.duration(operation.deadline)
    return _("{call}; deadline {deadline}").format(call=said, deadline=deadline)


def _amount(context: Context, comparison: CellTable) -> dict[str, tuple[str, str]]:
    """How much was measured: ticks, warm-up, trials."""
    _, ngettext = context.words.gettext, context.words.ngettext
    measure = measure_of(context, comparison.scenario)
    if measure is None:
        return {}
    closed = not comparison.scenario.is_scheduled
    seconds = measure.count * comparison.scenario.period / 1e9
    counted = measure.trials - measure.discard
    trials = ngettext("{n} trial a cell", "{n} trials a cell", measure.trials).format(
        n=measure.trials
    )
    if measure.discard:
        trials = _("{trials}, first {discard} not counted (session warm-up) → n = {n}").format(
            trials=trials, discard=measure.discard, n=counted
        )
    rounds = {
        "duration": (_("duration"), _("as long as the work takes")),
        "warmup": (
            _("left out of each step"),
            _("connecting, and the first {settle} ticks of every user").format(
                settle=_settling(comparison.scenario, measure)
            ),
        ),
    }
    ticks = {
        "duration": (
            _("duration"),
            _("{seconds} s a trial ({ticks} ticks)").format(
                seconds=f"{seconds:g}", ticks=f"{measure.count:,}"
            ),
        ),
        "warmup": (
            _("warm-up"),
            _("first {warmup} ticks left out → {left} ticks analysed").format(
                warmup=measure.warmup, left=f"{measure.count - measure.warmup:,}"
            ),
        ),
    }
    return {
        **(rounds if closed else ticks),
        "trials": (
            _("trials"),
            _("{trials} ({profile} profile)").format(trials=trials, profile=context.result.profile),
        ),
    }


def _settling(scenario: Scenario, measure: Measure) -> str:
    """Ticks left out at the start of each step; from the fewest to the most where they differ."""
    own = [scenario.steps[name].settle for name in measure.steps or scenario.steps]
    known = sorted({measure.settle if settle is None else settle for settle in own}) or [0]
    return f"{known[0]:,}" if len(known) == 1 else f"{known[0]:,}–{known[-1]:,}"


def _steps(context: Context, comparison: CellTable, measure: Measure) -> dict[str, tuple[str, str]]:
    """The steps that were carried out, how long each is, and what is left out of it."""
    _ = context.words.gettext
    scenario = comparison.scenario
    names = measure.steps or list(scenario.steps)
    if not names:
        return {}
    titles = " → ".join(scenario.steps[name].title.of(context.language) for name in names)
    if not scenario.is_scheduled:
        return {"steps": (_("steps"), titles)}
    ticks = measure.count // len(names)
    settle = measure.settle * scenario.period
    rows = {
        "steps": (
            _("steps"),
            _("{titles}; {length} each").format(
                titles=titles, length=numbers.duration(ticks * scenario.period)
            ),
        ),
        "warmup": (
            _("left out of each step"),
            _("the first {settle}, in which added users join").format(
                settle=numbers.duration(settle)
            )
            if settle
            else _("nothing"),
        ),
    }
    if scenario.cycle.active < scenario.cycle.length:
        whole, active = (
            numbers.duration(n * scenario.period)
            for n in (scenario.cycle.length, scenario.cycle.active)
        )
        rows["cycle"] = (
            _("rhythm of a sender"),
            _("{active} of every {whole}, each sender at a time of its own").format(
                active=active, whole=whole
            ),
        )
    return rows


def _parameters(comparison: CellTable) -> dict[str, str]:
    """Parameters that all cells share; a contender's own tuning is shown with its versions."""
    first, *rest = comparison.cells
    return {
        key: numbers.duration(float(value)) if key.endswith("_ns") else str(value)
        for key, value in first.parameters.items()
        if all(other.parameters.get(key) == value for other in rest)
    }
