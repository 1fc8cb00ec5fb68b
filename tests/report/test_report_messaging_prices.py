"""Chapters of the suite ``messaging`` about prices, and about the choice that follows from them."""

from __future__ import annotations

import pytest
from messaging_sample import CONTENDERS, SUITE, changed, sample, with_capacity, with_figure, without
from messaging_text import context_of, is_gone, own, rows, section
from report_build import metric
from websocket_text import stand

from wirelab.model.result import Result, Verdict
from wirelab.report.document import Chart
from wirelab.report.sources import composer

STREAMS = ("stream-10ms", "stream-100ms", "stream-fan-out", "stream-1mb")


def test_plain_sockets_are_the_measure_of_everybody() -> None:
    text = section(own(sample()), "sockets")
    table = {row[1]: row for row in rows(text, "As a multiple of plain sockets")}
    assert "Socket, buffered frames (Java)" not in table
    assert len(table) == len(CONTENDERS) - 1
    assert table["RMI (Java)"][3].startswith("2.40 [")
    assert table["JMS: Artemis, persistent (Java)"][3].startswith("64")
    nobody = own(without(sample(), contender=["socket"]))
    assert is_gone("Against plain sockets", nobody)


def test_an_invalid_socket_measures_nobody() -> None:
    def spoiled(cell):
        if cell.contender == "socket" and cell.scenario == "transfer-steady":
            return cell.model_copy(update={"verdict": Verdict.INVALID})
        return cell

    table = rows(own(changed(sample(), spoiled)), "As a multiple of plain sockets")
    whole = rows(own(sample()), "As a multiple of plain sockets")
    assert len(table[0]) == len(whole[0]) - 2


def test_a_connection_is_told_in_echoes() -> None:
    text = section(own(sample()), "connecting")
    echoes = [row for row in rows(text, "Connecting · direct") if "in echoes" in row[1]]
    assert len(echoes) == 3
    assert all(row[2].startswith("30.0 [") for row in echoes)
    cold = own(without(sample(), scenario=["transfer-steady"]))
    assert is_gone("in echoes, ×", cold)


def test_a_capacity_stands_beside_what_the_study_counted() -> None:
    text = section(own(sample()), "capacities")
    table = {row[1]: row[2:] for row in rows(text, "Clients that each holds")}
    assert table["Socket, buffered frames (Java)"][:2] == ["≥ 1,300", "–"]
    assert table["JMS: Artemis (Java)"][:2] == ["680", "–"]
    published = [table[name][2] for name in ("RMI (Java)", "JMS: Artemis (Java)")]
    assert [said.split("<")[0] for said in published] == ["at least 1,300", "900"]
    nobody = own(without(sample(), scenario=["capacity-broadcast"]))
    assert is_gone("How many clients each holds", nobody)


@pytest.mark.parametrize(
    ("language", "titles"),
    [
        ("en", ("Figure 4: time by request/replies", "Figure 6: echo by size")),
        ("ko", ("그림 4: 요청·응답 횟수별 시간", "그림 6: 크기별 에코")),
        (
            "en",
            tuple(f"Figure 5: {what} by number of clients" for what in ("sending", "connecting")),
        ),
        (
            "en",
            tuple(
                f"Figures 1 and 2: {what} by number of applications"
                for what in (
                    *("one more application", "memory of all processes"),
                    "memory of one more application",
                )
            ),
        ),
    ],
)
def test_figures_are_drawn_of_what_their_tables_have(
    language: str, titles: tuple[str, ...]
) -> None:
    context = context_of(sample(), language)
    whole = composer("messaging", SUITE)(context)
    charts = {
        block.title: block
        for section in whole.sections
        for block in section.blocks
        if isinstance(block, Chart)
    }
    drawn = [charts[title] for title in titles]
    assert [panel.title for panel in drawn[0].panels] == [panel.title for panel in drawn[1].panels]
    assert context.mode_title("direct") in {panel.title for panel in drawn[0].panels}


def test_figure_6_has_the_time_of_a_thousand_messages_that_table_9_has() -> None:
    context = context_of(sample())
    (chart,) = (
        block
        for section in composer("messaging", SUITE)(context).sections
        for block in section.blocks
        if isinstance(block, Chart) and block.title == "Figure 6: echo by size"
    )
    direct = next(p for p in chart.panels if p.title == context.mode_title("direct"))
    assert direct.description.startswith("time of 1,000 messages by bytes of a message")
    drawn = {(row["who"], row["x"]): row["y"] for row in direct.spec["datasets"]["points"]}
    table = rows(section(own(sample()), "table-9"), "Table 9 · direct")
    first = next(n for n, row in enumerate(table) if row[0].startswith("Socket, buffered"))
    assert table[first][1] == "1,000 messages, ms"
    shown = [float(cell.split(" ")[0]) for cell in table[first][2:]]
    assert [drawn["socket", size] for size in (1000, 10000)] == pytest.approx(shown)


