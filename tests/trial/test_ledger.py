"""Items that good operations asked for, held against what a service served."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from synthetic import Client, load_run, load_scenario
from wirelab.model.events import Served
from wirelab.model.ledger import LedgerEntry
from wirelab.model.parts import Operation
from wirelab.model.planned import PlannedStep
from wirelab.samples import format as samples
from wirelab.trial.ledger import Claims, ServedItems, claims_of, compared
from wirelab.trial.load import load_of
from wirelab.trial.turns import KeptRecords

SECOND = 1_000_000_000
READ = Operation(code=1, ledger="records")
OPERATIONS = {"read": READ, "write": Operation(code=2)}
STEPS = [
    PlannedStep(name=name, first=first, count=10, settle=2, users=1, lanes=1)
    for first, name in ((0, "few"), (10, "many"))
]


def said(at: float | None, records: int) -> Served:
    at_ns = None if at is None else round(at * SECOND)
    return Served(event="served", items={"records": records, "batches": 3}, monotonic_ns=at_ns)


def counts(*all_said: Served, role: str = "server") -> ServedItems:
    served = ServedItems()
    for one in all_said:
        served.hear(role, one)
    return served


def claims(*, ticks: int = 20, items: int = 100) -> Claims:
    tick = np.arange(ticks)
    start = tick * SECOND // 2
    return Claims(tick, start, start + SECOND // 4, np.full(ticks, items))


def entries(served: ServedItems) -> dict[str, LedgerEntry]:
    """Entries of the whole trial and of its steps."""
    found = compared({"read": claims()}, OPERATIONS, served, STEPS)
    return {"": found.entries["read"], **{name: own["read"] for name, own in found.steps.items()}}


def test_both_sides_are_sums_of_the_whole_trial() -> None:
    served = counts(said(None, 1999))
    served.hear("other", said(None, 2))
    expected = LedgerEntry(claimed=2000, served=2001)
    assert compared({"read": claims()}, OPERATIONS, served, []).entries == {"read": expected}


def test_a_step_is_held_against_what_was_served_around_it() -> None:
    # Two thirds of the first step came from a cache, and the second one asked for twice as much.
    served = counts(*(said(at, 66 * at) for at in range(6)), said(11, 330 + 2_000), said(11, 2_330))
    found = entries(served)
    assert found[""] == LedgerEntry(claimed=2000, served=2330)
    assert found["few"].claimed == 1000
    assert found["few"].served == 330
    assert found["many"] == LedgerEntry(claimed=1000, served=2330 - 66 * 4)


def test_what_was_served_about_when_a_step_ended_is_for_the_step() -> None:
    # The last answer came at 4.75 s; counted is what was said a tenth of a second later or more.
    at_last = said(12, 2000)
    assert entries(counts(said(4.8, 900), said(6, 1100), at_last))["few"].served == 1100
    assert entries(counts(said(4.9, 1000), said(6, 1100), at_last))["few"].served == 1000


def test_a_service_that_says_it_at_the_end_alone_says_the_same_of_every_step() -> None:
    found = entries(counts(said(None, 1500)))
    assert {name: one.served for name, one in found.items()} == dict.fromkeys(found, 1500)
    assert found.keys() == {"", "few", "many"}


def test_what_was_surely_served_is_held_against_the_most_that_may_be_asked_for() -> None:
    # Asked from 0 to 9.75 s, at the most 120 items each; one in two of the operations failed.
    own = claims()
    every = slice(0, 19, 2)
    bounded = Claims(
        own.tick[every], own.start_ns[every], own.end_ns[every], own.items[every], np.full(10, 120)
    )
    served = counts(said(-1, 50), said(1, 400), said(9, 2_900), said(12, 4_000))
    found = compared({"read": bounded}, OPERATIONS, served, []).entries["read"]
    assert (found.at_most, found.surely) == (120 * 19, 2_900 - 400)
    others = {"read": Operation(code=1, ledger="records", ledger_most="batches")}
    entry = compared({"read": bounded}, others, served, []).entries["read"]
    # Batches, of which the service counted no more.
    assert (entry.served, entry.surely) == (found.served, 0)


@pytest.mark.parametrize(("written", "told"), [(60, (60, 50)), (50, (2_000, 2_001))])
def test_what_is_not_written_is_not_made_up_for_by_what_is_looked_for(
    written: int, told: tuple[int, int]
) -> None:
    own = claims()
    each = np.where(np.arange(20) < written // 5, 5, 0)
    both = Claims(own.tick, own.start_ns, own.end_ns, own.items, None, each)
    served = ServedItems()
    served.hear("server", Served(event="served", items={"records": 2_001, "kept": 50}))
    writing = {"read": Operation(code=1, ledger="records", ledger_written="kept")}
    entry = compared({"read": both}, writing, served, []).entries["read"]
    assert (entry.claimed, entry.served) == told


def bounded_claims(tick: list[int], **changes: Any) -> Claims:
    """Operations of a quarter of a second from each tick on, of 120 items at the most."""
    own = np.array(tick)
    start = own * SECOND // 2
    most = np.full(len(own), 120)
    return Claims(own, start, start + SECOND // 4, most, most, **changes)


@pytest.mark.parametrize(
    ("tick", "every", "due"),
    [
        # Every fifth tick, of which the third had no good one.
        ([0, 5, 15], 5, 4),
        # Two lanes, one of which failed at the second tick of three.
        ([0, 0, 1, 2, 2], 1, 6),
    ],
)
def test_operations_that_failed_may_ask_as_well(tick: list[int], every: int, due: int) -> None:
    own = bounded_claims(tick, every=every)
    found = compared({"read": own}, OPERATIONS, counts(said(20, 5)), []).entries["read"]
    assert found.at_most == due * 120


@pytest.mark.parametrize(
    ("first", "last", "surely"), [(0.05, 9.2, 2_900 - 400), (0.2, 9.1, 3_000 - 100)]
)
def test_what_was_counted_about_the_begin_or_the_end_is_not_sure(
    first: float, last: float, surely: int
) -> None:
    """Operations go on from 0 to 9.25 s: a count at 0.05 s may lack what was served before, and one
    at 9.2 s may have what is asked for after.
    """
    own = bounded_claims([0, 18])
    times = zip((first, 1, 9, last, 12), (100, 400, 2_900, 3_000, 4_000), strict=True)
    served = counts(*(said(at, records) for at, records in times))
    found = compared({"read": own}, OPERATIONS, served, []).entries["read"]
    assert found.surely == surely


def test_what_several_operations_ask_for_bounds_none_of_them() -> None:
    operations = {"read": READ, "scan": Operation(code=3, ledger="records")}
    served = counts(said(0.5, 100), said(9, 50_000), said(12, 60_000))
    for known, at_most in ((OPERATIONS, 20 * 120), (operations, None)):
        own = {"read": bounded_claims([*range(20)])}
        found = compared(own, known, served, []).entries["read"]
        assert found.at_most == at_most


@pytest.mark.parametrize(("known", "at_most"), [(4, 4 * 120), (3, None)])
def test_one_turn_that_the_rule_does_not_know_leaves_all_without_a_bound(
    tmp_path: Path, known: int, at_most: int | None
) -> None:
    run = load_run({"swift": Client()})
    trial, scenario = run.trials[0].planned, load_scenario()
    period_ns, lane = scenario.period or 0, 0
    records = np.zeros(4, dtype=samples.RECORD)
    records["intended_ns"] = records["start_ns"] = SECOND + np.arange(4) * period_ns
    records["end_ns"], records["op"], records["lane"] = records["start_ns"] + 1, READ.code, lane
    samples.write_parquet(records, tmp_path / "client.parquet")
    bounds = {
        "op": np.full(known, READ.code),
        "lane": np.full(known, lane),
        "start_ns": records["start_ns"][:known].astype(np.int64),
        "items": np.full(known, 120),
    }
    kept = KeptRecords(tmp_path / "client.parquet", SECOND)
    own = dict(claims_of(load_of(trial, scenario), {"read": READ}, None, bounds, kept))
    found = compared(own, {"read": READ}, counts(said(20, 5)), []).entries["read"]
    assert (found.claimed, found.at_most) == (4 * READ.items, at_most)


@pytest.mark.parametrize("operations", [{"read": Operation(code=1)}, OPERATIONS])
def test_nothing_is_compared_with_what_nobody_counts(operations: dict[str, Operation]) -> None:
    served = ServedItems()
    served.hear("server", Served(event="served", items={"batches": 3}))
    found = compared({"read": claims()}, operations, served, STEPS)
    assert (found.entries, found.steps) == ({}, {})


def test_a_service_that_fell_silent_before_the_end_says_nothing() -> None:
    served = counts(said(4, 900), said(9.7, 1900))  # the last answer came at 9.75 s
    found = compared({"read": claims()}, OPERATIONS, served, STEPS)
    assert found.entries == {}
    assert set(found.steps) == {"few"}


def test_who_claims_nothing_is_held_against_nothing() -> None:
    none = claims(ticks=0)
    assert compared({"read": none}, OPERATIONS, counts(said(None, 9)), STEPS).entries == {}
