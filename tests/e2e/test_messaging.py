"""The messaging suite as a user runs it: real servers and brokers, every contender.

Times are not looked at: only that every message came, once, unchanged and in order. A contender of
each language takes part, and of each way to keep a journal; the others do so in turn.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from e2e import whole_runs
from e2e.building import build_behind_others
from e2e.drawn import drawn_of, one_in_turn
from reports_of_runs import EVERY
from tree import suites_of_the_tree
from wirelab.build import tools
from wirelab.plan.order import has_part

pytestmark = [pytest.mark.e2e, pytest.mark.long(8), pytest.mark.left_to_all]

OF_MESSAGES = {"trial-failed", "wrong-answer", "loss-or-error", "duplicated", "less-traffic"}
"""Gates that speak of the messages and not of the machine."""

DELIVERIES = {
    "c16-m10": 16 * 10 * 16,
    "c16-all": 16 * 16,
    "c16-one": 16,
    "c100-m10": 100 * 10 * 100,
}
"""Deliveries of each step: every client gets what every client sends."""
JOURNALS = {
    **dict.fromkeys(("jms-artemis", "jms-artemis-responder", "jms-artemis-transacted"), "none"),
    "jms-artemis-persistent": "NIO, synced",
    "jms-artemis-persistent-unsynced": "NIO",
    "go-nats-jetstream": "file, synced",
    "go-nats-jetstream-unsynced": "file",
}
"""Settings of a broker under different contenders, in its own words."""
OF_EACH_LANGUAGE_ALONE = (
    *("clients", "capacity-broadcast"),
    *("echo-size", "connect", "capacity"),
)
"""Scenarios of the calls that ``broadcast`` and ``transfer`` make, in another order."""
OF_EACH_LANGUAGE = {
    "Go": "go-nats",
    "Java": "socket",
    "Python": "python-zeromq",
    "Rust": "rust-zeromq",
}
"""The lightest of each: brokers that start at once."""
CHEAP = set(OF_EACH_LANGUAGE.values())
"""They go through all scenarios with every commit."""
DEAR = "csharp-rabbitmq"
"""Its broker takes four seconds of a processor to start: the scenarios that are of each language
alone it goes through in turn."""
if tools.DOTNET.find():
    OF_EACH_LANGUAGE["C#"] = DEAR
TO_ALL = set(OF_EACH_LANGUAGE.values())
"""They broadcast to a hundred clients."""
OF_TWO_PROTOCOLS = "jms-artemis-amqp"
"""Speaks JMS with somebody who speaks AMQP."""

STUDIED = "rmi"
"""Beside it stand figures of the study."""

STREAMING = {"go-redis-pubsub", "python-redis-pubsub"}
"""Likewise in ``test_messaging_stream``."""


DRAWN = drawn_of(
    "messaging",
    "transfer",
    (*OF_EACH_LANGUAGE.values(), *JOURNALS, OF_TWO_PROTOCOLS, STUDIED),
)
"""Contenders that echo."""


def telling() -> list[str]:
    """Contenders that broadcast with a program of their own, but for those told of above."""
    suite = suites_of_the_tree().suite("messaging")
    scenario = suite.manifest.scenarios["broadcast"]
    manifests = {name: suite.contenders[name].manifest for name in DRAWN}
    found = {
        name
        for name, manifest in manifests.items()
        if has_part(manifest, "broadcast", scenario) and manifest.source == "."
    }
    assert found >= TO_ALL | {STUDIED}
    return sorted(found - TO_ALL - STREAMING)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("messaging")
    build_behind_others("messaging", *DRAWN)
    options = ("--scenario", "transfer", *whole_runs.only("--contender", DRAWN))
    options += ("--profile", "check", "--seed", "7")
    return whole_runs.run_suite(here, "messaging", *options, reports=EVERY)


@pytest.fixture(scope="module")
def broadcasts(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Broadcasts by brokers, and by libraries without one."""
    here = tmp_path_factory.mktemp("broadcasts")
    chosen = whole_runs.only("--contender", telling())
    options = ("--scenario", "broadcast", *chosen, "--profile", "check", "--seed", "7")
    return whole_runs.run_suite(here, "messaging", *options)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rows of the study that nobody runs in this profile but a contender of each language."""
    scenarios = whole_runs.only("--scenario", OF_EACH_LANGUAGE_ALONE)
    chosen = whole_runs.only("--contender", CHEAP)
    options = (*scenarios, *chosen, "--profile", "check", "--seed", "7")
    return whole_runs.run_suite(tmp_path_factory.mktemp("many"), "messaging", *options)


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Scenarios of ``smoke`` that not everybody takes part in: warm echoes, many clients."""
    chosen = whole_runs.only("--contender", OF_EACH_LANGUAGE.values())
    more = whole_runs.only("--scenario", ("transfer-steady", "broadcast"))
    options = (*more, "--profile", "smoke", "--seed", "7", *chosen)
    return whole_runs.run_suite(tmp_path_factory.mktemp("warm"), "messaging", *options)


