"""Chapters that the suite ``messaging`` adds: the study's tables, guarantees, statements, faults.

``test_report_messaging_prices`` has the others. ``WIRELAB_UPDATE_GOLDEN=1`` writes the suite's
own sections in ``golden/`` anew: read the difference before keeping it.
"""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path

import pytest
from messaging_sample import SUITE, about, sample, with_figure, without
from messaging_text import OWN, is_gone, own, published, rows, section
from websocket_text import grounds, stand

from wirelab.report import write

GOLDEN = Path(__file__).parent / "golden"
UPDATE = os.environ.get("WIRELAB_UPDATE_GOLDEN") == "1"


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


def test_no_section_of_the_suite_s_own_is_left_out_of_what_is_kept() -> None:
    made = [
        anchor.value
        for chapter in (SUITE / "chapters").glob("*.py")
        for node in ast.walk(ast.parse(chapter.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if node.func.id == "Section" and isinstance(anchor := node.args[1], ast.Constant)
    ]
    assert sorted(map(str, made)) == sorted(OWN)


def test_every_section_that_the_study_s_page_leads_to_is_in_a_report() -> None:
    page = (SUITE.parents[1] / "docs" / "studies" / "messaging.md").read_text("utf-8")
    table = page.split("\n## Its rows\n")[1].split("\n## ")[0]
    named = re.findall(r"`([a-z0-9-]+)`", " ".join(re.findall(r"\| ([^|]*) \|$", table, re.M)))
    assert len(set(named)) > 14
    text = own(sample())
    assert [anchor for anchor in named if f'<a id="{anchor}"></a>' not in text] == []


# ------------------------------------------------------------------------------ tables


def test_every_figure_of_the_study_s_tables_is_shown() -> None:
    text = own(sample(), "ko")
    wanted = [
        digits
        for figures in published().figures.values()
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
    lost = [row for row in rows(text, "Table 7 · via its own queue") if "lost" in row[1]]
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
    assert is_gone('<a id="table-6">', text)
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


def test_echoes_of_few_clients_decide_on_the_study() -> None:
    text = own(sample())
    few = "With echoes, too, few clients that send much perform a little better"
    assert stand(text, few) == "supported"
    slower = with_figure(sample(), "rmi", "c100-m100", "echo.rate", about(3000.0, "message/s"))
    assert stand(own(slower), few) == "contradicted"


def test_time_per_delivery_is_of_one_trial() -> None:
    text = section(own(sample()), "table-7")
    table = rows(text, "Table 7 · direct")
    first = next(n for n, row in enumerate(table) if row[0].startswith("Socket, buffered"))
    socket = table[first + 1]
    assert socket[1] == "per delivery, µs"
    # 100 users, 10 messages each to all: 100,000 deliveries in 0.025 s.
    assert socket[2].startswith("0.25")


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


def test_a_kind_of_echo_has_words_in_both_languages() -> None:
    for language, title, meaning in (
        ("en", "via its own queue", "nobody: the broker"),
        ("ko", "자기 큐 경유", "응답 클라이언트 없음"),
    ):
        text = own(sample(), language)
        assert f"{title}: {meaning}" in section(text, "meanings")
        assert f" · {title}**" in text
        assert "own-queue" not in text
