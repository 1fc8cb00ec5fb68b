"""A Kafka of the user's own: measured in topics of our name, counted by it, and left as it was."""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import own_servers
import pytest
from own_servers import HOST, PASSWORD, free_port, measured, only, running

from e2e.conftest import MEASURED, REPOSITORY
from wirelab.build import PartBuilds, service_part
from wirelab.catalog import suite_at

pytestmark = [pytest.mark.e2e, pytest.mark.needs("javac")]

_LOGIN = {"WIRELAB_KAFKA_USER": "me", "WIRELAB_KAFKA_PASSWORD": PASSWORD}
_THEIRS = Path(__file__).with_name("ExternalKafka.java")
_SETTINGS = """
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@{host}:{controller}
controller.listener.names=CONTROLLER
listener.security.protocol.map=OUTSIDE:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT
inter.broker.listener.name=OUTSIDE
listeners=OUTSIDE://{host}:{port},CONTROLLER://{host}:{controller}
advertised.listeners=OUTSIDE://{host}:{advertised}
sasl.enabled.mechanisms=PLAIN
sasl.mechanism.inter.broker.protocol=PLAIN
listener.name.outside.plain.sasl.jaas.config={module} username="me" password="{password}" \\
  user_me="{password}";
offsets.topic.replication.factor=1
log.cleaner.dedupe.buffer.size=2097152
log.dirs={folder}/logs
"""
_MODULE = "org.apache.kafka.common.security.plain.PlainLoginModule required"


@dataclass(frozen=True)
class Kafka:
    """A broker whose user ``me`` has a password, and the classes by which it is asked."""

    address: str
    classes: str

    def put_theirs(self) -> list[str]:
        """A topic with a record of somebody else's; all that lies there then."""
        return self._asked("put")

    def lying(self) -> list[str]:
        """The names of all topics, and the records of somebody else's."""
        return self._asked("look")

    def _asked(self, what: str) -> list[str]:
        words = ["java", "-cp", self.classes, str(_THEIRS), what, self.address, PASSWORD]
        ended = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout.splitlines()


@contextlib.contextmanager
def kafka(advertised: int = 0) -> Iterator[Kafka]:
    """Broker and controller in one process, of the libraries that the suite's own are built of."""
    suite = suite_at(REPOSITORY / "suites" / "messaging" / "suite.toml")
    classes = f"{PartBuilds(REPOSITORY).prepare(service_part(suite, 'kafka')).output}/lib/*"
    port, folder = free_port(), Path(tempfile.mkdtemp(prefix="wirelab-kafka-"))
    settings = folder / "server.properties"
    settings.write_text(
        _SETTINGS.format(
            host=HOST,
            port=port,
            advertised=advertised or port,
            controller=free_port(),
            module=_MODULE,
            password=PASSWORD,
            folder=folder,
        )
    )
    java = ["java", "-Xmx1g", "-XX:+UseSerialGC", "-cp", classes]
    cluster = ["-t", "d2lyZWxhYnRlc3RzLS0tLQ", "-c", str(settings)]
    try:
        subprocess.run(
            [*java, "kafka.tools.StorageTool", "format", *cluster], check=True, capture_output=True
        )
        with running([*java, "kafka.Kafka", str(settings)], port) as address:
            yield Kafka(address, classes)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def test_it_is_measured_and_left_as_it_was(tmp_path: Path) -> None:
    with kafka() as broker:
        before = broker.put_theirs()
        more = ("--scenario", "transfer", "--target", broker.address)
        ended = measured(tmp_path, "messaging", "broadcast", "kafka", _LOGIN, *more)
        after = broker.lying()
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    assert before == ["[theirs]", "[kept]"]
    assert after == before
    own = only(tmp_path, "result.json")["disclosure"]["own"]
    assert own["targets"] == {"kafka": broker.address}
    assert own["found"]["kafka"]["product"] == "Kafka"
    trials = [
        json.loads(file.read_text("utf-8"))
        for file in tmp_path.glob("results/*/trials/*/trial.json")
    ]
    assert {trial["planned"]["scenario"] for trial in trials} == {"broadcast", "transfer"}
    assert {trial["status"] for trial in trials} == {"ok"}, [trial["detail"] for trial in trials]
    for role in (trial["roles"]["server"] for trial in trials):
        assert role["counted"]["requests"] > 0
        assert role["counted"]["counter"] == "log end offset of our topics"
        login = "${WIRELAB_KAFKA_USER}:${WIRELAB_KAFKA_PASSWORD}"
        assert role["ready"]["endpoint"] == f"{login}@{broker.address}"
    (report,) = tmp_path.glob("results/*/report-en.md")
    assert "its own counter (`log end offset of our topics`)" in report.read_text("utf-8")
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path for path in files if PASSWORD.encode() in path.read_bytes()] == []


def refused(here: Path, address: str, login: dict[str, str]) -> str:
    """Message where nothing can be measured."""
    aimed = ("--target", address)
    ended = measured(here, "messaging", "transfer", "kafka", login, *aimed)
    assert ended.returncode == 2, ended.stdout + ended.stderr
    assert list(here.glob("results/*/trials/*")) == []
    return ended.stderr


def test_who_cannot_log_in_is_told_before_anything_is_measured(tmp_path: Path) -> None:
    with kafka() as broker:
        wrong = refused(tmp_path, broker.address, {**_LOGIN, "WIRELAB_KAFKA_PASSWORD": "wrong"})
        none = refused(tmp_path, broker.address, {})
    assert "it refuses the login" in wrong
    assert "it ends the connection, as one does that wants a login" in none
    assert "WIRELAB_KAFKA_USER and WIRELAB_KAFKA_PASSWORD" in none


def test_where_it_sends_clients_has_to_answer_from_here(tmp_path: Path) -> None:
    nobody = free_port()
    with kafka(nobody) as broker:
        said = refused(tmp_path, broker.address, _LOGIN)
    assert f"sends its clients to {HOST}:{nobody} (advertised.listeners)" in said


@pytest.mark.needs("redis-server")
def test_another_kind_of_server_is_said_to_be_none(tmp_path: Path) -> None:
    with own_servers.redis_server() as address:
        said = refused(tmp_path, address, {})
    assert f"no Kafka answers at {address}" in said
