"""Further clients of OPC UA, as a user runs them.

Contenders whose workers have other SDKs below them, and other versions or tunings of a neighbour,
go through the main scenario in turn, and through others, where their subscriptions, lanes,
validators or reconnects are another harness's, or version's.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from e2e import whole_runs
from e2e.building import build_behind_others
from e2e.drawn import drawn, has_turn
from e2e.opcua_clients import (
    CERTIFICATES,
    FURTHER,
    OUTCOMES,
    WAYS,
    found_or_told,
)

pytestmark = [pytest.mark.e2e, pytest.mark.long(5), pytest.mark.left_to_all]


ALIKE = "milo-c2"
"""A mere tuning of a neighbour."""

STUDIED = ("asyncua-1-1", "milo-0-6")
"""Versions that the study measured."""

ACCEPTING = "gopcua"
"""A client without a validator."""

TAKEN = drawn("opcua", FURTHER, (*STUDIED, ACCEPTING))

HARNESSED = [name for name in drawn("opcua", FURTHER, STUDIED[:1]) if name != ALIKE]
"""Contenders whose subscriptions and lanes are tried with this commit."""

TROUBLED = [name for name in drawn("opcua", FURTHER, [ACCEPTING, STUDIED[0]]) if name != ALIKE]
"""Contenders whose validators and reconnects are: always one that accepts what it should not, and
one that does not connect again."""

ACCEPTED = {("server-expired", ACCEPTING): "silent"}
"""Certificates that a client accepts though it should not, as its manifest says."""

ENDED = {
    ("request-timeout", "asyncua-1-1"): "not-recovered",
    ("session-expired", "asyncua-1-1"): "not-recovered",
    ("server-restart", "asyncua-1-1"): "not-recovered",
    ("session-expired", "async-opcua"): "not-recovered",
}
"""Faults after which a client does not connect again, as its manifest says."""

TRIES_LONG = ("server-down", "node-opcua")
"""The library tries again within a call to connect, which may outlast what a call is given."""


@pytest.fixture(scope="module")
def further(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of contenders that go through the main scenario alone."""
    build_behind_others("opcua", *TAKEN)
    here = tmp_path_factory.mktemp("further")
    chosen = [*whole_runs.only("--contender", TAKEN), "--scenario", "s7"]
    return whole_runs.run_suite(here, "opcua", *chosen, "--profile", "check", "--seed", "11")


