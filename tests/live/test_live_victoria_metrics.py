"""A run pushed to the real VictoriaMetrics, and asked back from there."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import psutil
import pyarrow.parquet as pq
import pytest

from e2e.conftest import MEASURED, SuiteRepository
from live.test_live_dashboard import OBSERVABILITY, queries
from wirelab.build.debian import Debian
from wirelab.build.unavailable import Unavailable

pytestmark = [pytest.mark.e2e, pytest.mark.left_to_all]

PROGRAM = "victoria-metrics"
CODES = {"read": 1, "write": 2}
PATIENCE_S = 60

Found = TypeVar("Found")


class Database:
    """A VictoriaMetrics of its own, on a port from the system."""

    def __init__(self, program: str, folder: Path) -> None:
        self._log = (folder / "log").open("wb")
        self._process = subprocess.Popen(
            [
                program,
                "-httpListenAddr=127.0.0.1:0",
                f"-storageDataPath={folder / 'data'}",
                "-search.latencyOffset=0s",
                "-memory.allowedBytes=64MB",
            ],
            cwd=folder,
            stdout=self._log,
            stderr=subprocess.STDOUT,
        )
        self.url = f"http://127.0.0.1:{self._port(folder / 'log')}"

    def _port(self, log: Path) -> int:
        process = psutil.Process(self._process.pid)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self._process.poll() is None:
            for connection in process.net_connections("tcp"):
                if connection.status == psutil.CONN_LISTEN:
                    return int(connection.laddr.port)
            time.sleep(0.05)
        self.close()
        pytest.fail(f"{PROGRAM} does not listen: {log.read_text()[-2000:]}")

    def get(self, path: str, **parameters: str) -> str:
        query = urllib.parse.urlencode(parameters)
        with urllib.request.urlopen(f"{self.url}{path}?{query}", timeout=60) as reply:
            body: bytes = reply.read()
        return body.decode()

    def ask(self, expression: str) -> list[dict[str, Any]]:
        """An instant query; the series it finds."""
        reply = json.loads(self.get("/api/v1/query", query=expression, nocache="1"))
        assert reply["status"] == "success"
        found: list[dict[str, Any]] = reply["data"]["result"]
        return found

    def series(self, name: str) -> list[dict[str, Any]]:
        """Everything kept under a name: labels, values, times in ms."""
        lines = self.get("/api/v1/export", **{"match[]": name}).splitlines()
        return [json.loads(line) for line in lines]

    def shows(self, look: Callable[[], Found], wanted: Found) -> Found:
        """Look until this is seen, for a minute at most; what was seen last.

        A flush that is asked for does not wait for rows that the database's own flush has under
        way: on a busy machine what it has accepted is seen later.
        """
        deadline = time.monotonic() + PATIENCE_S
        while True:
            self.get("/internal/force_flush")
            found = look()
            if found == wanted or time.monotonic() > deadline:
                return found
            time.sleep(0.2)

    def close(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._log.close()


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Installed by the project's own means where it is missing and that is possible."""
    try:
        Debian(tmp_path_factory.mktemp("debian"), print).equip((), [PROGRAM])
    except Unavailable as missing:
        pytest.skip(f"{missing.reason}; to mend it: {missing.remedy}")
    found = shutil.which(PROGRAM)
    assert found
    return found


