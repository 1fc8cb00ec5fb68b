"""Rows of the witness where packets were lost, or the time of day was set."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wirelab.witness.exchanges import followed
from wirelab.witness.matching import Matched, NeededRequest, WireOutcome, matched
from wirelab.witness.rows import ROW, UNKNOWN, SeenTraffic, seen_of
from wirelab.witness.streams import NEVER

MS = 1_000_000
DAY = 1_800_000_000_000_000_000
"""The time of day at 0 of CLOCK_MONOTONIC."""

PACKET, MESSAGE, CLOCKS, COUNTS, CUT = 1, 2, 3, 4, 7
READ = 631
PUBLISH = 826
NAMES = 0xFEED
FINAL = int.from_bytes(b"MSGF", "little")

Row = tuple[int, ...]
"""Kind, way, side, flags, connection, stamp, and a to f."""


def look(at_ms: int, day: int = DAY, dropped: int = 0, left_out: int = 0) -> list[Row]:
    """A reading of the clocks and the counters."""
    stamp = day + at_ms * MS
    return [
        (CLOCKS, 0, 0, 0, 0, stamp, at_ms * MS, 100, 0, 0, 0, 0),
        (COUNTS, 0, 0, 0, 0, stamp, 0, dropped, left_out, 0, 0, 0),
    ]


def exchange(number: int, at_ms: int, day: int = DAY) -> list[Row]:
    """A Read of ten items at this time, answered 2 ms later; the ``number``-th of its stream.

    Each message is one packet, which arrives as it departs.
    """
    rows: list[Row] = []
    for way, length, service, items in ((0, 80, READ, 10), (1, 900, 0, UNKNOWN)):
        stamp, position = day + (at_ms + 2 * way) * MS, number * length
        rows += [(PACKET, way, side, 0, 1, stamp, position, length, 0, 0, 0, 0) for side in (0, 1)]
        rows.append((MESSAGE, way, 0, 0, 1, stamp, position, length, FINAL, number, service, items))
    return rows


def seen(*rows: Sequence[Row]) -> SeenTraffic:
    """Reading of these rows."""
    return seen_of(np.array([row for several in rows for row in several], dtype=ROW).tobytes())


def of_calls(found: SeenTraffic, starts_ms: Sequence[int]) -> Matched:
    """Calls that start at these times and take 4 ms each."""
    exchanges = followed(found.packets, found.messages, "opc-tcp:read").exchanges
    unseen = np.column_stack([found.unseen["begin_ns"], found.unseen["end_ns"]])
    starts = np.array(starts_ms, dtype=np.int64) * MS
    needed = [NeededRequest(10)] * len(starts)
    return matched(starts, starts + 4 * MS, needed, exchanges, unseen)


def publishing(number: int, asked_ms: int, told_ms: int, values: int) -> list[Row]:
    """A request to publish, and the answer with so many new values, long after it."""
    rows: list[Row] = []
    asked, told = (0, asked_ms, 80, PUBLISH, UNKNOWN), (1, told_ms, 900, 829, values)
    for way, at_ms, length, service, items in (asked, told):
        stamp, position = DAY + at_ms * MS, number * length
        rows += [(PACKET, way, side, 0, 1, stamp, position, length, 0, 0, 0, 0) for side in (0, 1)]
        rows.append((MESSAGE, way, 0, 0, 1, stamp, position, length, FINAL, number, service, items))
    return rows


def opening(connection: int, at_ms: int, answers: int, services: Sequence[int] = ()) -> list[Row]:
    """A connection with so many answers, 1 ms apart; nobody can read them unless it is said which
    they are.
    """
    rows: list[Row] = []
    ends = [0, 0]
    letters = [b"HELF", b"ACKF", b"OPNF", b"OPNF", *[b"MSGF"] * (2 * answers)]
    for number, kind in enumerate(letters):
        way, stamp = number % 2, DAY + (at_ms + number) * MS
        service = services[number // 2 - 2] if services and number >= 4 and way else 0
        place = (connection, stamp, ends[way], 60)
        rows += [(PACKET, way, side, 0, *place, 0, 0, 0, 0) for side in (0, 1)]
        named = int.from_bytes(kind, "little")
        hidden = 0 if services and kind == b"MSGF" else 1
        rows.append((MESSAGE, way, 0, hidden, *place, named, 0, service, UNKNOWN))
        ends[way] += 60
    return rows


def test_where_there_was_not_enough_room_only_what_follows_is_unseen() -> None:
    cut = [(CUT, 0, 0, 0, 0, DAY + 150 * MS, 0, 0, 0, 0, 0, 0)]
    before, after = exchange(0, 110), exchange(1, 210)
    found = seen(look(0), look(100), before, cut, look(200, left_out=30), after, look(300))
    assert found.left_out == 30
    # Ops at 110 and 210 have their packets; one at 130 would have had, one at 170 perhaps.
    outcomes = of_calls(found, [110, 130, 170, 210]).outcome.tolist()
    seen_, absent, unseen = WireOutcome.SEEN, WireOutcome.ABSENT, WireOutcome.UNSEEN
    assert outcomes == [seen_, absent, unseen, seen_]


def test_a_session_is_open_with_its_second_answer() -> None:
    found = seen(look(0), opening(1, 5, 2), opening(2, 20, 1), look(150))
    whole, part = followed(found.packets, found.messages, "opc-tcp:session").exchanges
    assert whole.arrived_ns - whole.departed_ns == 7 * MS
    assert (whole.connection, part.connection) == (1, 2)
    assert part.arrived_ns == NEVER  # it asked for endpoints, and was closed


def test_a_session_that_can_be_read_is_open_with_the_answer_that_says_so() -> None:
    endpoints, created, activated = 431, 464, 470
    whole = opening(1, 5, 3, [endpoints, created, activated])
    found = seen(look(0), whole, opening(2, 30, 2, [endpoints, endpoints]), look(150))
    one, other = followed(found.packets, found.messages, "opc-tcp:session").exchanges
    assert one.arrived_ns - one.departed_ns == 9 * MS
    assert other.arrived_ns == NEVER  # two answers, and no session


def test_a_session_begins_when_its_connection_is_opened() -> None:
    created, activated = 464, 470
    dialled = [(PACKET, 0, 0, 0, 1, DAY + 5 * MS, 0, 0, 2, 0, 0, 0)]
    found = seen(look(0), dialled, opening(1, 20, 2, [created, activated]), look(150))
    (one,) = followed(found.packets, found.messages, "opc-tcp:session").exchanges
    # Its first bytes departed 15 ms later.
    assert one.arrived_ns - one.departed_ns == 22 * MS


def test_what_is_waited_for_departs_with_its_answer() -> None:
    requests = publishing(0, 5, 40, 0), publishing(1, 6, 71, 10), publishing(2, 41, 95, 10)
    found = seen(look(0), *requests, look(150))
    exchanges = followed(found.packets, found.messages, "opc-tcp:publish").exchanges
    assert [one.items for one in exchanges] == [0, 10, 10]
    assert np.diff([one.departed_ns for one in exchanges]).tolist() == [31 * MS, 24 * MS]
    unseen = np.column_stack([found.unseen["begin_ns"], found.unseen["end_ns"]])
    tick0_ns = exchanges[0].departed_ns - 40 * MS
    changes = tick0_ns + np.array([30, 60, 90, 120], dtype=np.int64) * MS
    of = matched(
        changes, changes + 20 * MS, [NeededRequest(10)] * 4, exchanges, unseen, looks_back=False
    )
    # The first publishing told of nothing, and nobody told of the last change.
    absent, told = WireOutcome.ABSENT, WireOutcome.SEEN
    assert of.outcome.tolist() == [absent, told, told, absent]


def test_an_answer_that_tells_of_two_changes_is_that_of_both() -> None:
    found = seen(look(0), publishing(0, 5, 71, 20), publishing(1, 41, 95, 10), look(150))
    exchanges = followed(found.packets, found.messages, "opc-tcp:publish").exchanges
    unseen = np.column_stack([found.unseen["begin_ns"], found.unseen["end_ns"]])
    tick0_ns = exchanges[0].departed_ns - 71 * MS
    changes = tick0_ns + np.array([30, 60, 65, 90], dtype=np.int64) * MS
    needed = [NeededRequest(10)] * 4
    of = matched(changes, changes + 45 * MS, needed, exchanges, unseen, looks_back=False)
    told, absent = WireOutcome.SEEN, WireOutcome.ABSENT
    # Two are told of at 71, and one at 95: of the last change nobody was.
    assert of.outcome.tolist() == [told, told, told, absent]
    assert of.size.tolist()[:2] == [exchanges[0].size // 2] * 2


def command(number: int, at_ms: int, keys: int, service: int = 1) -> list[Row]:
    """A command of Redis that asks for so many keys, answered 2 ms later."""
    rows: list[Row] = []
    for way, length, asked, items in ((0, 80, service, keys), (1, 900, 0, keys)):
        stamp, position = DAY + (at_ms + 2 * way) * MS, number * length
        rows += [(PACKET, way, side, 0, 1, stamp, position, length, 0, 0, 0, 0) for side in (0, 1)]
        said = (position, length, 0 if way else NAMES, number, asked, items)
        rows.append((MESSAGE, way, 0, 0, 1, stamp, *said))
    return rows


def test_commands_and_replies_are_exchanges_by_their_order() -> None:
    found = seen(look(0), command(0, 10, 1, service=0), command(1, 51, 200), look(100))
    exchanges = followed(found.packets, found.messages, "keys:read", "resp").exchanges
    (one,) = exchanges
    assert (one.request, one.items, one.names, one.size) == (1, 200, NAMES, 980)
    assert (one.departed_ns // MS, one.arrived_ns // MS) == (51, 53)


def text(way: int, at_ms: int, place: int, who: int, number: int) -> list[Row]:
    """A message of WebSocket with the mark ``who`` and ``number``, the ``place``-th of its way."""
    stamp, position = DAY + at_ms * MS, place * 90
    rows: list[Row] = [
        (PACKET, way, side, 0, 1, stamp, position, 90, 0, 0, 0, 0) for side in (0, 1)
    ]
    return [*rows, (MESSAGE, way, 0, 0, 1, stamp, position, 90, who, number, 2, 1)]


def test_a_message_and_its_first_copy_are_an_exchange_whoever_else_sends() -> None:
    found = seen(
        look(0),
        text(0, 10, 0, who=7, number=3),
        text(1, 11, 0, who=8, number=3),
        text(1, 14, 1, who=7, number=3),
        text(1, 30, 2, who=7, number=3),
        look(100),
    )
    (one,) = followed(found.packets, found.messages, "websocket:echo").exchanges
    assert (one.request, one.items, one.names, one.size, one.packets) == (3, 1, 7, 180, 2)
    assert (one.departed_ns // MS, one.arrived_ns // MS) == (10, 14)


def test_connections_are_streams_of_their_own() -> None:
    first, second = command(0, 10, 5), [(*row[:4], 2, *row[5:]) for row in command(0, 12, 6)]
    # Both are under way together, as packets of theirs are.
    mixed = [row for pair in zip(first, second, strict=True) for row in pair]
    found = seen(look(0), sorted(mixed, key=lambda row: row[5]), look(100))
    exchanges = followed(found.packets, found.messages, "keys:read", "resp").exchanges
    assert [(one.connection, one.items) for one in exchanges] == [(1, 5), (2, 6)]
    assert [one.departed_ns // MS for one in exchanges] == [10, 12]
    assert [one.arrived_ns // MS for one in exchanges] == [12, 14]


def test_calls_among_dropped_packets_are_unwitnessed_and_never_wrong() -> None:
    # The second call's packets were dropped, which is known 100 ms later at the most.
    found = seen(
        look(0),
        exchange(0, 51),
        look(100),
        look(200),
        look(300, dropped=6),
        look(400, dropped=6),
        look(500, dropped=6),
        exchange(2, 551),
        look(600, dropped=6),
    )
    assert found.dropped == 6
    of = of_calls(found, [50, 250, 550])
    assert of.outcome.tolist() == [WireOutcome.SEEN, WireOutcome.UNSEEN, WireOutcome.SEEN]


def test_without_a_drop_the_same_call_is_accused() -> None:
    found = seen(look(0), exchange(0, 51), look(100), look(200), look(300), look(400))
    assert of_calls(found, [50, 250]).outcome.tolist() == [WireOutcome.SEEN, WireOutcome.ABSENT]


def test_a_step_of_the_time_of_day_leaves_the_time_around_it_unwitnessed() -> None:
    later = DAY + 3_600_000 * MS
    found = seen(
        look(0),
        exchange(0, 51),
        look(100),
        look(1_000),
        exchange(1, 1_051),
        look(1_100, later),
        exchange(2, 1_151, later),
        look(1_200, later),
        exchange(3, 2_051, later),
        look(2_100, later),
    )
    of = of_calls(found, [50, 1_050, 1_150, 2_050])
    assert of.outcome.tolist() == [
        WireOutcome.SEEN,
        WireOutcome.UNSEEN,
        WireOutcome.UNSEEN,
        WireOutcome.SEEN,
    ]
    # Before and after it stamps are converted by the distance of their own time.
    assert [int(of.departed_ns[place]) // MS for place in (0, 3)] == [51, 2_051]


def test_a_time_of_day_that_is_slewed_has_not_stepped() -> None:
    found = seen(look(0), look(100, DAY + 10_000), look(200, DAY + 20_000), look(300, DAY + 30_000))
    assert len(found.unseen["begin_ns"]) == 2, "nothing but the time before and after"
