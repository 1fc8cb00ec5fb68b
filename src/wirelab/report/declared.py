"""Answers to the statements of a study: by the rules it declares, by the suite's own, or open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial
from itertools import combinations
from typing import TypeVar

from wirelab.capacity.found import VERIFIED, bracket_of, found_of
from wirelab.model.result import Cell, Metric, Verdict
from wirelab.report import answers, claims
from wirelab.report.cell_table import CellTable
from wirelab.report.claims import Answered, NoRuleError, Rule, Side, StatementAnswer, open_because
from wirelab.report.context import Context
from wirelab.report.costs import COSTS, cost_of
from wirelab.report.document import Block, Paragraph, Text, plain
from wirelab.report.judging import (
    LESS,
    MORE,
    SAME,
    TRIALS,
    RatioBand,
    Standing,
    between,
    exact_count,
    limited,
    so_many_times,
)
from wirelab.report.published import Claim
from wirelab.report.sections.errors import OUTCOMES
from wirelab.report.sections.spikes import CAUSES
from wirelab.report.stated import (
    LAST,
    Between,
    Bounded,
    CallerViews,
    Declared,
    Differs,
    ExactCountRule,
    FigurePlace,
    Level,
    Owned,
    StandsOut,
    Times,
)
from wirelab.words import numbers

_OfFigures = TypeVar("_OfFigures", bound=FigurePlace)


def answering(context: Context, rules: Mapping[str, Rule] | None = None) -> Answered:
    """Make the function that judges every statement; ``rules`` are the suite's own, by the keys of
    statements.
    """
    return partial(_answer, context, rules or {})


def study_statements(
    context: Context,
    caption: str,
    rules: Mapping[str, Rule] | None = None,
    chapter: str = "",
    *,
    explained: bool = True,
) -> list[Block]:
    """The study's statements of a chapter with how they stand, below how they are judged; nothing
    without any in the study. ``rules`` are the suite's own, by the keys of statements."""
    told = answers.of_study(context, caption, answering(context, rules), chapter)
    return [Paragraph(plain(claims.rule_of(context))), *told] if explained and told else told


def study_tally(context: Context, rules: Mapping[str, Rule] | None = None) -> Text | None:
    """Count all statements of the study by their judgement, in a sentence; None without any."""
    return claims.tally_of_study(context, answering(context, rules))


def _answer(context: Context, rules: Mapping[str, Rule], claim: Claim) -> StatementAnswer:
    if claim.open is not None:
        return open_because(claim.open.of(context.language))
    if claim.rules:
        return claims.all_of([judge(context, rule) for rule in claim.rules])
    if (rule := rules.get(claim.key)) is None:
        raise NoRuleError(
            f"published.toml: claim {claim.key} has neither rules nor a reason to stay open, and "
            "the suite's report has no rule for it"
        )
    return rule()


def judge(context: Context, rule: Declared) -> StatementAnswer:
    """Judge one declared rule."""
    if isinstance(rule, Owned):
        return claims.all_of([_cheaper(context, rule, *pair) for pair in _pairs(rule)])
    if isinstance(rule, CallerViews):
        return claims.all_of([_seen(context, rule, name) for name in rule.contenders])
    if isinstance(rule, StandsOut):
        return claims.all_of([_stands_out(context, rule, name) for name in rule.contenders])
    decides = _in_the_scenario_that_was_run(context, rule)
    steps = _steps(context, decides)
    if not steps:
        return open_because(_not_run(context, rule))
    answer = claims.all_of([_at(context, decides, step) for step in steps])
    return claims.decided_in(_table(context, decides), answer) if rule.otherwise else answer


def _at(context: Context, rule: Declared, step: str) -> StatementAnswer:
    """The rule at one step."""
    match rule:
        case Differs():
            pairs, band = _pairs(rule), MORE if rule.kind == "more" else LESS
        case Level():
            pairs, band = combinations(rule.contenders, 2), SAME
        case Times():
            pairs, band = iter([(rule.left, rule.right)]), so_many_times(rule.times)
        case Between():
            pairs, band = iter([(rule.left, rule.right)]), between(rule.low, rule.high)
        case Bounded() | ExactCountRule():
            told = [_of_one(context, rule, name, step) for name in rule.contenders]
            return claims.all_of(told)
        case _:
            raise TypeError(f"no such rule: {rule}")
    return claims.all_of([_differ(context, rule, pair, step, band) for pair in pairs])


