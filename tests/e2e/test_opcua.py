"""The first suite as a user runs it: real server, real clients, a report.

One run has contenders of four languages in every scenario; the one in C# takes part where a source
of NuGet has its package. ``test_opcua_further`` has the others.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.command_lines import said
from e2e import whole_runs
from e2e.building import build_behind_others
from e2e.opcua_clients import CERTIFICATES, FURTHER, OUTCOMES, SUITE, WAYS, found_or_told
from reports_of_runs import EVERY
from study_rows import STUDIES, answered_by, without_section
from wirelab.model.trial import OF_TOO_LITTLE

pytestmark = [pytest.mark.e2e, pytest.mark.long(8), pytest.mark.left_to_all]

METRICS = [
    *(
        f"{operation}.{kind}.{figure}"
        for operation in ("read", "write")
        for kind in ("latency", "response")
        for figure in ("mean", "p50", "p95", "p99", "max")
    ),
    *(f"tick.drift.{figure}" for figure in ("mean", "p95", "max")),
    *("read.rate", "write.rate", "read.miss.count", "write.miss.count"),
    *("cpu.mean", "cpu.p95", "rss.start", "rss.max", "rss.growth"),
]
MAIN_OPERATION_FIGURES = ("read.latency.mean", "read.response.mean", "read.rate", "cpu.mean")
CONTENDERS = ("asyncua", "milo", "open62541")
CSHARP = "csharp-opcfoundation"
PROCESSES = 2
"""Processes of the one variant that the profile has: with as many, all would be one trial."""

WITH_LANES = {"asyncua", "milo", "open62541"}
"""Clients whose workers play many callers."""

POLICIES = {
    "none": ("None", "SignAndEncrypt"),
    "basic256sha256-sign": ("Basic256Sha256", "Sign"),
    "basic256sha256-encrypt": ("Basic256Sha256", "SignAndEncrypt"),
    "aes128-sign": ("Aes128_Sha256_RsaOaep", "Sign"),
    "aes128-encrypt": ("Aes128_Sha256_RsaOaep", "SignAndEncrypt"),
}
"""By the beginning of a variant: policy, and mode where there is one."""

OPENED = ("none", "basic256sha256-encrypt")
"""Policies with trials of opening sessions in the profile; calls are made under every one."""

LITTLE = {
    "whole": {},
    "processor-50": {"processor": 0.5, "memory": None},
    "processor-25": {"processor": 0.25, "memory": None},
    "processor-10": {"processor": 0.1, "memory": None},
    "memory-256": {"processor": None, "memory": 256 << 20},
    "memory-128": {"processor": None, "memory": 128 << 20},
}
"""Variants of the scenario edge: what its client has at most."""

TRIED_WITH_LITTLE = ("whole", "processor-10", "memory-128")
"""The variants in the profile: without limits, and with the least of each kind."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("opcua")
    build_behind_others("opcua", *CONTENDERS, CSHARP)
    chosen = whole_runs.only("--contender", [*CONTENDERS, CSHARP])
    # Fifty processes of each would take minutes, and show no more.
    options = ("--profile", "check", "--seed", "11", "--set", f"processes={PROCESSES}")
    return whole_runs.run_suite(here, "opcua", *chosen, *options, reports=EVERY)


@pytest.fixture(scope="module")
def result(folder: Path) -> dict[str, Any]:
    return whole_runs.result_of(folder)


def took_part(result: dict[str, Any]) -> set[str]:
    """Everybody, and the contender in C# where it could be had."""
    found = whole_runs.available(result)
    assert found - {CSHARP} == set(CONTENDERS)
    return found


def of_s7(result: dict[str, Any]) -> list[dict[str, Any]]:
    """The cell of each contender."""
    cells = whole_runs.cells_of(result, "s7")
    assert sorted(cell["contender"] for cell in cells) == sorted(took_part(result))
    return cells


def test_the_result_is_of_its_schema(result: dict[str, Any]) -> None:
    whole_runs.keeps_its_schema(result)
    assert result["complete"] is True


def test_every_contender_took_part_or_says_why_not(result: dict[str, Any]) -> None:
    folders = {path.parent.name for path in SUITE.glob("contenders/*/contender.toml")}
    assert folders == {*CONTENDERS, CSHARP, *FURTHER}
    assert set(result["participants"]) == {*CONTENDERS, CSHARP}
    assert took_part(result) >= set(CONTENDERS)
    assert whole_runs.languages_of(result, CONTENDERS) == {"Python", "Java", "C"}


