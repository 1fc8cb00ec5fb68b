"""The choice by situation of the suite ``messaging``: by ranks, with ties said."""

from __future__ import annotations

from messaging_sample import about, changed, sample, with_capacity, with_figure
from messaging_text import own, rows, section

from wirelab.model.result import Cell, Result, Verdict

SOCKET, RMI, NAIVE = (
    f"{title} (Java)" for title in ("Socket, buffered frames", "RMI", "Socket, as in 2004")
)
TIED = "(not told apart)"


def table(found: Result) -> list[list[str]]:
    """Rows of the table."""
    return rows(section(own(found), "choice"), "Choice by situation")


def chosen(found: Result, situation: str, echo: str) -> list[list[str]]:
    """Lines of the first and of the next choice."""
    known: dict[tuple[str, str], list[str]] = {}
    title = ""
    for row in table(found):
        title = row[0] or title
        known[title, row[1]] = row[2:]
    return [entry.split("<br>") for entry in known[situation, echo][:2]]


def test_a_row_for_each_situation_says_what_would_change_it() -> None:
    told = table(sample())
    assert [row[0] for row in told if row[0]] == [
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
    broker = next(row for row in told if row[0] == "no broker")
    assert broker[-1].startswith("who has to know whom")


def test_first_and_next_are_those_that_ranks_tell_apart() -> None:
    first, after = chosen(sample(), "lowest latency", "direct")
    assert first == [f"**{SOCKET}** 0.050 [0.049–0.051]"]
    assert after == [f"**{RMI}** 0.120 [0.118–0.122]"]
    (streams,), (slower,) = chosen(
        sample(), "most messages a second, with 100 ms to spare", "via its own queue"
    )
    assert (streams, slower) == ("**NATS (Java)** 150,000", "**NATS (Python)** 8,000")
    feed = chosen(sample(), "one feed for several readers", "direct")
    assert feed == [[f"**{SOCKET}** 30,000"], ["–"]]
    (queue,), _ = chosen(sample(), "consumers that compete", "via its own queue")
    assert queue.startswith("**JMS: Artemis (Java)**")


def test_all_that_share_the_first_rank_are_named_and_the_tie_is_said() -> None:
    close = with_figure(sample(), "rmi", "steady", "echo.latency.p50", about(0.0505))
    first, after = chosen(close, "lowest latency", "direct")
    assert [line.partition("** ")[0] for line in first] == [f"**{SOCKET}", f"**{RMI}", TIED]
    assert [line.partition("** ")[0] for line in after] == [f"**{NAIVE}"]


def test_all_that_share_the_next_rank_are_named() -> None:
    close = with_figure(sample(), "rmi", "steady", "echo.latency.p50", about(44.2))
    first, after = chosen(close, "lowest latency", "direct")
    assert len(first) == 1
    assert [line.partition("** ")[0] for line in after] == [f"**{NAIVE}", f"**{RMI}", TIED]


def test_searches_that_know_no_end_are_tied() -> None:
    first, after = chosen(sample(), "thousands of clients", "direct")
    assert len(first) == 4
    assert first[-1] == TIED
    assert after == ["–"]

    def fewer(cell: Cell) -> Cell:
        if (cell.scenario, cell.contender) != ("capacity-broadcast", "rmi"):
            return cell
        return with_capacity(cell, verified=900, failed=920)

    first, after = chosen(changed(sample(), fewer), "thousands of clients", "direct")
    assert len(first) == 3
    assert after == [f"**{RMI}** 900"]


def test_memory_is_ranked_where_it_decides() -> None:
    first, after = chosen(sample(), "least memory", "direct")
    assert first == [f"**{RMI}** 180 [176–184]"]
    assert [line.partition("** ")[0] for line in after] == [f"**{SOCKET}", f"**{NAIVE}", TIED]


def test_who_has_no_company_is_named_alone() -> None:
    (first, *others), after = chosen(sample(), "durable messages", "persistent")
    assert first.startswith("**JMS: Artemis, persistent (Java)** 3.20 [")
    assert (others, after) == ([], ["–"])
    (first, *_), after = chosen(sample(), "a program in Python", "via its own queue")
    assert (first, after) == ("**NATS (Python)** 0.250 [0.245–0.255]", ["–"])


def test_of_two_that_wait_for_the_disk_the_sooner_one_is_first() -> None:
    other, title = "jms-artemis-responder", "JMS: Artemis, responder (Java)"
    found = sample()
    known = found.participants[other]
    manifest = known.manifest.model_copy(update={"mode": "persistent"})
    people = {**found.participants, other: known.model_copy(update={"manifest": manifest})}

    def stored(cell: Cell) -> Cell:
        return cell.model_copy(update={"mode": "persistent"}) if cell.contender == other else cell

    both = changed(found.model_copy(update={"participants": people}), stored)
    first, after = chosen(both, "durable messages", "persistent")
    assert [line.partition("** ")[0] for line in first] == [f"**{title}"]
    assert [line.partition("** ")[0] for line in after] == ["**JMS: Artemis, persistent (Java)"]


def test_a_single_trial_chooses_nobody() -> None:
    def once(cell: Cell) -> Cell:
        figures = {
            name: one.model_copy(update={"interval": None, "per_trial": one.per_trial[:1]})
            for name, one in cell.metrics.items()
        }
        return cell.model_copy(update={"trials": cell.trials[:1], "metrics": figures})

    found = changed(sample(), once)
    assert chosen(found, "lowest latency", "direct") == [
        ["one trial: nothing can be told apart"],
        ["–"],
    ]
    # A search is an interval of its own.
    (first,), _ = chosen(found, "most messages a second", "via its own queue")
    assert first == "**NATS (Java)** ≥ 500,000"


def test_without_ranks_nobody_is_chosen_and_trials_are_not_blamed() -> None:
    ranked = sample()
    cells = [cell.model_copy(update={"ranks": {}}) for cell in ranked.cells]
    found = chosen(ranked.model_copy(update={"cells": cells}), "lowest latency", "direct")
    assert found == [["not ranked in this run"], ["–"]]


def test_an_invalid_leader_is_not_chosen() -> None:
    def spoiled(cell: Cell) -> Cell:
        if (cell.scenario, cell.contender) != ("transfer-steady", "socket"):
            return cell
        return cell.model_copy(update={"verdict": Verdict.INVALID})

    (first, *_), _ = chosen(changed(sample(), spoiled), "lowest latency", "direct")
    assert first.startswith(f"**{RMI}**")
