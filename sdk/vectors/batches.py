"""Batches as *Batch loops* of the contract has them, in exact numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

MOST_ITERATIONS = 10**12
MILLISECOND = 10**6
QUIET_NS = 200 * MILLISECOND
MOST_TIMES = 4


def longer(iterations: int, took_ns: int, batch_ns: int, inputs: int) -> int:
    """Iterations of the batch after one that was too short."""
    wanted = iterations * min(Fraction(10), Fraction(21 * batch_ns, 20 * max(1, took_ns)))
    # Doubles must come to the same: what they might round to another whole number is no vector.
    assert wanted.denominator == 1 or abs(wanted - round(wanted)) > Fraction(1, 10**6)
    most = max(iterations + 1, -(-wanted.numerator // wanted.denominator))
    if most > inputs:
        most = -(-most // inputs) * inputs
    return min(most, MOST_ITERATIONS)


def agree(per_iteration: Sequence[Fraction], within: Fraction) -> bool:
    """Whether the last three took the same."""
    if len(per_iteration) < 3:
        return False
    least, median, most = sorted(per_iteration[-3:])
    return most - median <= within * median and median - least <= within * median


def taken(
    plan: dict[str, Any], inputs: int, cost_ns: Sequence[int], *, audited: bool = False
) -> list[tuple[str, int]]:
    """The batches of a loop: phase and iterations of each."""
    found: list[tuple[str, int]] = []
    now = 0

    def batch(phase: str, iterations: int) -> int:
        nonlocal now
        took_ns = iterations * cost_ns[min(len(found), len(cost_ns) - 1)]
        found.append((phase, iterations))
        now += took_ns
        return took_ns

    iterations = plan["rounds"]
    if iterations == 0:
        iterations = 1
        while (took_ns := batch("warmup", iterations)) < plan[
            "batch_ns"
        ] and iterations < MOST_ITERATIONS:
            iterations = longer(iterations, took_ns, plan["batch_ns"], inputs)
        per_iteration: list[Fraction] = []
        within = Fraction(str(plan["agree"]))
        while (
            iterations < MOST_ITERATIONS
            and now < plan["warmup_ns"]
            and not agree(per_iteration, within)
        ):
            took_ns = batch("warmup", iterations)
            per_iteration.append(Fraction(took_ns, iterations))
            if took_ns < plan["batch_ns"]:
                iterations = longer(iterations, took_ns, plan["batch_ns"], inputs)
    for _ in range(plan["count"]):
        batch("measure", iterations)
        if audited and plan["rounds"] == 0:
            found.append(("audit", inputs))
    return found


def case(
    name: str, inputs: int, cost_ns: list[int], *, audited: bool = False, **changes: Any
) -> dict[str, Any]:
    """A plan, the cost of an iteration of each batch, whether it is audited, and what follows."""
    plan = {
        "rounds": 0,
        "batch_ns": MILLISECOND,
        "count": 3,
        "warmup_ns": 100 * MILLISECOND,
        "agree": 0.02,
    } | changes
    expected = taken(plan, inputs, cost_ns, audited=audited)
    return {
        "name": name,
        "plan": plan,
        "inputs": inputs,
        "audited": audited,
        "cost_ns": cost_ns,
        "batches": expected,
    }


def turns(
    plan: dict[str, Any], operations: Sequence[dict[str, Any]], compiling: Sequence[int]
) -> list[tuple[int, int]]:
    """The batches before any operation is timed: whose turn it is, and iterations."""
    found: list[tuple[int, int]] = []
    iterations = [1 for _ in operations]
    left = list(range(len(operations)))
    least_ns = plan["prewarm_ms"] * MILLISECOND
    now = quiet_since = 0
    while left and not (
        now >= MOST_TIMES * least_ns or (now >= least_ns and now - quiet_since >= QUIET_NS)
    ):
        for turn in list(left):
            costs = operations[turn]["cost_ns"]
            before = sum(one == turn for one, _ in found)
            took_ns = iterations[turn] * costs[min(before, len(costs) - 1)]
            found.append((turn, iterations[turn]))
            now += took_ns
            if len(found) - 1 in compiling:
                quiet_since = now
            if iterations[turn] == MOST_ITERATIONS:
                left.remove(turn)
            elif took_ns < plan["batch_ns"]:
                inputs = operations[turn]["inputs"]
                iterations[turn] = longer(iterations[turn], took_ns, plan["batch_ns"], inputs)
    return found


def prewarming(
    name: str,
    prewarm_ms: int,
    operations: Sequence[tuple[int, list[int]]],
    compiling: Sequence[int] = (),
) -> dict[str, Any]:
    """Vector of a prewarming: costs of each operation's iterations, times of a compiler, and the
    turns that follow.
    """
    plan = {"prewarm_ms": prewarm_ms, "batch_ns": 10 * MILLISECOND}
    of = [{"inputs": inputs, "cost_ns": cost_ns} for inputs, cost_ns in operations]
    return {
        "name": name,
        "plan": plan,
        "operations": of,
        "compiling": list(compiling),
        "batches": turns(plan, of, compiling),
    }


def batches() -> dict[str, Any]:
    """Content of ``batches.json``."""
    faster = [max(13, 1007 - 100 * batch) for batch in range(12)]
    three = [(16, [1007]), (1, [9973]), (1000, [53_001])]
    return {
        "loops": [
            case("an iteration costs the same throughout", 16, [7]),
            case("the code becomes faster", 16, faster),
            case("nothing agrees until the time is over", 16, [101, 137] * 60),
            case("the third is just too far away", 1, [107] * 7 + [110, 107, 103, 107]),
            case("calibrating takes all the time there is", 16, [7], warmup_ns=1),
            case("fewer iterations than inputs", 1000, [9973]),
            case("one iteration is longer than a batch", 16, [3 * MILLISECOND]),
            case("a loop that was deleted takes no time", 16, [0]),
            case("iterations are given", 16, [7], rounds=7),
            case("each batch that counts is audited", 16, [7], audited=True),
            case("nothing is audited where iterations are given", 16, [7], rounds=7, audited=True),
        ],
        "prewarmings": [
            prewarming("nothing was asked for", 0, three),
            prewarming("no compiler works", 300, three),
            prewarming("compilers rest before the time is over", 500, three, range(7)),
            prewarming("compilers rest after the time is over", 100, three, [0, 1, 2, 20]),
            prewarming("a compiler never rests", 100, three, range(60)),
            prewarming("four times as long is no time to rest", 5, three),
            prewarming("turns are not cut short", 60, [(16, [70 * MILLISECOND]), (4, faster)], [3]),
            prewarming("a loop that was deleted has no more turns", 210, [(16, [0]), (16, [1007])]),
            prewarming("all loops were deleted", 100, [(16, [0]), (1, [0])], [2]),
        ],
    }
