"""Messages owed to users who join while others send, as the harness in Python counts them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from test_messaging_verify import SUITE


@pytest.fixture(name="harness")
def _harness(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Modules of the harness, which are on no path here."""
    monkeypatch.syspath_prepend(str(SUITE / "libraries" / "python"))
    from messaging_harness import deliveries, messages, owed

    return SimpleNamespace(deliveries=deliveries, messages=messages, owed=owed)


def steps(*sizes: tuple[int, int, int, int]) -> list[Any]:
    """Steps of so many ticks, of which some settle, from a first one on, with so many users."""
    return [
        SimpleNamespace(first=first, count=count, settle=settle, users=users)
        for first, count, settle, users in sizes
    ]


def test_what_is_sent_while_a_step_settles_is_owed_to_those_of_the_step_before(
    harness: Any,
) -> None:
    owed = harness.owed.within(steps((0, 10, 4, 2), (10, 10, 4, 8)), 3)
    numbers = (0, 11, 12, 30, 41, 42, 59)
    assert [owed.to(number) for number in numbers] == [0, 0, 2, 2, 2, 8, 8]
    assert harness.owed.everything(5).to(7) == 5


def test_what_a_newcomer_gets_of_messages_before_its_time_is_in_no_count(
    harness: Any, tmp_path: Path
) -> None:
    messages = harness.messages.Messages(1, b"")
    counted = harness.deliveries.Deliveries(messages, tmp_path / "intervals", is_open=True)
    counted.start_at(0)
    owed = harness.owed.within(steps((0, 2, 0, 1), (2, 2, 1, 2)), 1)
    of_all = {"users": 2, "senders": 2, "ticks": 4, "per_tick": 1, "due": 4, "counts": True}
    counted.begin(0, "more", 100, **of_all, owed=owed)
    for number in (1, 2, 3):
        counted.hands_over(0, number, 5, 5)
        counted.sent(5, owed.to(number))
        message = messages.compose(0, number, 100)
        harness.messages.stamp_sent(message, 5, 5)
        counted.delivered(0, bytes(message))
        counted.delivered(1, bytes(message))
    assert counted.complete
    counted.close()
    counts: Counter[str] = Counter()
    for line in (tmp_path / "intervals").read_text("utf-8").splitlines():
        counts.update(json.loads(line)["counts"])
    assert (counts["expected"], counts["received"], counts["wrong"]) == (4, 4, 0)
