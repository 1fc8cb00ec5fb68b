"""Statements of the study, each beside what this run has to say of it.

A rule looks at the figures of a run and answers; it answers "undecided" wherever a figure is
missing, comes from an invalid cell, or cannot decide. Nothing is said that no figure carries. A
rule is declared with the statement in ``published.toml``, or is a function of the suite's where no
declared kind says it; both judge by ``wirelab.report.judging``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from wirelab.capacity.found import VERIFIED
from wirelab.capacity.found import shown_worse as bracket_shown_worse
from wirelab.gates import loss_or_error
from wirelab.model.mistake import MistakeError
from wirelab.model.result import Cell, Metric, Verdict
from wirelab.report import figures
from wirelab.report.cell_table import CellTable
from wirelab.report.context import Context
from wirelab.report.document import Text, text
from wirelab.report.judging import LESS, MORE, RatioBand, Standing, compared, whole
from wirelab.report.published import Claim
from wirelab.report.ratios import times
from wirelab.stats.ratio import ratio
from wirelab.words import numbers


class NoRuleError(MistakeError):
    """A statement of a study that nothing decides, and that does not say why."""


@dataclass(frozen=True)
class StatementAnswer:
    """Judgement on a statement, with the figures it rests on, a line each.

    ``decisive`` is the one of them that a table shows; the first where it is empty.
    """

    stand: Standing
    grounds: str
    decisive: str = ""

    def brief(self) -> str:
        """One line: the decisive one, and what it announces where it ends with a colon."""
        lines = self.grounds.splitlines() or [""]
        line = self.decisive or lines[0]
        return f"{line} {lines[1]}" if line.endswith(":") and lines[1:] else line


def open_because(reason: str) -> StatementAnswer:
    """No figure of this run decides."""
    return StatementAnswer(Standing.OPEN, reason)


Rule = Callable[[], StatementAnswer]
Answered = Callable[[Claim], StatementAnswer]
"""A function that judges a statement; ``wirelab.report.declared`` makes it."""


def rule_of(context: Context) -> str:
    """Describe how statements are judged, for the text above them."""
    return context.words.gettext(
        "A statement is supported or contradicted where the whole 95 % interval of the ratio of "
        "two valid figures says so. “No difference” needs all of it within 5 %, a stated size all "
        "of it within 5 % of that size, and an exact count two trials. Everything else is "
        "undecided."
    )


def tally(answers: Sequence[StatementAnswer]) -> Mapping[Standing, int]:
    """Count the statements by their judgement."""
    return {stand: sum(answer.stand is stand for answer in answers) for stand in Standing}


def tally_of_study(context: Context, answered: Answered) -> Text | None:
    """Count the study's statements by their judgement, in a sentence; None without any."""
    if context.published is None or not context.published.claims:
        return None
    _ = context.words.gettext
    answers = [answered(claim) for claim in context.published.claims]
    counts = "; ".join(
        _("{n} {standing}").format(n=n, standing=_(stand.word))
        for stand, n in tally(answers).items()
        if n
    )
    return text(_("Of the study's {n} statements: {counts}."), n=len(answers), counts=counts)


# ------------------------------------------------------------------------- comparing two cells


@dataclass(frozen=True)
class ComparedPair:
    """Two contenders in a comparison, of which the study says that the first has less (or more)
    of a metric than the second."""

    metric: str
    left: str
    right: str
    more: bool = False


def asked(context: Context, part: CellTable, question: ComparedPair) -> StatementAnswer:
    """Whether the ratio of the two figures bears the statement out; its interval decides."""
    for name in (question.left, question.right):
        if part.cell(name) is None:
            return open_because(absent(context, part.scenario_name, name))
    left, right = (
        (named(context, name), part.cell(name)) for name in (question.left, question.right)
    )
    return differ(context, question.metric, left, right, MORE if question.more else LESS)


def absent(context: Context, scenario: str, contender: str) -> str:
    """A contender without a cell in a scenario, and the command that measures it where one can."""
    said = f"{named(context, contender)}: {context.words.gettext('not measured in this run')}"
    known = context.result.participants.get(contender)
    if (known and known.unavailable) or not context.stand_ins.get(contender, contender):
        return said
    return f"{said}: ./wl run {context.result.suite} --scenario {scenario}"


Side = tuple[str, Cell | None]
"""Name of a contender, and its cell where it has one."""


def differ(
    context: Context, metric: str, left: Side, right: Side, band: RatioBand
) -> StatementAnswer:
    """Whether the ratio of a metric of two cells lies in the band that a statement allows."""
    _ = context.words.gettext
    for name, cell in (left, right):
        if (why := unusable(context, cell, metric)) is not None:
            return open_because(f"{name}: {why}")
    (one, here), (other, there) = left, right
    if here is None or there is None:
        return open_because(_("not measured in this run"))
    own, base = here.metrics[metric], there.metrics[metric]
    said = _("{metric}: {left} {a}, {right} {b}").format(
        metric=context.naming.title(metric),
        left=one,
        right=other,
        a=shown(own),
        b=shown(base),
    )
    if metric == VERIFIED:
        return StatementAnswer(_by_brackets(here, there, band), said)
    return judged(context, said, own, base, band)


