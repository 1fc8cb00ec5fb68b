"""Two servers in the blocks of one run: are they told apart, and which way round?"""

from __future__ import annotations

from dataclasses import dataclass

from wirelab.bench.truth import runs
from wirelab.bench.truth.loads import STEP
from wirelab.bench.truth.part import Row, TruthPlaces
from wirelab.bench.truth.runs import AskedRun, Finished
from wirelab.model.result import Metric
from wirelab.stats.by_block import log_ratios
from wirelab.stats.ratio import within_blocks

METRIC = "request.response.p50"
_SCENARIO = "twins"
_TRIAL_MINUTES = 5.5 / 60
"""Three seconds that count, one of settling, and what a trial takes beside."""


@dataclass(frozen=True)
class ComparedTwo:
    """A contender, and the one that is compared with it."""

    base: str
    other: str

    @staticmethod
    def minutes(blocks: int) -> float:
        """Estimate the minutes that a run takes."""
        return 2 * blocks * _TRIAL_MINUTES

    def carried_out(
        self, blocks: int | None, where: TruthPlaces, name: str, host: str, number: int
    ) -> Finished:
        """A run of so many blocks; None: as few as show that it works."""
        profile = "smoke" if where.profile == "smoke" else "publish"
        # Each run has an order and bursts of its own.
        names, seed = [self.base, self.other], where.seed + number
        asked = AskedRun(_SCENARIO, names, profile, seed, trials=blocks)
        return runs.carried_out(asked, where, name, host)

    def metrics(self, finished: Finished) -> tuple[Metric, Metric] | None:
        """Give both metrics in the order in which they stand here; None where one may not be
        compared.
        """
        cells = [finished.cell(name, STEP) for name in (self.base, self.other)]
        found = [cell.metrics.get(METRIC) for cell in cells]
        base, other = (one if one is not None and one.is_usable else None for one in found)
        return None if base is None or other is None else (base, other)


def compared(finished: Finished, twins: ComparedTwo) -> Row:
    """The ratio of the other to the base over the blocks of a run, and what wirelab makes of it.

    ``apart``: their ranks differ; ``slower``: the other's is the worse one.
    """
    both = twins.metrics(finished)
    found = within_blocks(both[1], both[0]) if both is not None else None
    if both is None or found is None:
        return {"ratio": None, "apart": None, "without_1": None, "slower": None}
    base, other = (
        finished.cell(name, STEP).ranks.get(METRIC) for name in (twins.base, twins.other)
    )
    ranked = base is not None and other is not None
    return {
        "ratio": found.value,
        "low": found.low,
        "high": found.high,
        "blocks": len(log_ratios(both[1], both[0])),
        "apart": ranked and base != other,
        "without_1": not found.low <= 1 <= found.high,
        "slower": base is not None and other is not None and other > base,
    }
