"""Trials that were lost to the host, and whether one contender lost more of them than others."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import MEASURED
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.plan.make_up import LOST
from wirelab.stats.taken import LEVEL
from wirelab.words import numbers
from wirelab.words.translation import N_, Words


class LostOfCell(Strict):
    """Lost trials of a cell by the share of their time that others disturbed, and how often its
    contender lost one in the whole run."""

    lost: dict[str, float]
    made_up_for: int
    of_contender: int
    trials: int
    chance: float
    """Chance that a host blind to who is measured takes as many, or more."""


def _check(cell: CellFacts) -> Iterator[TypedFinding[LostOfCell]]:
    """Says which trials the host took: a remark; a warning where it takes more of this contender's
    than of the others' of the same blocks. What is left of it may then flatter it.
    """
    whole = cell.run.lost.get(cell.planned[0].contender)
    included = [planned.id for planned in cell.planned if planned.included]
    records = [cell.records[name] for name in included if name in cell.records]
    lost = {one.planned.id: round(one.disturbed or 0.0, 4) for one in records if one.lost}
    if whole is None or not (lost or whole.more_often):
        return
    evidence = LostOfCell(
        lost=lost,
        made_up_for=len(cell.made_up_for),
        of_contender=whole.lost,
        trials=whole.trials,
        chance=whole.chance,
    )
    yield TypedFinding(Verdict.WARN if whole.more_often else Verdict.VALID, evidence, list(lost))


def _lines(evidence: LostOfCell, words: Words) -> list[str]:
    _ = words.gettext
    said = []
    if evidence.lost:
        lost = _(
            "lost trials: {n}, disturbed for up to {worst} of their time; replaced by others and "
            "in no figure: {gone}"
        )
        worst = numbers.percent(max(evidence.lost.values()))
        said.append(lost.format(n=len(evidence.lost), worst=worst, gone=evidence.made_up_for))
    said.append(
        _(
            "in the whole run {lost} of {trials} trials of this contender were lost; chance alone "
            "would take at least as many with a probability of {chance}"
        ).format(
            lost=evidence.of_contender,
            trials=evidence.trials,
            chance=numbers.percent(evidence.chance),
        )
    )
    return said


GATE = Gate(
    code="lost-trials",
    title=N_("trials lost to the host"),
    meaning=N_(
        "Other programs disturbed these trials for most of their time. A lost trial is in no "
        "figure where another trial was run in its place. That is fair as long as the host alone "
        "decides which trials are lost. Where one contender loses more of them than others, the "
        "figures that remain may flatter it."
    ),
    remedy=N_(
        "Stop other programs (`./wl doctor` names them), or measure on a machine with more cores."
    ),
    looks_at=f"trials that other programs disturbed for more than {numbers.percent(LOST)} of their "
    "time, by contender",
    verdicts={
        Verdict.VALID: "any trial of the cell",
        Verdict.WARN: "more trials of this contender than of the others of the same blocks, and "
        f"than by chance ({numbers.percent(LEVEL)} divided by the number of contenders)",
    },
    loads=MEASURED,
    blames=(Blame.HOST,),
    concerns=Concern.TIMES,
    check=_check,
    evidence=LostOfCell,
    lines=_lines,
)
