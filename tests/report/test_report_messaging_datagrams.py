"""Loss of datagrams in the chapters of the suite ``messaging``."""

from __future__ import annotations

import pytest
from messaging_sample import changed, sample, with_capacity
from messaging_text import own, rows, section

from wirelab.model.capacity import CapacityFound, Measured, Probe
from wirelab.model.result import Cell, Result

TITLE = "Socket, buffered frames (Java)"
WHY = "A datagram (UDP) that is lost stays lost"


def with_datagrams() -> Result:
    """The sample whose sockets are datagrams: two echoes of each cell are lost."""
    stored = sample().model_dump_json()
    stored = stored.replace('"socket"', '"socket-udp"').replace('/socket"', '/socket-udp"')

    def losing(cell: Cell) -> Cell:
        if cell.contender != "socket-udp" or "echo" not in cell.statuses:
            return cell
        return cell.model_copy(update={"statuses": {"echo": {"ok": 2698, "timeout": 2}}})

    return changed(Result.model_validate_json(stored), losing)


def test_lost_echoes_stand_in_table_5_beside_those_that_lost_none() -> None:
    text = section(own(with_datagrams()), "table-5")
    assert WHY in text
    groups = [row[0] for row in rows(text, "Table 5, s · direct")]
    last = {row[0]: row[-1] for row in rows(text, "Table 5, s · direct") if row[0]}
    assert TITLE in groups
    assert last[TITLE] == "2 of 2,700"
    assert last["RMI (Java)"] == "0 of 2,700"
    published = [row for row in rows(text, "Table 5, s · direct") if row[1] == "published"]
    assert published
    assert {row[-1] for row in published} == {"–"}


@pytest.mark.parametrize(
    ("anchor", "caption"),
    [
        ("table-8", "Table 8 · direct"),
        ("table-9", "Table 9 · direct"),
        ("by-size", "Echo by size and clients · direct"),
    ],
)
def test_lost_echoes_are_a_row_of_datagrams_alone(anchor: str, caption: str) -> None:
    text = section(own(with_datagrams()), anchor)
    assert WHY in text
    found = rows(text, caption)
    (lost,) = (row for row in found if row[1] == "echoes lost")
    assert set(lost[2:]) == {"2 of 2,700"}


def test_without_datagrams_nobody_s_loss_is_told() -> None:
    text = own(sample())
    assert WHY in own(with_datagrams())
    assert WHY not in text
    assert "echoes lost" not in text
    assert "Datagrams: deliveries lost" not in text


def test_a_stream_of_datagrams_tells_what_was_lost_where_it_ended() -> None:
    def probed(cell: Cell) -> Cell:
        if (cell.scenario, cell.contender) != ("stream-10ms", "socket-udp"):
            return cell
        loss = Measured(
            metric="delivery.loss.count", sign="≤", limit=0, value=61, unit="count", holds=False
        )
        probe = Probe(trial="0007", load=250, outcome="failed", figures=[loss])
        cell = with_capacity(cell, verified=240, failed=250)
        found = CapacityFound.model_validate(cell.remarks["capacity"])
        searches = [one.model_copy(update={"probes": [probe]}) for one in found.searches]
        remark = found.model_copy(update={"searches": searches}).model_dump(mode="json")
        return cell.model_copy(update={"remarks": {"capacity": remark}})

    text = section(own(changed(with_datagrams(), probed)), "stream")
    assert "Nobody who sends datagrams is held back" in text
    ((name, *lost),) = rows(text, "Datagrams: deliveries lost")
    # 250 messages every 2 ms; of the others no probe is known.
    assert (name, lost) == (TITLE, ["61 at 125,000/s", "–", "–", "–"])
