"""Operations matched with exchanges that are written down."""

from __future__ import annotations

import numpy as np

from wirelab.witness.exchanges import Exchange
from wirelab.witness.matching import NeededRequest, WireOutcome, matched
from wirelab.witness.streams import NEVER

MS = 1_000_000
NOTHING = np.empty((0, 2), dtype=np.int64)


def exchange(
    departed: int, arrived: int | None, items: int | None = 10, names: int = 0
) -> Exchange:
    """One at these times, in ms."""
    end = NEVER if arrived is None else arrived * MS
    return Exchange(0, departed, departed * MS, end, items, names, size=100, packets=2)


def outcomes(
    operations: list[tuple[int, int]],
    exchanges: list[Exchange],
    unseen: object = NOTHING,
    needed: list[NeededRequest] | None = None,
) -> list[WireOutcome]:
    """Rows of the wire for operations from and to these ms, which ask for ten items each."""
    starts, ends = np.array(operations, dtype=np.int64).T * MS
    ordered = sorted(exchanges, key=lambda one: one.departed_ns)
    silent = np.array(unseen, dtype=np.int64).reshape(-1, 2)
    found = matched(starts, ends, needed or [NeededRequest(10)] * len(starts), ordered, silent)
    return [WireOutcome(one) for one in found.outcome]


def test_an_operation_has_the_exchange_within_its_stamps() -> None:
    starts, ends = np.array([[100, 200], [140, 240]], dtype=np.int64) * MS
    own = [exchange(102, 130), exchange(203, 230)]
    found = matched(starts, ends, [NeededRequest(10)] * 2, own, NOTHING)
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


def test_each_operation_has_a_number_of_items_of_its_own() -> None:
    of = [(100, 140), (200, 240), (300, 340)]
    own = [exchange(102, 130, 198), exchange(202, 230, 49), exchange(302, 330, 1)]
    assert outcomes(of, own, needed=[NeededRequest(198), NeededRequest(50), NeededRequest(1)]) == [
        WireOutcome.SEEN,
        WireOutcome.ABSENT,
        WireOutcome.SEEN,
    ]


def test_single_requests_that_together_ask_for_all_are_as_good() -> None:
    pipeline = [exchange(102 + one, 120 + one, items=1) for one in range(10)]
    assert outcomes([(100, 140)], pipeline) == [WireOutcome.SEEN]
    assert outcomes([(100, 140)], pipeline[:9]) == [WireOutcome.ABSENT]


def test_a_request_for_less_that_departed_before_the_start_is_not_its_own() -> None:
    assert outcomes([(200, 240)], [exchange(190, 195, items=9)]) == [WireOutcome.ABSENT]
    early = outcomes([(200, 240)], [exchange(190, 195, items=9)], needed=[NeededRequest(9)])
    assert early == [WireOutcome.EARLY]


def test_a_request_for_as_many_others_is_not_its_own() -> None:
    of, own = [(100, 140), (150, 190)], [exchange(102, 130, names=7), exchange(152, 160, names=8)]
    right = [NeededRequest(10, 7), NeededRequest(10, 8)]
    assert outcomes(of, own, needed=right) == [WireOutcome.SEEN] * 2
    # Each asks for what the next one will need.
    ahead = [NeededRequest(10, 5), NeededRequest(10, 7)]
    assert outcomes(of, own, needed=ahead) == [WireOutcome.ABSENT, WireOutcome.EARLY]


def test_its_own_request_is_known_by_its_names_although_others_started_since() -> None:
    of = [(100, 120), (105, 125), (150, 190)]
    own = [exchange(90, 95, names=9), exchange(101, 110, names=7), exchange(106, 110, names=8)]
    needed = [NeededRequest(10, 7), NeededRequest(10, 8), NeededRequest(10, 9)]
    assert outcomes(of, own, needed=needed) == [
        WireOutcome.SEEN,
        WireOutcome.SEEN,
        WireOutcome.EARLY,
    ]


def test_where_names_are_not_known_the_number_decides() -> None:
    assert outcomes([(100, 140)], [exchange(102, 130)], needed=[NeededRequest(10, 7)]) == [
        WireOutcome.SEEN
    ]
    assert outcomes([(100, 140)], [exchange(102, 130, names=7)]) == [WireOutcome.SEEN]


def test_what_a_library_asks_for_itself_is_nobodys() -> None:
    alive = exchange(101, 103, items=1)
    starts, ends = np.array([[100], [140]], dtype=np.int64) * MS
    found = matched(starts, ends, [NeededRequest(10)], [alive, exchange(104, 130)], NOTHING)
    assert (found.departed_ns // MS).tolist() == [104]
    assert outcomes([(200, 240)], [exchange(190, 195, items=1)]) == [WireOutcome.ABSENT]


def test_a_smaller_operation_leaves_the_larger_request_to_a_larger_one() -> None:
    # The smaller one ends first, and the larger request departed first.
    of, own = [(100, 230), (100, 220)], [exchange(101, 200, 199), exchange(102, 201, 197)]
    assert outcomes(of, own, needed=[NeededRequest(199), NeededRequest(197)]) == [
        WireOutcome.SEEN,
        WireOutcome.SEEN,
    ]


def test_an_operation_that_was_not_seen_takes_nobodys_exchange() -> None:
    of = [(100, 160), (125, 165)]
    assert outcomes(of, [exchange(130, 150)], [(80 * MS, 120 * MS)]) == [
        WireOutcome.UNSEEN,
        WireOutcome.SEEN,
    ]


def test_time_that_was_not_seen_accuses_nobody() -> None:
    assert outcomes([(100, 140), (200, 240)], [], [(130 * MS, 150 * MS)]) == [
        WireOutcome.UNSEEN,
        WireOutcome.ABSENT,
    ]