def _pairs(rule: Differs | Owned) -> Iterator[tuple[str, str]]:
    return ((left, right) for left in rule.left for right in rule.right)


def _differ(
    context: Context, rule: FigurePlace, pair: tuple[str, str], step: str, band: RatioBand
) -> StatementAnswer:
    left, right = (_side(context, rule, name, step) for name in pair)
    for name, (_who, cell) in zip(pair, (left, right), strict=True):
        if cell is None:
            return open_because(_titled(context, rule, step, _absent(context, rule, name)))
    answer = claims.differ(context, rule.metric, left, right, band)
    return StatementAnswer(answer.stand, _titled(context, rule, step, answer.grounds))


def _of_one(
    context: Context, rule: Bounded | ExactCountRule, name: str, step: str
) -> StatementAnswer:
    """A figure against a limit, or an exact count against none."""
    who, cell = _side(context, rule, name, step)
    if cell is None:
        return open_because(_titled(context, rule, step, _absent(context, rule, name)))
    if (why := claims.unfit(context, cell, rule.metric)) is not None:
        return open_because(_titled(context, rule, step, f"{who}: {why}"))
    found = cell.metrics[rule.metric]
    said = f"{context.naming.title(rule.metric)}: {who} {claims.shown(found)}"
    if isinstance(rule, Bounded) and rule.metric == VERIFIED:
        stand = _stand_of_capacity(rule, cell)
    else:
        stand = _stand_of_one(rule, found)
    return StatementAnswer(stand, _titled(context, rule, step, said))


def _stand_of_capacity(rule: Bounded, cell: Cell) -> Standing:
    """One search is enough: a load that held is held, and its bracket is an interval."""
    searched = found_of(cell)
    bracket = None if searched is None else bracket_of(searched)
    if bracket is None or bracket[0] <= rule.limit < bracket[1]:
        return Standing.OPEN
    is_above = bracket[0] > rule.limit
    return Standing.SUPPORTED if is_above == (rule.kind == "above") else Standing.CONTRADICTED


def _stand_of_one(rule: Bounded | ExactCountRule, found: Metric) -> Standing:
    if isinstance(rule, ExactCountRule):
        return exact_count(found, none=rule.kind == "none")
    return limited(found, rule.limit, below=rule.kind == "below")


def _seen(context: Context, rule: CallerViews, said: str) -> StatementAnswer:
    """An outcome is exact, as a count is: two trials at least."""
    _ = context.words.gettext
    name = _here(context, said)
    found = _table(context, rule).cell(name)
    who = claims.named(context, name)
    if found is None or not found.caller:
        return open_because(_absent(context, rule, said))
    outcomes = Counter(view.outcome for view in found.caller)
    told = ", ".join(f"{_(OUTCOMES[outcome][0])} {n}" for outcome, n in outcomes.items())
    stand = Standing.SUPPORTED if set(outcomes) == {rule.outcome} else Standing.CONTRADICTED
    return StatementAnswer(
        stand if len(found.caller) >= TRIALS else Standing.OPEN, f"{who}: {told}"
    )