def test_every_cell_of_s7_has_every_metric(result: dict[str, Any]) -> None:
    for cell in of_s7(result):
        assert not set(METRICS) - set(cell["metrics"]), cell["id"]
        for name in MAIN_OPERATION_FIGURES:
            has_value = cell["metrics"][name]["value"] is not None
            # Beside other work all the time, nothing has a duration.
            assert has_value or (name.startswith("read.") and _is_disturbed(cell)), (
                cell["id"],
                name,
            )


def _is_disturbed(cell: dict[str, Any]) -> bool:
    invalid = {f["gate"] for f in cell["findings"] if f["verdict"] == "invalid"}
    return "host-disturbed" in invalid


def test_answers_were_verified_and_right(folder: Path, result: dict[str, Any]) -> None:
    failed = {
        name: (record["detail"], record["wrong_answers"])
        for name, record in whole_runs.records_of(folder).items()
        if record["status"] != "ok" or record["wrong_answers"]
    }
    assert set(failed) == set(ended_by_too_little(folder)), failed
    main = [r for r in whole_runs.records_of(folder).values() if r["planned"]["scenario"] == "s7"]
    assert len(main) == len(took_part(result))
    # Three reads and a write before, and of 30 reads and 3 writes those that were asked for.
    assert [record["verified"] for record in main if not 10 <= record["verified"] <= 37] == []
    cells = [cell for cell in result["cells"] if cell["scenario"] != "edge"]
    gates = {f["gate"] for cell in cells for f in cell["findings"]}
    assert not gates & {"wrong-answer", "clock", "trial-failed", "resource-sanity"}


def test_the_schedule_was_kept(result: dict[str, Any]) -> None:
    for cell in of_s7(result):
        assert cell["statuses"]["read"] == {"ok": 30}
        assert cell["statuses"]["write"] == {"ok": 3}


def test_every_fault_shows_what_its_caller_saw(result: dict[str, Any]) -> None:
    cells = {
        (cell["variant"], cell["contender"]): cell for cell in whole_runs.cells_of(result, "faults")
    }
    assert set(cells) == {(fault, one) for one in took_part(result) for fault in OUTCOMES}
    for (fault, contender), cell in cells.items():
        outcome = cell["caller"][0]["outcome"]
        # A client that takes seconds to connect again takes longer beside other work.
        slow = outcome == "hang" and "noisy-neighbour" in {f["gate"] for f in cell["findings"]}
        expected = OUTCOMES[fault]
        # asyncua sends a call that meets its reconnecting, which ends that attempt: a race.
        raced = outcome == "not-recovered" and (fault, contender) == ("session-expired", "asyncua")
        assert outcome == expected or ((slow or raced) and expected == "recovered"), (
            fault,
            contender,
        )


def ended_by_too_little(folder: Path) -> dict[str, str]:
    """Trials of clients that needed more than they were given, with the reason."""
    return {
        name: record["reason"]
        for name, record in whole_runs.records_of(folder).items()
        if record["reason"] in OF_TOO_LITTLE
        and (record["role"], LITTLE.get(record["planned"]["variant"], {})) != ("client", {})
        and record["planned"]["scenario"] == "edge"
    }


def test_clients_were_measured_with_little_of_the_machine(
    folder: Path, result: dict[str, Any]
) -> None:
    declared = result["scenarios"]["edge"]["variants"]
    assert {name: of["limits"].get("client", {}) for name, of in declared.items()} == LITTLE
    cells = {(c["variant"], c["contender"]): c for c in whole_runs.cells_of(result, "edge")}
    assert set(cells) == {
        (variant, one) for variant in TRIED_WITH_LITTLE for one in took_part(result)
    }
    ended = ended_by_too_little(folder)
    for (variant, contender), cell in cells.items():
        if ended.keys() & cell["other_trials"].keys():
            assert variant != "whole", (variant, contender)
            continue
        assert sum(cell["statuses"]["read"].values()) > 0, (variant, contender)
        share, used = LITTLE[variant].get("processor"), cell["metrics"]["cpu.mean"]["value"]
        # The kernel holds it over each 100 ms, and the window ends within some.
        assert share is None or used is None or used <= 100 * share + 5, (variant, contender)