def test_what_the_study_announced_by_size_is_told_by_delivery_and_by_clients() -> None:
    text = section(own(sample()), "by-size")
    direct, answered = (context_of(sample()).mode_title(mode) for mode in ("direct", "responder"))
    told = {row[1]: row[2:] for row in rows(text, f"Broadcast by size · {direct}")}
    # 0.025 s and twice that for 100,000 deliveries.
    assert [cell.split()[0] for cell in told["per delivery, µs"]] == ["0.250", "0.500"]
    asked = {row[1]: row[2:] for row in rows(text, f"Echo by size and clients · {answered}")}
    assert [cell.split()[0] for cell in asked["p50, ms"]] == ["48.0", "96.0"]
    assert "Broadcast by size · " + answered not in text
    gone = own(without(sample(), scenario=["broadcast-size", "echo-size-clients"]))
    assert is_gone("In its chapter III the study announces", gone)


def test_a_stream_is_told_in_messages_and_in_bytes_a_second() -> None:
    text = section(own(sample()), "stream")
    sent, received = (
        {row[1]: row[2:] for row in rows(text, caption)}
        for caption in ("Messages sent a second, each in time", "Payload received a second")
    )
    # 240 messages of 1,000 bytes in a tick of 2 ms; 900 in one of 10 ms, 300 of them to four; and
    # 9 of 1 MB in one of 50 ms.
    assert sent["Socket, buffered frames (Java)"] == ["120,000", "90,000", "30,000", "180"]
    assert received["Socket, buffered frames (Java)"] == ["120", "90", "120", "180"]
    assert sent["NATS (Java)"] == ["≥ 500,000", "150,000", "70,000", "180"]
    assert sent["NATS (Python)"] == ["10,500", "8,000", "2,500", "180"]
    assert received["NATS (Python)"] == ["10.5", "8", "10", "180"]
    assert set(sent) == set(received)
    gone = own(without(sample(), scenario=STREAMS))
    assert is_gone("Messages sent a second", gone)


def test_what_is_made_for_streams_is_said_where_it_takes_part() -> None:
    said = "Both are made for streams"
    assert said not in section(own(sample()), "stream")
    stored = sample().model_dump_json().replace('"nats"', '"kafka"').replace('/nats"', '/kafka"')
    assert said in section(own(Result.model_validate_json(stored)), "stream")


def test_a_queue_tells_how_evenly_and_what_a_death_costs() -> None:
    text = section(own(sample()), "queues")
    alive = {row[0]: row[1:] for row in rows(text, "Four who share a queue")}
    dies = {row[0]: row[1:] for row in rows(text, "One of four dies")}
    assert set(alive) == set(dies) == {"JMS: Artemis (Java)", "NATS (Java)"}
    assert alive["JMS: Artemis (Java)"][3].startswith("0")
    assert [dies["JMS: Artemis (Java)"][n].split()[0] for n in (0, 1)] == ["0", "6"]
    assert [dies["NATS (Java)"][n].split()[0] for n in (0, 1)] == ["6", "0"]
    gone = own(without(sample(), scenario=["queue", "queue-death"]))
    assert is_gone("Four who share a queue", gone)


def test_one_search_decides_on_a_number_of_clients() -> None:
    text = own(sample())
    assert stand(text, "Sockets support 1,250 connections") == "supported"

    def fewer(cell):
        if (cell.scenario, cell.contender) != ("capacity-broadcast", "socket"):
            return cell
        return with_capacity(cell, verified=900, failed=1000)

    assert stand(own(changed(sample(), fewer)), "Sockets support 1,250") == "contradicted"

    def unknown(cell):
        if (cell.scenario, cell.contender) != ("capacity-broadcast", "socket"):
            return cell
        return with_capacity(cell, verified=900, failed=None)

    assert stand(own(changed(sample(), unknown)), "Sockets support 1,250") == "undecided"


def test_clients_and_broker_pay_apart() -> None:
    text = section(own(sample()), "clients-and-broker")
    table = {
        row[0]: row for row in rows(text, "At equal work: Echo at 200 messages/s · 1,000 bytes")
    }
    # 8 % of a core for 200 messages/s are 400 µs of CPU each.
    assert table["Socket, buffered frames (Java)"][2].startswith("400 [")
    assert table["Socket, buffered frames (Java)"][5].startswith("200 [")
    assert table["JMS: Artemis, responder (Java)"][8].startswith("300 [")
    plain = section(
        own(without(sample(), contender=["jms-artemis-responder"])),
        "clients-and-broker",
    )
    assert is_gone("responder: CPU", plain)
    memory = rows(text, "Memory in broadcasts")
    assert memory[0][1:3] == ["clients, MB", "150.0 [147.0–153.0]"]


def test_without_either_scenario_there_is_no_such_section() -> None:
    text = own(without(sample(), scenario=["echo-paced", "broadcast", "connect"]))
    assert is_gone("clients and broker apart", text)
    assert is_gone("What a connection costs", text)


def test_a_figure_that_its_samples_do_not_support_is_no_multiple() -> None:
    none = with_figure(sample(), "rmi", "steady", "echo.latency.p50", metric(None))
    table = {row[1]: row for row in rows(own(none), "As a multiple of plain sockets")}
    assert table["RMI (Java)"][3] == "–"