@pytest.fixture(scope="module")
def database(program: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    database = Database(program, tmp_path_factory.mktemp("database"))
    yield database
    database.close()


@pytest.fixture(scope="module")
def said(database: Database, shared_house: SuiteRepository) -> str:
    """Output of ``wl run --push`` for one contender and two trials."""
    ended = shared_house.here(
        *("run", "loopback", "--scenario", "s1", "--contender", "honest", "--seed", "1"),
        *("--profile", "smoke", "--push", f"{database.url}/api/v1/import/prometheus"),
    )
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    return ended.stdout


def samples(house: SuiteRepository) -> dict[str, np.ndarray]:
    """The op byte of every sample, by trial."""
    files = house.only_run().glob("trials/*/client.parquet")
    return {
        path.parent.name: pq.read_table(path, columns=["op"])["op"].to_numpy() for path in files
    }


def test_totals_are_those_of_the_samples(
    said: str, database: Database, shared_house: SuiteRepository
) -> None:
    kept = samples(shared_house)
    assert len(kept) == 2
    wanted = {
        (trial, name): int(np.count_nonzero(ops == code))
        for trial, ops in kept.items()
        for name, code in CODES.items()
    }

    def pushed() -> dict[tuple[str, str], int]:
        return {
            (series["metric"]["trial"], series["metric"]["operation"]): series["values"][-1]
            for series in database.series("wirelab_operations_total")
        }

    assert database.shows(pushed, wanted) == wanted


def test_a_query_finds_the_run(
    said: str, database: Database, shared_house: SuiteRepository
) -> None:
    run = shared_house.only_run().name
    everything = sum(len(ops) for ops in samples(shared_house).values())
    expression = f'sum(last_over_time(wirelab_received_total{{run="{run}"}}[1h]))'

    def found() -> list[int]:
        return [int(series["value"][1]) for series in database.ask(expression)]

    assert database.shows(found, [everything]) == [everything]


def test_figures_carry_the_time_at_which_they_were_taken(
    said: str, database: Database, shared_house: SuiteRepository
) -> None:
    records = [
        json.loads(path.read_text()) for path in shared_house.only_run().glob("trials/*/trial.json")
    ]
    began = {record["planned"]["id"]: record["started_at"] for record in records}
    assert len(began) == 2
    name = "wirelab_trial_elapsed_seconds"

    def seen() -> set[str]:
        return {series["metric"]["trial"] for series in database.series(name)}

    assert database.shows(seen, set(began)) == set(began)
    for series in database.series(name):
        times = np.array(series["timestamps"])
        assert np.all(np.diff(times) > 0)
        start = np.datetime64(began[series["metric"]["trial"]].removesuffix("+00:00"), "ms")
        assert times[-1] > start.astype(np.int64)


def test_roles_and_quantiles_are_there(said: str, database: Database) -> None:
    wanted = {"server", "client", "core"}

    def roles() -> set[str]:
        return {series["metric"]["role"] for series in database.series("wirelab_cpu_seconds_total")}

    assert database.shows(roles, wanted) == wanted
    for name in ("wirelab_response_seconds", "wirelab_service_seconds"):
        shown = {
            (series["metric"]["operation"], series["metric"]["quantile"])
            for series in database.series(name)
        }
        assert shown == {(name, q) for name in CODES for q in ("0.5", "0.95", "0.99", "1")}


def test_the_end_says_how_the_pushes_went(said: str, shared_house: SuiteRepository) -> None:
    assert "pushes, 0 failed\n" in said
    disclosed = json.loads((shared_house.only_run() / "live.json").read_text())
    assert disclosed["pushed"] >= 2
    assert disclosed["failed"] == 0
    assert disclosed["cpu_seconds"] > 0


@pytest.mark.parametrize("expression", sorted({expression for expression, _ in queries()}))
def test_the_database_understands_the_dashboard(
    said: str, database: Database, expression: str
) -> None:
    if expression.startswith("label_values("):
        matched = expression.removeprefix("label_values(").rpartition(",")[0]
        expression = matched
    for name in ("run", "scenario", "contender", "operation"):
        expression = expression.replace(f"${name}", ".*")
    database.ask(expression.replace("$__rate_interval", "4s"))


def test_the_scrape_example_is_accepted(program: str) -> None:
    checked = subprocess.run(
        [
            program,
            f"-promscrape.config={OBSERVABILITY / 'scrape.yml'}",
            "-promscrape.config.dryRun",
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert checked.returncode == 0, checked.stderr
