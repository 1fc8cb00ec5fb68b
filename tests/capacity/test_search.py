"""The search, driven by an artificial contender of a known capacity."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from wirelab.model.capacity import Outcome, Probe, Search
from wirelab.plan.goal import Goal

GOAL = Goal(lowest=10, highest=4000, width=0.05, repeats=3, most=30)

Holds = Callable[[int], bool]


def probe(load: int, number: int, outcome: Outcome, hint: float = 0.5) -> Probe:
    reason = "" if outcome == "held" else "echo.response.p99"
    return Probe(trial=f"{number:04d}-{load}", load=load, outcome=outcome, reason=reason, hint=hint)


def search(goal: Goal, ask: Callable[[int, int, bool], Probe | None]) -> Search:
    # MLRsearch takes half a second to load, which every process that collects tests would wait for.
    from wirelab.capacity import search as module

    return module.search(goal, ask)


def searched(holds: Holds, goal: Goal = GOAL, hint: Callable[[int], float] | None = None) -> Search:
    def ask(load: int, number: int, again: bool) -> Probe:
        assert isinstance(load, int)
        assert goal.lowest <= load <= goal.highest
        return probe(load, number, "held" if holds(load) else "failed", hint(load) if hint else 0.5)

    return search(goal, ask)


@pytest.mark.parametrize("capacity", [11, 20, 200, 1250, 3000, 3999])
@pytest.mark.parametrize("repeats", [1, 3])
def test_a_known_capacity_is_found_within_the_width(capacity: int, repeats: int) -> None:
    goal = Goal(lowest=10, highest=4000, width=0.05, repeats=repeats, most=30)
    found = searched(lambda load: load <= capacity, goal)
    assert found.ending == "found"
    assert found.verified is not None
    assert found.failed is not None
    assert found.verified <= capacity < found.failed
    # Both ends are rounded to whole numbers.
    assert found.failed - found.verified <= 0.05 * found.failed + 1
    assert not found.is_at_least


def test_noise_of_three_per_cent_is_borne() -> None:
    results = []
    for seed in range(100):
        noise = random.Random(seed)
        found = searched(lambda load, noise=noise: load <= 1250 * noise.gauss(1, 0.03))
        assert found.ending == "found"
        assert len(found.probes) <= 22
        results.append(found.verified or 0)
    off = [abs(found / 1250 - 1) for found in results]
    assert sum(share <= 0.07 for share in off) >= 95
    assert abs(sorted(results)[50] / 1250 - 1) <= 0.05
    assert max(off) <= 0.15


def test_a_hint_of_what_was_attained_saves_probes() -> None:
    blind = searched(lambda load: load <= 200)
    led = searched(lambda load: load <= 200, hint=lambda load: min(1.0, 200 / load))
    assert len(led.probes) < len(blind.probes)
    assert led.verified == pytest.approx(200, rel=0.05)


def test_nothing_holds() -> None:
    found = searched(lambda load: False)
    assert (found.ending, found.verified, found.failed) == ("none", None, 10)
    assert found.decisive is not None
    assert found.decisive.load == 10
    assert len(found.probes) <= 8


def test_everything_holds() -> None:
    found = searched(lambda load: True)
    assert (found.ending, found.verified, found.failed) == ("highest", 4000, None)
    assert found.is_at_least
    assert {p.load for p in found.probes} == {4000}
    assert len(found.probes) == 2  # the majority of three


def test_a_hole_below_ends_the_bracket_there() -> None:
    """Not monotone: loads that fail below others that hold. What is verified must lie below a
    load that failed, and the search must end."""
    found = searched(lambda load: load <= 2000 and not 300 <= load <= 500)
    assert found.verified is not None
    assert found.failed is not None
    assert found.verified < found.failed
    assert found.verified < 300 or 500 < found.verified <= 2000
    assert len(found.probes) <= GOAL.most


def test_coin_tosses_end_as_well() -> None:
    for seed in range(50):
        toss = random.Random(seed)
        found = searched(lambda load, toss=toss: toss.random() < 0.5)
        assert len(found.probes) <= GOAL.most
        if found.verified is not None and found.failed is not None:
            assert found.verified < found.failed


def test_probes_are_bounded_and_the_bracket_is_said_to_be_wide() -> None:
    few = Goal(lowest=10, highest=4000, width=0.05, repeats=3, most=4)
    found = searched(lambda load: load <= 1250, few)
    assert found.ending == "probes"
    assert len(found.probes) == 4
    assert found.verified is None or found.verified <= 1250
    assert found.failed is not None
    assert found.failed > 1250


def test_a_search_that_is_interrupted_says_what_is_known() -> None:
    given = [probe(4000, 0, "failed"), probe(1953, 1, "failed")]
    found = search(GOAL, lambda load, number, again: given[number] if number < len(given) else None)
    assert (found.ending, found.verified, found.failed) == ("unfinished", None, 1953)


def test_the_same_outcomes_give_the_same_search() -> None:
    noise = random.Random(5)
    first = searched(lambda load: load <= 1250 * noise.gauss(1, 0.03))
    replayed = iter(first.probes)

    def ask(load: int, number: int, again: bool) -> Probe:
        kept = next(replayed)
        assert (kept.load, number) == (load, first.probes.index(kept))
        return kept

    assert search(GOAL, ask) == first


def test_a_whole_number_is_probed_as_one_load() -> None:
    """Between 2 and 20, MLRsearch knows many loads that are the same number of users."""
    goal = Goal(lowest=2, highest=20, width=0.05, repeats=1, most=30)
    found = searched(lambda load: load <= 7, goal)
    assert (found.verified, found.failed) == (7, 8)
    loads = [p.load for p in found.probes]
    assert len(loads) == len(set(loads))


@pytest.mark.parametrize(("load", "users"), [(7.0, 7), (7.4, 7), (7.5, 8), (7.999999, 8)])
def test_a_load_is_the_nearest_whole_number(load: float, users: int) -> None:
    from wirelab.capacity.search import whole

    assert whole(load) == users


def test_who_limits_is_who_failed_most_at_the_failed_load() -> None:
    def limited(by: Outcome) -> Search:
        return search(
            GOAL,
            lambda load, number, again: probe(
                load, number, "held" if load <= 200 else by, 200 / load
            ),
        )

    contender, generator = limited("failed"), limited("generator")
    assert (contender.limited_by, contender.is_at_least) == ("contender", False)
    assert (generator.limited_by, generator.is_at_least) == ("generator", True)
    assert generator.verified == contender.verified
    assert generator.decisive is not None
    assert generator.decisive.outcome == "generator"
