"""Answers that were cheap because they held less than was asked for."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import MEASURED, LoadKind
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words.translation import N_, Words


class Sizes(Strict):
    """Records compared, those of another size, and what sizes sum up to."""

    compared: int
    unlike: int
    recorded: int
    expected: int


class UnlikeSizes(Strict):
    """By operation: sizes that are not those of the data."""

    operations: dict[str, Sizes]


def _check(cell: CellFacts) -> Iterator[TypedFinding[UnlikeSizes]]:
    """Good records whose size is not what the suite's data ask for: invalid.

    A key that is not found costs less than one that is, and a short answer less than a long one.
    """
    operations: dict[str, dict[str, int]] = {}
    trials = []
    for trial in cell.trials:
        for name, sized in trial.record.sized.items():
            if sized.unlike:
                total = operations.setdefault(name, {})
                for key, value in sized.model_dump().items():
                    total[key] = total.get(key, 0) + value
                trials.append(trial.id)
    if operations:
        sizes = {name: Sizes(**total) for name, total in operations.items()}
        yield TypedFinding(
            Verdict.INVALID, UnlikeSizes(operations=sizes), list(dict.fromkeys(trials))
        )


def _lines(evidence: UnlikeSizes, words: Words) -> list[str]:
    template = words.gettext(
        "{operation}: {unlike} of {compared} sizes differ, {recorded} in all instead of {expected}"
    )
    return [
        template.format(
            operation=name,
            unlike=f"{of.unlike:,}",
            compared=f"{of.compared:,}",
            recorded=f"{of.recorded:,}",
            expected=f"{of.expected:,}",
        )
        for name, of in evidence.operations.items()
    ]


GATE = Gate(
    code="fast-not-found",
    title=N_("fast because nothing was found"),
    meaning=N_("Found ratio or bytes differ from what the data holds: cheap answers were timed."),
    remedy=N_("Load the data again, and check the keys the contender asks for."),
    looks_at=(
        "sizes of good records against what the suite's data ask for, at up to 5,000 ticks of a "
        "trial"
    ),
    verdicts={Verdict.INVALID: "any"},
    loads=MEASURED | {LoadKind.SEARCH},
    blames=(Blame.CONTENDER,),
    concerns=Concern.EVERYTHING,
    is_outcome=True,
    check=_check,
    evidence=UnlikeSizes,
    lines=_lines,
)