def test_little_of_a_machine_is_told_in_both_languages(
    folder: Path, result: dict[str, Any]
) -> None:
    english, korean = ((folder / f"report-{which}.md").read_text() for which in ("en", "ko"))
    assert "With little of a machine" in english
    assert english.count("| keeps pace |") == len(took_part(result))
    assert "10 % of a processor" in english
    assert "자원이 적은 환경" in korean
    assert "CPU 10 %" in korean


def test_clients_with_lanes_opened_many_sessions(result: dict[str, Any]) -> None:
    cells = whole_runs.cells_of(result, "sessions")
    found = {(c["step"], c["contender"]): c["statuses"] for c in cells if c["step"]}
    # Four seconds a step, of which two are for those who join it.
    expected = {
        "s1": {"read": {"ok": 2}, "connect": {"ok": 1}},
        "s10": {"read": {"ok": 20}, "connect": {"ok": 9}},
    }
    assert found == {(step, one): expected[step] for step in expected for one in WITH_LANES}


def test_sessions_were_opened_by_processes_of_their_own(
    folder: Path, result: dict[str, Any]
) -> None:
    cells = whole_runs.cells_of(result, "processes")
    found = {(cell["variant"], cell["contender"]): cell for cell in cells}
    assert set(found) == {("ten", one) for one in took_part(result)}
    for place, cell in found.items():
        # Five ticks of a second, the first of which is no part of the figures.
        assert cell["statuses"] == {"read": {"ok": 4 * PROCESSES}}, place
        assert cell["metrics"]["startup.time"]["value"] > 0, place
        gates = {finding["gate"] for finding in cell["findings"]}
        wrong = {"wrong-answer", "not-on-the-wire", "not-served", "clock", "resource-sanity"}
        assert not gates & {*wrong, "shared-connection"}, place
    records = [r for r in whole_runs.records_of(folder).values() if "client-1" in r["roles"]]
    assert len(records) == len(found)
    for record in records:
        assert list(record["roles"]) == ["server", "client-1", "client-2"]
        # Four counted reads and one of the warm-up of each, 100 tags in each read.
        entry = record["ledger"]["read"]
        assert entry["claimed"] == 5 * 100 * PROCESSES <= entry["served"]
    english, korean = ((folder / f"report-{which}.md").read_text() for which in ("en", "ko"))
    assert "Sessions in processes of their own" in english
    assert "프로세스를 따로 쓰는 세션" in korean


def test_every_row_of_the_study_has_its_section(folder: Path) -> None:
    page = STUDIES / "opc-ua-clients.md"
    assert len(answered_by(folder, page)) > 20
    assert without_section(folder, page) == []


def test_what_a_session_carries_was_searched(folder: Path, result: dict[str, Any]) -> None:
    cells = {cell["contender"]: cell for cell in whole_runs.cells_of(result, "capacity")}
    assert set(cells) == WITH_LANES
    assert [name for name, cell in cells.items() if not found_or_told(cell)] == []
    english, korean = ((folder / f"report-{which}.md").read_text() for which in ("en", "ko"))
    assert "What one session carries" in english
    assert "세션 하나의 최대 수용 용량" in korean


def test_what_grows_is_told_of_a_soak_that_is_cut_short(
    folder: Path, result: dict[str, Any]
) -> None:
    cells = {cell["contender"]: cell for cell in whole_runs.cells_of(result, "soak-check")}
    assert set(cells) == took_part(result)
    for name, cell in cells.items():
        for held in ("rss", "descriptors", "threads"):
            found = cell["metrics"][f"{held}.slope"]
            assert found["interval"] is not None, (name, held)
            assert cell["metrics"][f"{held}.slope.least"]["value"] > 0, (name, held)
    english, korean = ((folder / f"report-{which}.md").read_text() for which in ("en", "ko"))
    assert "gives no verdict on leaks" in english
    assert "| smallest that would show, MB an hour |" in english
    assert "누수는 판정하지 않습니다" in korean


