"""``wl run`` with live metrics: served while it lasts, and never in its way."""

from __future__ import annotations

import json
import re
import socket
import time
import urllib.request
from collections.abc import Iterator

import pytest
from prometheus_client.parser import text_string_to_metric_families

from e2e.conftest import MEASURED, SuiteRepository

pytestmark = pytest.mark.e2e

ARGUMENTS = ("run", "loopback", "--scenario", "s1", "--contender", "honest", "--seed", "1")


@pytest.fixture
def refusing() -> Iterator[str]:
    """The URL of a port that somebody holds and nobody listens on."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{held.getsockname()[1]}/api/v1/import/prometheus"


def scraped(url: str) -> dict[str, float]:
    with urllib.request.urlopen(url, timeout=30) as reply:
        written = reply.read().decode()
    return {
        sample.name: sample.value
        for family in text_string_to_metric_families(written)
        for sample in family.samples
    }


def test_figures_are_served_while_the_run_lasts(house: SuiteRepository) -> None:
    running = house.start(*ARGUMENTS, "--profile", "quick", "--metrics", "0")
    seen: dict[str, float] = {}
    said = ""
    try:
        assert running.stdout is not None
        said = running.stdout.readline()
        served = re.search(r"live metrics: (http://127\.0\.0\.1:\d+/metrics)", said)
        assert served, said
        while running.poll() is None and not seen.get("wirelab_sent_total"):
            seen |= scraped(served[1])
            time.sleep(0.1)
        said += running.stdout.read()
    finally:
        running.communicate(timeout=120)
    assert running.returncode in MEASURED, said
    assert seen["wirelab_trial_scheduled_seconds"] == pytest.approx(4)
    assert seen["wirelab_run_planned_trials"] == 3
    assert seen["wirelab_sent_total"] > 0
    assert seen["wirelab_resident_memory_bytes"] > 0
    with pytest.raises(OSError, match="refused"):
        scraped(served[1])


def test_a_target_that_is_away_does_not_disturb_the_run(
    house: SuiteRepository, refusing: str
) -> None:
    ended = house.here(*ARGUMENTS, "--profile", "once", "--push", refusing)
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    assert ended.stdout.count("cannot be reached (Connection refused); the run goes on") == 1
    found = re.search(r"0 pushes, (\d+) failed, the figures of (\d+) looks never", ended.stdout)
    assert found, ended.stdout
    disclosed = json.loads((house.only_run() / "live.json").read_text())
    assert disclosed["failed"] == int(found[1]) >= 1
    assert disclosed["push"] == refusing
    (record,) = house.only_run().glob("trials/*/trial.json")
    assert json.loads(record.read_text())["status"] == "ok"


@pytest.mark.parametrize(
    ("option", "value", "says"),
    [
        ("--push", "localhost:8428", "expected a URL such as http://127.0.0.1:8428/"),
        ("--push", "http://me:secret@127.0.0.1/", "no user and password"),
        ("--metrics", "port", "[HOST:]PORT"),
        ("--metrics", "192.0.2.1:0", "192.0.2.1:0 cannot be listened on"),
    ],
)
def test_a_mistake_is_a_sentence(
    house: SuiteRepository, option: str, value: str, says: str
) -> None:
    ended = house.here(*ARGUMENTS, option, value)
    assert ended.returncode == 2
    assert says in " ".join(ended.stderr.split())
    assert "Traceback" not in ended.stderr
    assert not (house.root / "results").exists()


def test_without_the_options_nothing_of_it_is_there(house: SuiteRepository) -> None:
    ended = house.here(*ARGUMENTS, "--profile", "once")
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    assert "live metrics" not in ended.stdout
    assert not (house.only_run() / "live.json").exists()