def _stands_out(context: Context, rule: StandsOut, said: str) -> StatementAnswer:
    """Supported where a cause stands out; open otherwise: what was not seen may have been too
    seldom, or placed too loosely."""
    _ = context.words.gettext
    name = _here(context, said)
    who = claims.named(context, name)
    found = _table(context, rule).cell(name)
    if found is not None and found.verdict is Verdict.INVALID:
        return open_because(f"{who}: {_('invalid')}")
    spikes = None if found is None else found.spikes.get(rule.operation)
    known = [] if spikes is None else [c for c in rule.causes if c in spikes.all.coincided]
    if found is None or spikes is None or not known:
        return open_because(_absent(context, rule, said))
    told = ", ".join(
        _("{cause} with {n} of the {slowest} slowest and {share} of all").format(
            cause=_(CAUSES[cause]),
            n=spikes.slowest.coincided[cause],
            slowest=spikes.slowest.operations,
            share=numbers.percent(spikes.all.coincided[cause] / spikes.all.operations),
        )
        for cause in known
    )
    stands = any(cause in spikes.stands_out for cause in known) and len(found.trials) >= TRIALS
    return StatementAnswer(Standing.SUPPORTED if stands else Standing.OPEN, f"{who}: {told}")


def _cheaper(context: Context, rule: Owned, left: str, right: str) -> StatementAnswer:
    """Costs of owning are exact: a build has one size."""
    _ = context.words.gettext
    cost = next(cost for cost in COSTS if cost.key == rule.cost)
    names = [_here(context, name) for name in (left, right)]
    values = []
    for name in names:
        known = context.result.participants.get(name)
        value = cost_of(known, rule.cost) if known is not None else None
        if value is None:
            who = claims.named(context, name)
            return open_because(f"{who}: {_('not measured in this run')}")
        values.append(value)
    told = ", ".join(
        f"{claims.named(context, name)} {cost.shown(value)}"
        for name, value in zip(names, values, strict=True)
    )
    said = f"{_(cost.label)}: {told}"
    if values[0] == values[1]:
        return StatementAnswer(Standing.NO_DIFFERENCE, said)
    return StatementAnswer(
        Standing.SUPPORTED if values[0] < values[1] else Standing.CONTRADICTED, said
    )


# ------------------------------------------------------------------------------ finding cells


def _table(context: Context, rule: FigurePlace | CallerViews | StandsOut) -> CellTable:
    """The cells the rule is about: those of the suite's own load."""
    return CellTable.of(context, rule.scenario, variant=rule.variant)


def _in_the_scenario_that_was_run(context: Context, rule: _OfFigures) -> _OfFigures:
    """The rule itself, or as it is of the scenario that takes the place of its own."""
    found = CellTable.first_of(context, rule.scenario, rule.otherwise, variant=rule.variant)
    return rule.model_copy(update={"scenario": found.scenario_name}) if found else rule


def _steps(context: Context, rule: FigurePlace) -> Sequence[str]:
    """The steps that the rule asks of; none where they were not run."""
    here = _table(context, rule)
    if not here:
        return []
    if rule.step == LAST:
        return here.steps[-1:]
    return [name for name in here.steps if fnmatchcase(name, rule.step)] if rule.step else [""]


def _side(context: Context, rule: FigurePlace, said: str, step: str) -> Side:
    """A contender by the suite's name or the study's, at the step its name may carry."""
    name, _at_sign, own = said.partition("@")
    here = _here(context, name)
    cell = _table(context, rule).cell(here, own or step)
    known = context.result.scenarios.get(rule.scenario)
    at = known.steps.get(own) if known else None
    titled = f" ({at.title.of(context.language)})" if at else ""
    return claims.named(context, here) + titled, cell


def _here(context: Context, name: str) -> str:
    """The contender of the suite that stands for one of the study's; without any, its key."""
    return context.stand_ins.get(name) or name


def _absent(context: Context, rule: FigurePlace | CallerViews | StandsOut, said: str) -> str:
    """A contender without figures, with the command of the scenario that would have them."""
    name, _at_sign, _own = said.partition("@")
    return claims.absent(context, rule.scenario, _here(context, name))


def _titled(context: Context, rule: FigurePlace, step: str, said: str) -> str:
    """With the step before it where there are several to be asked of."""
    found = context.result.scenarios[rule.scenario].steps.get(step)
    if found is None:
        return said
    return f"{found.title.of(context.language)}: {said}"


def _not_run(context: Context, rule: FigurePlace) -> str:
    said = context.words.gettext("not run this time: ./wl run {suite} --scenario {scenario}")
    return said.format(suite=context.result.suite, scenario=rule.scenario)
