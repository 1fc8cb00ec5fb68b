"""Operations of which the witness of the wire cannot speak."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Concern, Gate, TypedFinding
from wirelab.gates.loads import ORDINARY
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words.translation import N_, Words


class UnseenOperations(Strict):
    """One trial: good operations that nobody can speak of, and why."""

    failure: str = ""
    unseen: int = 0
    dropped: int = 0
    encrypted: bool = False


class Unwitnessed(Strict):
    """By trial."""

    trials: dict[str, UnseenOperations]


def _check(cell: CellFacts) -> Iterator[TypedFinding[Unwitnessed]]:
    """Trials that were to be witnessed and were not, and operations in times in which packets were
    lost, the time of day was set, or messages were encrypted or compressed: a remark. They accuse
    nobody.
    """
    silent: dict[str, UnseenOperations] = {}
    for trial in cell.trials:
        witness = trial.record.witness
        if witness is None:
            continue
        unseen = sum(wire.unseen for wire in trial.wire.values())
        if witness.failure or unseen:
            silent[trial.id] = UnseenOperations(
                failure=witness.failure,
                unseen=unseen,
                dropped=witness.dropped,
                encrypted=any(wire.encrypted for wire in trial.wire.values()),
            )
    if silent:
        yield TypedFinding(Verdict.VALID, Unwitnessed(trials=silent), list(silent))


def _lines(evidence: Unwitnessed, words: Words) -> list[str]:
    return [_in_words(trial, of, words) for trial, of in evidence.trials.items()]


def _in_words(trial: str, of: UnseenOperations, words: Words) -> str:
    if of.failure:
        return f"{trial}: {of.failure}"
    if of.encrypted:
        said = words.gettext(
            "{trial}: {unseen} operations, whose messages are encrypted or compressed"
        )
    else:
        said = words.gettext("{trial}: {unseen} operations; the kernel dropped {dropped} packets")
    return said.format(trial=trial, unseen=f"{of.unseen:,}", dropped=f"{of.dropped:,}")


GATE = Gate(
    code="unwitnessed",
    title=N_("nobody looked at the wire"),
    meaning=N_("Of these operations it rests on the contender's word that they were asked for."),
    remedy=N_(
        "Install bubblewrap, or grant the right to capture packets by the command that the run "
        "shows when it begins."
    ),
    looks_at="whether the witness of the wire looked, and lost nothing",
    verdicts={Verdict.VALID: "it did not, or not always"},
    loads=ORDINARY,
    blames=(),
    concerns=Concern.NOTHING,
    check=_check,
    evidence=Unwitnessed,
    lines=_lines,
)
