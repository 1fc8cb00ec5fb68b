"""Values learnt of changes, by subscriptions and by polls: right, old, missed, foreseen."""

from __future__ import annotations

from typing import Any

import pytest

from opcua.right_answers import (
    PERIOD,
    START,
    Answer,
    Verify,
    learning_trial,
    learnt,
    trial,
    value_of,
)


def test_who_learns_has_the_values_of_the_change_at_its_tick(verify: Verify) -> None:
    right = [learnt(0, 0, "preflight"), learnt(0, 1), learnt(7, 8)]
    assert verify(learning_trial(), {}, right) == []


def test_old_values_and_a_change_that_was_missed_are_told_apart(verify: Verify) -> None:
    given = [learnt(0, 0, "preflight"), learnt(7, 7), learnt(9, 11), learnt(11, 12)]
    assert verify(learning_trial(), {}, given) == [
        "measure notification 7: values of change 6, expected those of 7: they are old",
        "measure notification 9: values of change 10, expected those of 9: one was missed",
    ]


def test_who_took_until_the_next_change_may_have_met_it(verify: Verify) -> None:
    late = learnt(9, 11)
    late["end_ns"] = START + 10 * PERIOD + 1_000
    assert verify(learning_trial(), {}, [learnt(0, 0, "preflight"), late]) == []
    too_new = learnt(9, 12)
    too_new["end_ns"] = late["end_ns"]
    (finding,) = verify(learning_trial(), {}, [learnt(0, 0, "preflight"), too_new])
    assert finding.endswith("values of change 11, expected those of 9: one was missed")


def test_who_is_late_at_the_last_tick_may_have_met_the_change_after_it(verify: Verify) -> None:
    # The server goes on; after tick 31 there is no other.
    late = learnt(31, 33)
    late["end_ns"] = START + 32 * PERIOD + 1_000
    given = [learnt(0, 0, "preflight"), late]
    ended = learning_trial()
    ended["schedule"]["count"] = 32
    assert verify(ended, {}, given) == []


POLLS_EVERY = 100_000_000
CHANGES_EVERY = 337_000_000


LEARNT = ("poll", "notification")


def polling_trial(operation: str = "poll", every: int = POLLS_EVERY) -> dict[str, Any]:
    return trial(
        operations={operation: {"code": 6, "every": 1, "items": 500}},
        parameters={"tags": 500, "interval_ns": every},
        schedule={"first_ns": 0, "period_ns": CHANGES_EVERY, "count": 600, "warmup": 0},
        verify={"preflight": {}},
    )


def polled(tick: int, took_ns: int, operation: str = "poll") -> Answer:
    """An answer of a poll, or of a publishing."""
    start = START + tick * CHANGES_EVERY
    values = [value_of(tag, tick + 1) for tag in range(500)]
    return {
        **{"phase": "measure", "operation": operation, "tick": tick},
        **{"start_ns": start, "end_ns": start + took_ns},
        "answer": {"values": values, "bad": []},
    }


def by_a_timer(tick: int, begin: int, every: int = POLLS_EVERY) -> int:
    """Time from a change to the next poll of a timer that began so much before tick 0, and 10 ms
    for the poll."""
    return -(begin + tick * CHANGES_EVERY) % every + 10_000_000


@pytest.mark.parametrize("operation", LEARNT)
def test_whose_timer_is_set_by_the_changes_is_told_from_who_knows_nothing_of_them(
    verify: Verify, operation: str
) -> None:
    spec = polling_trial(operation)
    answers = [polled(tick, 30_000_000, operation) for tick in range(12)]
    (finding,) = verify(spec, {}, answers)
    assert finding == (
        "12 of 12 changes were known within 30.0 ms, by a timer of 100 ms: it was set by when they "
        "come"
    )
    # One more that came late could have been held up; of few nobody knows.
    assert verify(spec, {}, [*answers, polled(12, 90_000_000, operation)]) != []
    assert verify(spec, {}, answers[:8]) == []


@pytest.mark.parametrize("operation", LEARNT)
def test_a_timer_that_is_set_by_some_of_the_changes_is_told_where_there_are_more(
    verify: Verify, operation: str
) -> None:
    def took(tick: int) -> int:
        return by_a_timer(tick, 0) if tick % 3 == 0 else 15_000_000

    answers = [polled(tick, took(tick), operation) for tick in range(60)]
    assert "of 60 changes were known within" in str(verify(polling_trial(operation), {}, answers))


@pytest.mark.parametrize("begin", range(0, POLLS_EVERY, 7_000_000))
def test_a_timer_of_its_own_finds_changes_at_any_time(verify: Verify, begin: int) -> None:
    for first in range(0, 40, 7):
        ticks = range(first, first + 12)
        answers = [polled(tick, by_a_timer(tick, begin)) for tick in ticks]
        assert verify(polling_trial(), {}, answers) == []


@pytest.mark.parametrize("begin", range(0, 84_000_000, 7_000_000))
def test_a_timer_that_happens_to_keep_step_with_the_changes_is_not_accused(
    verify: Verify, begin: int
) -> None:
    every = 84_000_000  # of which four and a bit are 337 ms
    ticks = range(12)
    answers = [polled(tick, by_a_timer(tick, begin, every)) for tick in ticks]
    assert verify(polling_trial(every=every), {}, answers) == []


def test_polls_are_to_be_no_oftener_and_not_much_seldomer_than_the_interval(rules: Any) -> None:
    turns = [(0, 0), (1, 0)]
    # 3.37 polls of 500 tags fall due from a change to the next one.
    assert rules.claimed(polling_trial(), "poll", turns) == [(842, 0)] * 2
    assert rules.at_most(polling_trial(), "poll", turns) == [(1_854, 0)] * 2
    # Whoever is to poll no more than once has to poll once.
    slow = {**polling_trial(), "parameters": {"interval_ns": CHANGES_EVERY}}
    assert rules.claimed(slow, "poll", turns) == [(500, 0)] * 2


def test_an_invented_value_is_found(verify: Verify) -> None:
    one = learnt(7, 8)
    one["answer"]["values"][3] += 1
    (finding,) = verify(learning_trial(), {}, [learnt(0, 0, "preflight"), one])
    assert (
        finding == "measure notification 7: 1 values are not those that the tags took at its tick"
    )
    one["answer"]["values"] = [number + 1 for number in learnt(7, 8)["answer"]["values"]]
    (finding,) = verify(learning_trial(), {}, [learnt(0, 0, "preflight"), one])
    assert "a value it never has" in finding
