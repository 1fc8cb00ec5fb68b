"""Brokers behind Spring's relay as a user has them measured: every stroke comes through the broker,
which has figures of its own. The two brokers take turns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from e2e import whole_runs
from e2e.brief_boards import brief_run, by_contender, delivered
from e2e.drawn import one_in_turn

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.long(2),
    pytest.mark.needs("javac", "rabbitmq-server"),
    pytest.mark.left_to_all,
]

PLAIN = "spring-stomp"
BROKERS = {
    "spring-stomp-activemq": ("activemq", "Apache ActiveMQ Classic"),
    "spring-stomp-rabbitmq": ("rabbitmq", "RabbitMQ"),
}
"""Role of the broker, and the name that it gives itself."""
TRIED = one_in_turn(BROKERS)
SENT = 3 * 100
"""Messages of 100 users in the three seconds of the profile that do not settle."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    who = (PLAIN, *TRIED)
    return brief_run(tmp_path_factory.mktemp("broker"), ["tuning"], who, built=who)


@pytest.fixture(scope="module")
def cells(folder: Path) -> dict[str, dict[str, Any]]:
    return by_contender(folder, "tuning", "busy")


def test_every_stroke_comes_through_the_broker(
    folder: Path, cells: dict[str, dict[str, Any]]
) -> None:
    whole_runs.no_trial_failed(folder)
    assert {*cells} == {PLAIN, *TRIED}
    for name, cell in cells.items():
        # On a machine that others use a cold server lets some in too late.
        assert sum(cell["statuses"]["connect"].values()) == 100, name
        assert sum(cell["statuses"]["rtt"].values()) == SENT, name
        expected, received, loss, flaws = delivered(cell)
        assert received + loss == expected <= SENT * 49, name
        assert received > 0, name
        assert flaws == {}, name


def test_the_broker_has_figures_of_its_own_and_its_part_in_the_sum(
    folder: Path, cells: dict[str, dict[str, Any]]
) -> None:
    of_roles = [record["roles"] for record in whole_runs.records_of(folder).values()]
    for name, (role, product) in BROKERS.items():
        has = {who for who, cell in cells.items() if f"{role}.cpu.mean" in cell["metrics"]}
        assert has == {name} & {*TRIED}, role
        ready = [roles[role]["ready"] for roles in of_roles if role in roles]
        assert {one["library"]["name"] for one in ready} == ({product} if has else set())
        for metrics in (cells[who]["metrics"] for who in has):
            # A monitor that others kept from looking says so instead.
            rss = metrics[f"{role}.rss.max"]
            assert rss["unsupported"] or rss["value"] > 0, name
            parts = [metrics[f"{part}cpu.mean"]["value"] or 0.0 for part in ("", f"{role}.")]
            total = metrics["total.cpu.mean"]
            assert total["unsupported"] or total["value"] == pytest.approx(sum(parts)), name


@pytest.mark.parametrize(
    ("language", "title", "proof"),
    [
        (
            *("en", "Spring STOMP: RabbitMQ or ActiveMQ instead of the simple broker"),
            "the server is ready when the broker has taken its login",
        ),
        ("ko", "내장 브로커(SimpleBroker) 대신 RabbitMQ나 ActiveMQ", "브로커에 로그인한 뒤에야"),
    ],
)
def test_the_report_tells_the_broker_beside_the_server(
    folder: Path, language: str, title: str, proof: str
) -> None:
    text = (folder / f"report-{language}.md").read_text("utf-8").replace("\\", "")
    assert title in text
    assert proof in text
    assert f"{BROKERS[TRIED[0]][1]}" in text


def test_no_broker_is_left(folder: Path) -> None:
    assert whole_runs.left_of(folder) == set()