@pytest.fixture(scope="module")
def harnessed(further: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of those that are no mere tuning in what their harness has besides."""
    here = tmp_path_factory.mktemp("harnessed")
    scenarios = whole_runs.only("--scenario", ["subscriptions", "capacity"])
    chosen = [*whole_runs.only("--contender", HARNESSED), *scenarios]
    return whole_runs.run_suite(here, "opcua", *chosen, "--profile", "check", "--seed", "11")


@pytest.fixture(scope="module")
def troubled(further: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of what callers see when something is wrong."""
    here = tmp_path_factory.mktemp("troubled")
    scenarios = whole_runs.only("--scenario", ["faults", "certificates"])
    chosen = [*whole_runs.only("--contender", TROUBLED), *scenarios]
    return whole_runs.run_suite(here, "opcua", *chosen, "--profile", "check", "--seed", "11")


def test_further_contenders_answer_rightly(further: Path) -> None:
    result = whole_runs.result_of(further)
    found = {n: p["manifest"]["language"] for n, p in result["participants"].items()}
    assert found == {name: FURTHER[name] for name in TAKEN}
    whole_runs.no_trial_failed(further)
    cells = {cell["contender"]: cell for cell in whole_runs.cells_of(result, "s7")}
    assert set(cells) == set(TAKEN)
    for name, cell in cells.items():
        assert cell["statuses"] == {"read": {"ok": 30}, "write": {"ok": 3}}, name
        accused = {finding["gate"] for finding in cell["findings"]}
        assert not accused & {"wrong-answer", "not-on-the-wire", "clock", "resource-sanity"}, name
    records = whole_runs.records_of(further).values()
    assert [record["verified"] for record in records if not 10 <= record["verified"] <= 37] == []
    english, korean = ((further / f"report-{which}.md").read_text() for which in ("en", "ko"))
    for participant in result["participants"].values():
        library = participant["manifest"]["library"]
        assert library["licence"] in english
        title = participant["manifest"]["title"]
        assert title["en"] in english
        assert (title["ko"] or title["en"]) in korean
    # Neither asyncua 2.1 nor Milo 1.1 is in the run: these are the study's own versions.
    for theirs, here in (("Python (asyncua)", "asyncua 1.1"), ("Java (Milo)", "Eclipse Milo 0.6")):
        assert f"What the study says of {theirs} is compared with {here}" in english
        assert f"원문의 {theirs} 수치와 문장은 다음과 비교합니다: {here}" in korean


def test_further_contenders_learn_of_changes_and_have_many_callers(harnessed: Path) -> None:
    result = whole_runs.result_of(harnessed)
    changes = {
        (cell["variant"], cell["contender"]): cell
        for cell in whole_runs.cells_of(result, "subscriptions")
    }
    assert set(changes) == {(way, one) for way in WAYS for one in HARNESSED}
    for (way, contender), cell in changes.items():
        assert cell["statuses"] == {WAYS[way]: {"ok": 15}}, (way, contender)
        gates = {found["gate"] for found in cell["findings"]}
        assert not gates & {"wrong-answer", "not-on-the-wire", "not-served"}, (way, contender)
    carried = {cell["contender"]: cell for cell in whole_runs.cells_of(result, "capacity")}
    assert sorted(carried) == HARNESSED
    assert [name for name, cell in carried.items() if not found_or_told(cell)] == []


def views_of(run: Path, scenario: str) -> dict[tuple[str, str], str]:
    """The view of each caller, by variant and contender."""
    return {
        (cell["variant"], cell["contender"]): cell["caller"][0]["outcome"]
        for cell in whole_runs.cells_of(whole_runs.result_of(run), scenario)
    }


def test_certificates_are_refused_but_for_those_that_a_manifest_tells_of(troubled: Path) -> None:
    expected = {(flaw, one): seen for flaw, seen in CERTIFICATES.items() for one in TROUBLED}
    assert len(expected) > len(CERTIFICATES)
    assert views_of(troubled, "certificates") == expected | ACCEPTED
    report = (troubled / "report-en.md").read_text()
    row = "| A server whose certificate has expired | "
    told = [line for line in report.splitlines() if line.startswith(row)]
    [expired] = [line for line in told if "| here |" not in line]
    assert expired.count("✘ **connected**") == len(ACCEPTED)
    assert expired.count("✔ **refused**") == len(TROUBLED) - len(ACCEPTED)
    assert "A pinned certificate that has expired is accepted" in report


def test_callers_see_faults_as_their_libraries_tell_them(troubled: Path) -> None:
    expected = {(fault, one): seen for fault, seen in OUTCOMES.items() for one in TROUBLED}
    expected |= {place: outcome for place, outcome in ENDED.items() if place in expected}
    seen = views_of(troubled, "faults")
    cells = {
        (cell["variant"], cell["contender"]): {finding["gate"] for finding in cell["findings"]}
        for cell in whole_runs.cells_of(whole_runs.result_of(troubled), "faults")
    }
    # A client that takes seconds to connect takes longer beside other work.
    late = {
        place
        for place, outcome in seen.items()
        if outcome == "hang" and (place == TRIES_LONG or "noisy-neighbour" in cells[place])
    }
    assert {place: outcome for place, outcome in seen.items() if place not in late} == {
        place: outcome for place, outcome in expected.items() if place not in late
    }


@has_turn("async-opcua", TROUBLED)
def test_keep_alives_that_count_bring_a_session_back_that_expired(tmp_path: Path) -> None:
    """Set in the one place in which the manifest has them; with the library's own it stays away."""
    build_behind_others("opcua", "async-opcua")
    counted = ("--set", "max_failed_keep_alive_count=1", "--set", "keep_alive_interval_ms=500")
    chosen = ("--scenario", "faults", "--contender", "async-opcua", *counted)
    run = whole_runs.run_suite(tmp_path, "opcua", *chosen, "--profile", "check")
    assert views_of(run, "faults")["session-expired", "async-opcua"] == "recovered"
    assert whole_runs.left_of(run) == set()


def test_nothing_is_left(further: Path, harnessed: Path, troubled: Path) -> None:
    assert whole_runs.left_of(further, harnessed, troubled) == set()