@pytest.fixture(scope="module")
def result(folder: Path) -> dict[str, Any]:
    return whole_runs.result_of(folder)


def test_the_result_keeps_its_schema(result: dict[str, Any]) -> None:
    whole_runs.keeps_its_schema(result)
    assert result["complete"] is True


def test_everybody_took_part_or_says_why_not(result: dict[str, Any]) -> None:
    whole_runs.everybody_took_part_or_says_why_not(result, DRAWN)
    assert {cell["scenario"] for cell in result["cells"]} == {"transfer"}
    # Nobody waits for the build of one that is for other scenarios.
    assert "socket-mesh" not in DRAWN


def test_every_message_came(folder: Path, broadcasts: Path, many: Path) -> None:
    assert whole_runs.available(whole_runs.result_of(folder)) == set(DRAWN)
    assert whole_runs.available(whole_runs.result_of(broadcasts)) >= set(telling())
    for run in (folder, broadcasts, many):
        whole_runs.no_trial_failed(run)
        assert whole_runs.accused(whole_runs.result_of(run), OF_MESSAGES) == {}


def test_a_broker_that_is_called_persistent_keeps_a_journal(folder: Path) -> None:
    said = {}
    for record in whole_runs.records_of(folder).values():
        if (contender := record["planned"]["contender"]) in JOURNALS:
            facts = record["roles"]["server"]["ready"]["facts"]
            synced = ", synced" if facts.get("journal_sync") else ""
            said[contender] = facts["journal"] + synced
    assert said == JOURNALS


def test_one_who_speaks_amqp_answers_one_who_speaks_jms(folder: Path) -> None:
    (record,) = (
        record
        for record in whole_runs.records_of(folder).values()
        if record["planned"]["contender"] == OF_TWO_PROTOCOLS
    )
    said = {role: told["ready"]["library"]["name"] for role, told in record["roles"].items()}
    assert said == {
        "server": "Apache Artemis",
        "responder": "Apache Qpid ProtonJ2 client",
        "client": "Apache Artemis JMS client",
    }


def test_deliveries_are_counted_exactly(broadcasts: Path) -> None:
    found = whole_runs.result_of(broadcasts)
    cells = whole_runs.cells_of(found, "broadcast", "c16-m10")
    assert {cell["contender"] for cell in cells} == whole_runs.available(found, "broadcast")
    every_delivery_is_counted(cells)


@pytest.mark.parametrize(
    ("scenario", "step", "operation", "count"),
    [
        ("echo-size", "size-1000", "echo", 20),
        ("echo-size", "size-10000", "echo", 20),
        ("connect", "c100", "connect", 100),
    ],
)
def test_every_echo_and_connection_of_the_other_rows_is_good(
    many: Path, scenario: str, step: str, operation: str, count: int
) -> None:
    cells = whole_runs.cells_of(whole_runs.result_of(many), scenario, step)
    found = {cell["contender"]: cell["statuses"][operation] for cell in cells}
    assert found == {name: {"ok": count} for name in CHEAP}


def test_clients_at_a_rate_of_their_own_are_searched_for(many: Path) -> None:
    """The number that is held says the machine, which others have as well under test."""
    cells = whole_runs.cells_of(whole_runs.result_of(many), "capacity", "")
    assert {cell["contender"] for cell in cells} == CHEAP
    assert all(cell["statuses"]["echo"]["ok"] > 0 for cell in cells)
    probes = [
        record["planned"]
        for record in whole_runs.records_of(many).values()
        if record["planned"]["scenario"] == "capacity"
    ]
    assert {probe["contender"] for probe in probes} == CHEAP
    # It begins at the highest load.
    assert {probe["probe"]["load"] for probe in probes} >= {20}
    assert all(
        probe["load"]["steps"][0]["users"] == probe["probe"]["load"] <= 20 for probe in probes
    )


@pytest.mark.parametrize("step", ["c16-all", "c16-one"])
def test_connecting_and_sending_are_told_apart_and_summed(many: Path, step: str) -> None:
    cells = whole_runs.cells_of(whole_runs.result_of(many), "clients", step)
    assert {cell["contender"] for cell in cells} == CHEAP
    every_delivery_is_counted(cells)
    for cell in cells:
        names = ("connect.elapsed", "step.elapsed", "connect.elapsed.summed")
        # Where others disturb the host, quiet time may be nothing.
        connecting, sending, both = (cell["metrics"][name]["value"] for name in names)
        assert both == pytest.approx(connecting + sending), cell["id"]
        assert {"complete.first", "complete.last"} <= set(cell["metrics"])


def test_everybody_holds_the_few_clients_of_a_check(many: Path) -> None:
    cells = whole_runs.cells_of(whole_runs.result_of(many), "capacity-broadcast", "")
    assert {cell["contender"] for cell in cells} == CHEAP
    held = {cell["contender"]: cell["metrics"]["capacity.verified"]["value"] for cell in cells}
    assert set(held.values()) == {16}, held


