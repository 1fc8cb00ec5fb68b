"""Chapters that the suite ``messaging`` adds: the study's tables, the price of everything.

``WIRELAB_UPDATE_GOLDEN=1`` writes the suite's own sections in ``golden/`` anew: read the difference
before keeping it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from messaging_sample import (
    CONTENDERS,
    SUITE,
    about,
    changed,
    sample,
    with_capacity,
    with_figure,
    without,
)
from report_build import metric
from told_once import told_once
from websocket_text import grounds, stand

from wirelab.model.result import Result, Series, Verdict
from wirelab.report import write
from wirelab.report.context import Context
from wirelab.report.document import Chart, Document
from wirelab.report.forms.markdown import render_markdown
from wirelab.report.published import read_published
from wirelab.report.sections import errors
from wirelab.report.sources import composer
from wirelab.words.translation import words

GOLDEN = Path(__file__).parent / "golden"
UPDATE = os.environ.get("WIRELAB_UPDATE_GOLDEN") == "1"
STREAMS = ("stream-10ms", "stream-100ms", "stream-fan-out", "stream-1mb")
OWN = (
    *("meanings", "table-5", "table-6", "table-7", "table-8", "table-9", "by-size", "sockets"),
    *("guarantees", "connecting", "capacities", "stream", "queues", "clients-and-broker"),
    *("choice", "statements", "not-to-be-had"),
)


def context_of(found: Result, language: str = "en") -> Context:
    published = read_published(SUITE / "published.toml")
    return Context(found, Series(cells={}), words(language, SUITE / "locale"), published)


def own(found: Result, language: str = "en") -> str:
    """The first screen and the suite's own sections, and what callers saw, as Markdown."""

    def composed() -> str:
        context = context_of(found, language)
        whole = composer("messaging", SUITE)(context)
        sections = [section for section in whole.sections if section.anchor in OWN]
        sections += errors.sections(context)
        shown = Document("t", "s", language, (), whole.overview, tuple(sections), ())
        return render_markdown(shown)

    return told_once(found, language, compose=composed)


def section(text: str, anchor: str) -> str:
    """Text of one section."""
    return text.split(f'<a id="{anchor}"></a>', 1)[1].split('<a id="', 1)[0]


def rows(text: str, caption: str) -> list[list[str]]:
    """Rows of the table below a caption."""
    table = text.split(f"**{caption}**", 1)[1].strip().split("\n\n")[0]
    return [[c.strip() for c in line.strip("|").split(" | ")] for line in table.splitlines()[2:]]


def test_the_suite_s_own_sections_are_as_kept() -> None:
    kept = GOLDEN / "messaging-en.md"
    found = own(sample())
    if UPDATE:
        kept.write_text(found, "utf-8")
    assert found == kept.read_text("utf-8")


def test_both_languages_have_the_same_figures() -> None:
    english, korean = (
        sorted(re.findall(r"\d[\d.,]* \[\d[\d.,]*–\d[\d.,]*\]", own(sample(), language)))
        for language in ("en", "ko")
    )
    assert len(english) > 200
    assert english == korean


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_whole_report_is_written(tmp_path: Path, language: str) -> None:
    (tmp_path / "result.json").write_text(sample().model_dump_json(), "utf-8")
    (path,) = write(tmp_path, language, ["md"], SUITE)
    anchors = re.findall(r'<a id="([^"]+)"></a>', path.read_text("utf-8"))
    assert [anchor for anchor in anchors if anchor in OWN] == list(OWN)


# ------------------------------------------------------------------------------ tables


def test_every_figure_of_the_study_s_tables_is_shown() -> None:
    text = own(sample(), "ko")
    published = read_published(SUITE / "published.toml")
    assert published is not None
    wanted = [
        digits
        for figures in published.figures.values()
        for key, digits in figures.items()
        # Steps that this run did not carry out have no column.
        if key.startswith(("transfer.", "clients.", "broadcast.c100-m10", "echo-size.size-1000"))
    ]
    assert len(wanted) > 30
    for digits in wanted:
        whole, _, fraction = digits.partition(".")
        assert f"{int(whole):,}{'.' if fraction else ''}{fraction}" in text, digits


def test_a_lost_delivery_is_counted_in_its_table_and_the_cell_is_invalid() -> None:
    text = section(own(sample()), "table-7")
    lost = [row for row in rows(text, "Table 7 · own-queue") if "lost" in row[1]]
    assert [row[2] for row in lost] == ["0", "0", "(1)"]
    assert "invalid" in text