def judged(
    context: Context, said: str, left: Metric, right: Metric, band: RatioBand
) -> StatementAnswer:
    """The stand of two figures and the words for it: their ratio, and what was stated."""
    _ = context.words.gettext
    stand = compared(left, right, band)
    apart = ratio(left, right)
    if apart is None and stand is Standing.OPEN:
        return open_because(_("{figures}; no interval bounds their ratio").format(figures=said))
    said += f"; {times(context, apart)}" if apart is not None else ""
    return StatementAnswer(stand, said + sized(context, band))


def sized(context: Context, band: RatioBand) -> str:
    """Describe the size of a difference in a statement; empty where the statement names none."""
    _ = context.words.gettext
    if band.size and band.stated is not None:
        return "; " + _("stated: {n} times").format(n=numbers.brief(band.stated))
    if band.size and math.isfinite(band.high):
        low, high = numbers.brief(band.low), numbers.brief(band.high)
        return "; " + _("stated: {low} to {high} times").format(low=low, high=high)
    return ""


def _by_brackets(here: Cell, there: Cell, band: RatioBand) -> Standing:
    """Compare capacities: brackets that overlap tell nothing apart."""
    more, less = bracket_shown_worse(there, here), bracket_shown_worse(here, there)
    if not more and not less:
        return Standing.OPEN
    borne_out = (more and band == MORE) or (less and band == LESS)
    return Standing.SUPPORTED if borne_out else Standing.CONTRADICTED


def all_of(answers: Sequence[StatementAnswer]) -> StatementAnswer:
    """One statement that several figures have to bear out: any against it, or any that is open,
    decides the whole."""
    lines = dict.fromkeys(line for answer in answers for line in answer.grounds.splitlines())
    stand = whole(answer.stand for answer in answers)
    decisive = next((a.brief() for a in answers if a.stand is stand), "")
    return StatementAnswer(stand, "\n".join(lines), decisive)


def decided_in(table: CellTable, answer: StatementAnswer) -> StatementAnswer:
    """The answer with the scenario of the table before its grounds: the reader has to know which
    one has decided, where it could have been another.
    """
    title = table.scenario.title.of(table.context.language)
    decisive = f"{title}: {answer.decisive}" if answer.decisive else ""
    return StatementAnswer(answer.stand, f"{title}: {answer.grounds}", decisive)


def unusable(context: Context, cell: Cell | None, metric: str) -> str | None:
    """The reason why a figure may not be used; None when it may."""
    _ = context.words.gettext
    if cell is None:
        return _("not measured in this run")
    found = cell.metrics.get(metric)
    if found is not None and found.verdict is Verdict.INVALID:
        return _("invalid ({gates})").format(gates=", ".join(found.gates))
    if found is None or found.value is None:
        return _("no figure of {metric}").format(metric=context.naming.title(metric))
    if found.at_least:
        return _("of {metric} only a lower bound is known").format(
            metric=context.naming.title(metric)
        )
    return None


_COUNTED_ALONE = frozenset({loss_or_error.GATE.code})
"""A count that is invalid for losses or errors alone is good evidence of these."""


_COUNTS = re.compile(r".*\.(loss|error|drop)\.(count|ratio)")


def unfit(context: Context, cell: Cell | None, metric: str) -> str | None:
    """The reason why a cell's metric may not be used, a figure or an exact count of what failed."""
    asked = uncountable if _COUNTS.fullmatch(metric) else unusable
    return asked(context, cell, metric)


def uncountable(context: Context, cell: Cell | None, metric: str) -> str | None:
    """The reason why an exact count may not be used; None when it may."""
    found = cell.metrics.get(metric) if cell else None
    if found is not None and found.value is not None and {*found.gates} <= _COUNTED_ALONE:
        return None
    return unusable(context, cell, metric)


def named(context: Context, contender: str) -> str:
    """Name of a contender: the study's name where it did not take part, else its own."""
    if contender in context.result.participants:
        return context.name(contender)
    if (published := context.published) is None:
        return contender
    known = published.contenders.get(context.key_of(contender) or contender)
    return known.title.of(context.language) if known else contender


def shown(metric: Metric) -> str:
    """A figure with its interval and unit, for a sentence."""
    figure = figures.figure(metric)
    unit = "" if metric.unit == "count" else metric.unit
    return "\u00a0".join(part for part in (figure.number, figure.interval, unit) if part)