@pytest.mark.needs("dotnet")
@pytest.mark.parametrize("scenario", one_in_turn(OF_EACH_LANGUAGE_ALONE))
def test_csharp_goes_through_the_other_rows_in_turn(tmp_path: Path, scenario: str) -> None:
    options = ("--scenario", scenario, "--contender", DEAR, "--profile", "check", "--seed", "7")
    run = whole_runs.run_suite(tmp_path, "messaging", *options)
    whole_runs.no_trial_failed(run)
    result = whole_runs.result_of(run)
    cells = whole_runs.cells_of(result, scenario)
    assert {cell["contender"] for cell in cells} == {DEAR}
    assert [cell["statuses"] for cell in cells if cell["statuses"]] != []
    assert whole_runs.accused(result, OF_MESSAGES) == {}
    assert whole_runs.left_of(run) == set()


def test_a_contender_of_each_language_serves_a_hundred_clients(warm: Path) -> None:
    cells = whole_runs.cells_of(whole_runs.result_of(warm), "broadcast", "c100-m10")
    assert {cell["contender"] for cell in cells} == TO_ALL
    every_delivery_is_counted(cells)


def test_a_publisher_waits_for_subscribers_whose_queues_are_full(tmp_path: Path) -> None:
    short = ("--contender", "python-zeromq", "--set", "high_water_mark=10")
    options = ("--scenario", "broadcast", "--profile", "smoke", "--seed", "7", *short)
    run = whole_runs.run_suite(tmp_path, "messaging", *options)
    whole_runs.no_trial_failed(run)
    cells = whole_runs.cells_of(whole_runs.result_of(run), "broadcast", "c100-m10")
    assert [cell["contender"] for cell in cells] == ["python-zeromq"]
    every_delivery_is_counted(cells)


def every_delivery_is_counted(cells: list[dict[str, Any]]) -> None:
    for cell in cells:
        for name in ("expected", "received"):
            metric = cell["metrics"][f"delivery.{name}.count"]
            assert metric["value"] == DELIVERIES[cell["step"]], (cell["id"], name)


def test_unlike_echoes_are_not_ranked_together(result: dict[str, Any]) -> None:
    by_mode: dict[str, list[dict[str, Any]]] = {}
    for cell in whole_runs.cells_of(result, "transfer", "cold"):
        by_mode.setdefault(cell["mode"], []).append(cell)
    assert {"direct", "own-queue", "persistent"} <= set(by_mode)
    for alike in by_mode.values():
        # A disturbed machine makes cells invalid, and these have no rank. Who is alone with its
        # kind of echo has nobody to be ranked with.
        rankable = [cell["id"] for cell in alike if cell["verdict"] != "invalid"]
        placed = [cell["id"] for cell in alike if "step.elapsed" in cell["ranks"]]
        assert placed == (rankable if len(rankable) > 1 else [])


def test_a_contender_of_each_language_is_echoed_when_it_is_warm(warm: Path) -> None:
    found = whole_runs.result_of(warm)
    for language, contender in OF_EACH_LANGUAGE.items():
        assert whole_runs.languages_of(found, [contender]) == {language}
    whole_runs.no_trial_failed(warm)
    echoes = {
        cell["contender"]: cell["statuses"]["echo"]
        for cell in whole_runs.cells_of(found, "transfer-steady", "steady")
    }
    assert echoes == {name: {"ok": 100} for name in OF_EACH_LANGUAGE.values()}
    assert whole_runs.accused(found, OF_MESSAGES) == {}


def test_the_table_has_every_language(result: dict[str, Any]) -> None:
    assert set(OF_EACH_LANGUAGE) == whole_runs.languages_of(result, whole_runs.available(result))


def test_the_study_stands_beside_it(folder: Path, broadcasts: Path, many: Path) -> None:
    for run, english, korean, published in (
        (folder, "Transfer: the study's table 5", "데이터 전송: 원문의 표 5", ("0.109",)),
        (
            broadcasts,
            "Broadcast: the study's table 7",
            "브로드캐스트: 원문의 표 7",
            ("160.953",),
        ),
        (
            many,
            "One message of each: the study's table 6",
            "클라이언트마다 메시지 하나: 원문의 표 6",
            (),
        ),
        (many, "Echo by size: the study's table 9", "크기별 에코: 원문의 표 9", ()),
        (many, "What a connection costs", "연결 비용", ()),
        (many, "How many clients each holds", "최대 클라이언트 수", ()),
    ):
        text = (run / "report-en.md").read_text("utf-8")
        assert english in text
        assert korean in (run / "report-ko.md").read_text("utf-8")
        assert all(figure in text for figure in published)


def test_nothing_is_left(folder: Path, broadcasts: Path, warm: Path, many: Path) -> None:
    assert whole_runs.left_of(folder, broadcasts, warm, many) == set()