def test_connecting_and_sending_stand_apart_and_summed_beside_table_6() -> None:
    text = section(own(sample()), "table-6")
    table = rows(text, "Table 6 · direct")
    first = next(n for n, row in enumerate(table) if row[0].startswith("Socket, buffered"))
    told = {row[1]: row[2:] for row in table[first : first + 9]}
    # 100 clients connect in 30 x 0.05 ms each, and send 100 x 100 messages in 2.5 ms.
    assert [told[name][0].split(" ")[0] for name in ("connecting, s", "both, s")] == [
        "0.1500",
        "0.1525",
    ]
    assert told["per delivery, µs"][0].startswith("0.25")
    assert [digits.split("<")[0] for digits in told["published"]] == ["0.594", "3.235"]
    alone = rows(text, "One sends to all · direct")
    assert [row[1] for row in alone[:3]] == ["time, s", "first client, ms", "last client, ms"]


def test_without_clients_table_6_stands_as_published() -> None:
    text = own(without(sample(), scenario=["clients"]))
    assert '<a id="table-6">' not in text
    assert "697.767" in section(text, "table-7")


def test_what_nobody_can_have_means_nothing_by_an_echo() -> None:
    text = own(sample())
    assert [row[0] for row in rows(text, "Not to be had")] == ["SonicMQ"]
    assert "SonicMQ" not in section(text, "meanings")
    assert "JMS: Artemis (Java)" in section(text, "meanings")


def test_echoes_of_jms_stand_beside_both_ways_to_read_the_study() -> None:
    text = own(sample())
    for anchor, digits in (("table-5", "0.843"), ("table-9", "3,750")):
        assert section(text, anchor).count(digits) == 2
    assert "can be read in two ways" in section(text, "table-5")


def test_first_and_last_of_echoes_decide_on_the_study() -> None:
    text = own(sample())
    even = "With echoes, too, the first and the last client of sockets do not differ"
    assert stand(text, even) == "supported"
    late = with_figure(sample(), "socket", "c100-m10", "echo.last", about(99.0))
    assert stand(own(late), even) == "contradicted"


def test_time_per_delivery_is_of_one_trial() -> None:
    text = section(own(sample()), "table-7")
    table = rows(text, "Table 7 · direct")
    first = next(n for n, row in enumerate(table) if row[0].startswith("Socket, buffered"))
    socket = table[first + 1]
    assert socket[1] == "per delivery, µs"
    # 100 users, 10 messages each to all: 100,000 deliveries in 0.025 s.
    assert socket[2].startswith("0.25")


# ------------------------------------------------------- prices: sockets, connections, processors


def test_plain_sockets_are_the_measure_of_everybody() -> None:
    text = section(own(sample()), "sockets")
    table = {row[1]: row for row in rows(text, "As a multiple of plain sockets")}
    assert "Socket, buffered frames (Java)" not in table
    assert len(table) == len(CONTENDERS) - 1
    assert table["RMI (Java)"][3].startswith("2.40 [")
    assert table["JMS: Artemis, persistent (Java)"][3].startswith("64")
    nobody = own(without(sample(), contender=["socket"]))
    assert "Against plain sockets" not in nobody


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
    assert "in echoes, ×" not in cold


def test_a_capacity_stands_beside_what_the_study_counted() -> None:
    text = section(own(sample()), "capacities")
    table = {row[1]: row[2:] for row in rows(text, "Clients that each holds")}
    assert table["Socket, buffered frames (Java)"][:2] == ["≥ 1,300", "–"]
    assert table["JMS: Artemis (Java)"][:2] == ["680", "–"]
    published = [table[name][2] for name in ("RMI (Java)", "JMS: Artemis (Java)")]
    assert [said.split("<")[0] for said in published] == ["at least 1,300", "900"]
    nobody = own(without(sample(), scenario=["capacity-broadcast"]))
    assert "How many clients each holds" not in nobody


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
                f"Figures 1 and 2: {what} by their number"
                for what in ("one more application", "memory of the applications")
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
    assert "In its chapter III the study announces" not in gone


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
    assert "Messages sent a second" not in gone


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
    assert "Four who share a queue" not in gone