def test_callers_learnt_of_every_change_in_both_ways(folder: Path, result: dict[str, Any]) -> None:
    cells = {
        (cell["variant"], cell["contender"]): cell
        for cell in whole_runs.cells_of(result, "subscriptions")
    }
    assert set(cells) == {(way, one) for way in WAYS for one in took_part(result)}
    for (way, contender), cell in cells.items():
        assert cell["statuses"] == {WAYS[way]: {"ok": 15}}, (way, contender)
        gates = {found["gate"] for found in cell["findings"]}
        assert not gates & {"not-on-the-wire", "not-served", "sent-before-start"}, (way, contender)
    for contender in CONTENDERS:
        told, polled = (cells[way, contender]["metrics"] for way in WAYS)
        for amount in ("wire.traffic", "wire.packets"):
            assert 0 < told[amount]["value"] < polled[amount]["value"], (contender, amount)
        assert told["notification.wire.matched"]["value"] == 100
        assert polled["poll.wire.matched"]["value"] == 100
    english, korean = ((folder / f"report-{which}.md").read_text() for which in ("en", "ko"))
    assert "Subscriptions against polling" in english
    assert "구독과 폴링" in korean


def secured(result: dict[str, Any], policy: str, part: str) -> dict[str, dict[str, Any]]:
    """The cell of each contender in a variant of the scenario security."""
    cells = {
        cell["contender"]: cell
        for cell in whole_runs.cells_of(result, "security")
        if cell["variant"] == f"{policy}-{part}"
    }
    assert set(cells) == took_part(result)
    for contender, cell in cells.items():
        asked = cell["parameters"]
        said = (asked["security"], asked["security_mode"])
        assert said == POLICIES[policy], contender
    return cells


@pytest.mark.parametrize("policy", POLICIES)
def test_calls_were_measured_under_every_policy(result: dict[str, Any], policy: str) -> None:
    for contender, cell in secured(result, policy, "calls").items():
        assert cell["statuses"] == {"read": {"ok": 10}, "write": {"ok": 1}}, contender


@pytest.mark.parametrize("policy", OPENED)
def test_sessions_were_opened_with_and_without_encryption(
    result: dict[str, Any], policy: str
) -> None:
    for contender, cell in secured(result, policy, "open").items():
        assert cell["statuses"] == {"session": {"ok": 5}}, contender
        # Encrypted or not, each has a connection of its own.
        assert cell["metrics"]["session.wire.matched"]["value"] == 100, contender


def test_certificates_are_refused_by_both_sides(result: dict[str, Any]) -> None:
    seen = {
        (cell["variant"], cell["contender"]): cell["caller"][0]["outcome"]
        for cell in whole_runs.cells_of(result, "certificates")
    }
    assert seen == {
        (variant, contender): outcome
        for variant, outcome in CERTIFICATES.items()
        for contender in took_part(result)
    }


def test_no_key_outlives_its_trial(folder: Path) -> None:
    trials = list(folder.glob("trials/*/certificates"))
    assert len(trials) > len(CERTIFICATES)
    assert [kept for trial in trials for kept in trial.rglob("*")] == []


@pytest.mark.parametrize("contender", CONTENDERS)
def test_what_a_contender_costs_to_own_was_read(result: dict[str, Any], contender: str) -> None:
    ownership = result["participants"][contender]["ownership"]
    assert ownership["install_bytes"] > 100_000
    assert ownership["lines"] > 50
    # The library of open62541 is its own sources, fetched: no line of it is the suite's.
    assert (ownership["worker_lines"] > ownership["lines"]) == (contender != "open62541")
    assert 100 < ownership["common_lines"] < ownership["worker_lines"]
    assert any(dependency["direct"] for dependency in ownership["dependencies"])


@pytest.mark.parametrize("language", ["en", "ko"])
def test_reports_are_whole_and_need_no_network(folder: Path, language: str) -> None:
    page = (folder / f"report-{language}.html").read_text()
    for name in ("asyncua", "Eclipse Milo", "open62541"):
        assert name in page
    assert "<svg" in page
    for outside in ('src="http', "@import", '<link rel="stylesheet" href="http', "<script src"):
        assert outside not in page
    assert (folder / f"report-{language}.md").read_text().startswith("# ")


def test_analysing_again_gives_the_same_figures(folder: Path, result: dict[str, Any]) -> None:
    ended = said("analyse", str(folder), cwd=folder.parent)
    assert ended.returncode == 0, ended.stderr
    assert json.loads((folder / "result.json").read_text()) == result


def test_a_run_compared_with_itself_has_not_changed(folder: Path) -> None:
    ended = said("compare", str(folder), str(folder), cwd=folder.parent)
    assert ended.returncode in (0, 2), ended.stderr
    assert "regressed" not in ended.stdout


def test_nothing_is_left(folder: Path) -> None:
    assert whole_runs.left_of(folder) == set()
