"""Answers that are asked for: each in its time, and none that nobody could give any more."""

from __future__ import annotations

import time

import pytest

from wirelab.trial.askings import NEVER, Askings, Moment

SECOND = 1_000_000_000


@pytest.fixture
def asked() -> list[tuple[int, str, int]]:
    return []


def test_what_is_due_is_asked_for_unless_its_time_is_over(
    asked: list[tuple[int, str, int]],
) -> None:
    def tell(*asking: int | str) -> bool:
        asked.append(asking)  # type: ignore[arg-type]
        return True

    moments = [
        Moment(0, 0, ("read",), until_ns=SECOND),
        Moment(1, 1, ("read",), until_ns=100 * SECOND),
        Moment(2, 2, ("read", "write")),
        Moment(100 * SECOND, 3, ("read",)),
    ]
    askings = Askings(iter(moments), tell)
    # A core that comes ten seconds late, as on a host that was held up.
    askings.begin(time.monotonic_ns() - 10 * SECOND)
    askings.carry_out()
    assert asked == [(0, "read", 1), (1, "read", 2), (2, "write", 2)]
    assert [one.lane for one in askings.sent] == [1, 2, 2]
    assert NEVER > askings.next_ns > time.monotonic_ns()
