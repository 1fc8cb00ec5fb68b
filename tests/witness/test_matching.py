"""Operations matched with exchanges that are written down."""

from __future__ import annotations

import numpy as np

from wirelab.witness.exchanges import NEVER, Exchange
from wirelab.witness.matching import WireOutcome, matched

MS = 1_000_000
NOTHING = np.empty((0, 2), dtype=np.int64)


def exchange(departed: int, arrived: int | None, items: int | None = 10) -> Exchange:
    """One at these times, in ms."""
    end = NEVER if arrived is None else arrived * MS
    return Exchange(0, departed, departed * MS, end, items, size=100, packets=2)


def outcomes(
    operations: list[tuple[int, int]], exchanges: list[Exchange], unseen: object = NOTHING
) -> list[WireOutcome]:
    """What the wire says of operations from and to these ms, which ask for 10 items each."""
    starts, ends = np.array(operations, dtype=np.int64).T * MS
    ordered = sorted(exchanges, key=lambda one: one.departed_ns)
    found = matched(starts, ends, 10, ordered, np.array(unseen, dtype=np.int64).reshape(-1, 2))
    return [WireOutcome(one) for one in found.outcome]


def test_an_operation_has_the_exchange_within_its_stamps() -> None:
    starts, ends = np.array([[100, 200], [140, 240]], dtype=np.int64) * MS
    own = [exchange(102, 130), exchange(203, 230)]
    found = matched(starts, ends, 10, own, NOTHING)
    assert found.outcome.tolist() == [WireOutcome.SEEN, WireOutcome.SEEN]
    assert (found.departed_ns // MS).tolist() == [102, 203]
    assert (found.arrived_ns // MS).tolist() == [130, 230]
    assert found.size.tolist() == [100, 100]
    assert found.packets.tolist() == [2, 2]


def test_without_a_request_it_is_absent() -> None:
    assert outcomes([(100, 140)], []) == [WireOutcome.ABSENT]


def test_a_request_before_the_start_is_early() -> None:
    of = [(100, 140), (200, 240)]
    assert outcomes(of, [exchange(102, 130), exchange(190, 199)]) == [
        WireOutcome.SEEN,
        WireOutcome.EARLY,
    ]


def test_an_old_request_was_for_something_else() -> None:
    assert outcomes([(5_000, 5_040)], [exchange(100, 130)]) == [WireOutcome.ABSENT]


def test_an_answer_after_the_end_is_none() -> None:
    assert outcomes([(100, 140)], [exchange(102, 150)]) == [WireOutcome.UNANSWERED]
    assert outcomes([(100, 140)], [exchange(102, None)]) == [WireOutcome.UNANSWERED]


def test_an_exchange_serves_one_operation() -> None:
    assert sorted(outcomes([(100, 140), (100, 140)], [exchange(102, 130)])) == [
        WireOutcome.SEEN,
        WireOutcome.ABSENT,
    ]


def test_as_many_as_can_have_one() -> None:
    # The short one can have the second exchange alone, the long one either.
    assert outcomes([(100, 200), (120, 160)], [exchange(125, 150), exchange(105, 140)]) == [
        WireOutcome.SEEN,
        WireOutcome.SEEN,
    ]


def test_a_request_for_fewer_items_is_not_the_operations() -> None:
    assert outcomes([(100, 140)], [exchange(102, 130, items=9)]) == [WireOutcome.ABSENT]
    several = [exchange(102, 110, items=5), exchange(112, 130, items=5)]
    assert outcomes([(100, 140)], several) == [WireOutcome.SEEN]
    assert outcomes([(100, 140)], [exchange(102, 130, items=None)]) == [WireOutcome.SEEN]


def test_what_a_library_asks_for_itself_is_nobodys() -> None:
    alive = exchange(101, 103, items=1)
    starts, ends = np.array([[100], [140]], dtype=np.int64) * MS
    found = matched(starts, ends, 10, [alive, exchange(104, 130)], NOTHING)
    assert (found.departed_ns // MS).tolist() == [104]
    assert outcomes([(200, 240)], [exchange(190, 195, items=1)]) == [WireOutcome.ABSENT]


def test_time_that_was_not_seen_accuses_nobody() -> None:
    assert outcomes([(100, 140), (200, 240)], [], [(130 * MS, 150 * MS)]) == [
        WireOutcome.UNSEEN,
        WireOutcome.ABSENT,
    ]
