"""Batches as *Batch loops* of the contract has them, in exact numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

MOST_ROUNDS = 10**12
MILLISECOND = 10**6


def longer(rounds: int, took_ns: int, batch_ns: int, inputs: int) -> int:
    """Rounds of the batch after one that was too short."""
    wanted = rounds * min(Fraction(10), Fraction(21 * batch_ns, 20 * max(1, took_ns)))
    # Doubles must come to the same: what they might round to another whole number is no vector.
    assert wanted.denominator == 1 or abs(wanted - round(wanted)) > Fraction(1, 10**6)
    most = max(rounds + 1, -(-wanted.numerator // wanted.denominator))
    if most > inputs:
        most = -(-most // inputs) * inputs
    return min(most, MOST_ROUNDS)


def agree(per_round: Sequence[Fraction], within: Fraction) -> bool:
    """Whether the last three took the same."""
    if len(per_round) < 3:
        return False
    least, median, most = sorted(per_round[-3:])
    return most - median <= within * median and median - least <= within * median


def taken(plan: dict[str, Any], inputs: int, cost_ns: Sequence[int]) -> list[tuple[str, int]]:
    """The batches of a loop: phase and rounds of each."""
    found: list[tuple[str, int]] = []
    now = 0

    def batch(phase: str, rounds: int) -> int:
        nonlocal now
        took_ns = rounds * cost_ns[min(len(found), len(cost_ns) - 1)]
        found.append((phase, rounds))
        now += took_ns
        return took_ns

    rounds = plan["rounds"]
    if rounds == 0:
        rounds = 1
        while (took_ns := batch("warmup", rounds)) < plan["batch_ns"] and rounds < MOST_ROUNDS:
            rounds = longer(rounds, took_ns, plan["batch_ns"], inputs)
        per_round: list[Fraction] = []
        within = Fraction(str(plan["agree"]))
        while rounds < MOST_ROUNDS and now < plan["warmup_ns"] and not agree(per_round, within):
            took_ns = batch("warmup", rounds)
            per_round.append(Fraction(took_ns, rounds))
            if took_ns < plan["batch_ns"]:
                rounds = longer(rounds, took_ns, plan["batch_ns"], inputs)
    for _ in range(plan["count"]):
        batch("measure", rounds)
    return found


def case(name: str, inputs: int, cost_ns: list[int], **changes: Any) -> dict[str, Any]:
    """A plan, what a round of each batch costs, and the batches that follow."""
    plan = {
        "rounds": 0,
        "batch_ns": MILLISECOND,
        "count": 3,
        "warmup_ns": 100 * MILLISECOND,
        "agree": 0.02,
    } | changes
    expected = taken(plan, inputs, cost_ns)
    return {
        "name": name,
        "plan": plan,
        "inputs": inputs,
        "cost_ns": cost_ns,
        "batches": expected,
    }


def batches() -> dict[str, Any]:
    """What ``batches.json`` holds."""
    faster = [max(13, 1007 - 100 * batch) for batch in range(12)]
    return {
        "loops": [
            case("a round costs the same throughout", 16, [7]),
            case("the code becomes faster", 16, faster),
            case("nothing agrees until the time is over", 16, [101, 137] * 60),
            case("the third is just too far away", 1, [107] * 7 + [110, 107, 103, 107]),
            case("calibrating takes all the time there is", 16, [7], warmup_ns=1),
            case("fewer rounds than inputs", 1000, [9973]),
            case("one round is longer than a batch", 16, [3 * MILLISECOND]),
            case("a loop that was deleted takes no time", 16, [0]),
            case("rounds are given", 16, [7], rounds=7),
        ]
    }