def test_a_choice_names_first_and_next_and_what_would_change_it() -> None:
    table = rows(section(own(sample()), "choice"), "Choice by situation")
    titles = [row[0] for row in table if row[0]]
    assert titles == [
        "lowest latency",
        "no broker",
        "thousands of clients",
        "most messages a second",
        "most messages a second, with 100 ms to spare",
        "one feed for several readers",
        "least memory",
        "durable messages",
        "consumers that compete",
        "a program in Python",
    ]
    told = {(row[0], row[1]): row[2:] for row in table}
    socket, rmi = "Socket, buffered frames (Java)", "RMI (Java)"
    assert [told["lowest latency", "direct"][n] for n in (0, 2)] == [socket, rmi]
    assert [told["least memory", "direct"][n] for n in (0, 2)] == [rmi, socket]
    assert told["durable messages", "persistent"][2] == "–"
    assert told["a program in Python", "own-queue"][0] == "NATS (Python)"
    assert told["no broker", "direct"][-1].startswith("who has to know whom")
    assert told["consumers that compete", "own-queue"][0] == "JMS: Artemis (Java)"
    # Of two kinds of echo, of which the direct one comes first.
    at = [row[0] for row in table].index("most messages a second, with 100 ms to spare")
    assert table[at + 1][1:6] == ["own-queue", "NATS (Java)", "150,000", "NATS (Python)", "8,000"]
    assert told["one feed for several readers", "direct"][:2] == [socket, "30,000"]


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
    assert "responder: CPU" not in plain
    memory = rows(text, "Memory in broadcasts")
    assert memory[0][1:3] == ["clients, MB", "150.0 [147.0–153.0]"]


def test_without_either_scenario_there_is_no_such_section() -> None:
    text = own(without(sample(), scenario=["echo-paced", "broadcast", "connect"]))
    assert "clients and broker apart" not in text
    assert "What a connection costs" not in text


# ---------------------------------------------------------------------- guarantees, statements


def test_a_guarantee_costs_what_its_pair_differs_by() -> None:
    table = {row[0]: row for row in rows(own(sample()), "The cost of a guarantee")}
    disk = table["each message on disk before it is acknowledged"]
    assert disk[-1].startswith("8.0")
    assert table["Python instead of Java"][-1].startswith("2.50")


def test_the_file_system_of_a_journal_is_said_where_anybody_stores() -> None:
    said = "What is stored lies on the file system of the results: ext4."
    assert said in section(own(sample()), "guarantees")
    assert "ext4" in section(own(sample(), "ko"), "guarantees")
    nobody = own(without(sample(), contender=["jms-artemis-persistent"]))
    assert said not in section(nobody, "guarantees")


def test_statements_follow_the_figures() -> None:
    text = own(sample())
    assert stand(text, "For transferring data, sockets perform best") == "supported"
    assert stand(text, "With RMI, the first client of a broadcast waits longest") == "supported"
    assert stand(text, "RMI connects 1,300") == "supported"
    assert stand(text, "RMI supports more connections") == "undecided"
    assert stand(text, "RMI uses less memory") == "supported"
    slow = with_figure(sample(), "socket", "steady", "step.elapsed", about(9.0, "s"))
    slow = with_figure(slow, "socket", "cold", "step.elapsed", about(9.0, "s"))
    assert stand(own(slow), "For transferring data, sockets perform best") == "contradicted"


def test_what_was_not_measured_leaves_a_statement_open_and_says_so() -> None:
    text = own(without(sample(), scenario=["transfer", "transfer-steady"]))
    assert stand(text, "For transferring data, sockets perform best") == "undecided"
    said = grounds(text, "For transferring data")
    assert "not run this time: ./wl run messaging --scenario transfer" in said


# ------------------------------------------------------------------------------------ faults


def test_every_fault_has_one_row_whatever_echo_means() -> None:
    text = own(sample())
    seen = rows(text, "What the caller sees")
    titles = [row[0] for row in seen if row[0]]
    assert titles == [
        "Server or broker not there",
        "A password the broker does not know",
        "Server or broker killed and restarted",
    ]


def test_who_has_no_passwords_is_told_from_who_was_not_measured() -> None:
    text = own(sample())
    heads = text.split("**What the caller sees**", 1)[1].strip().splitlines()[0]
    names = [name.strip() for name in heads.strip("|").split(" | ")]
    seen = {
        row[0]: dict(zip(names, row, strict=True)) for row in rows(text, "What the caller sees")
    }
    login = seen["A password the broker does not know"]
    assert "JMSSecurityException" in login["NATS (Java)"]
    assert login["Socket, buffered frames (Java)"] == "not supported"
    assert login["RMI (Java)"] == "not supported"
    assert seen["Server or broker killed and restarted"]["RMI (Java)"] == "not measured"


def test_a_figure_that_its_samples_do_not_support_is_no_multiple() -> None:
    none = with_figure(sample(), "rmi", "steady", "echo.latency.p50", metric(None))
    table = {row[1]: row for row in rows(own(none), "As a multiple of plain sockets")}
    assert table["RMI (Java)"][3] == "–"


def test_a_kind_of_echo_has_words_in_both_languages() -> None:
    for language, title, meaning in (
        ("en", "own-queue", "nobody: the broker"),
        ("ko", "자기 큐 경유", "응답 클라이언트 없음"),
    ):
        text = own(sample(), language)
        assert f"{title}: {meaning}" in section(text, "meanings")
        assert f" · {title}**" in text
    assert "own-queue" not in own(sample(), "ko")
