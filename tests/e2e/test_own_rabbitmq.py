"""A RabbitMQ of the user's own: measured under names of ours, and left as it was."""

from __future__ import annotations

import base64
import contextlib
import json
import shutil
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import own_servers
import pytest
from own_servers import HOST, PASSWORD, free_port, measured, only, running

from e2e import whole_runs
from e2e.conftest import MEASURED, REPOSITORY
from wirelab.build import tools
from wirelab.suite_parts import load_part

pytestmark = [pytest.mark.e2e, pytest.mark.needs("rabbitmq-server", "javac")]

_ASKED = {"rabbitmq", "rabbitmq-confirmed"} | (
    {"csharp-rabbitmq"} if tools.DOTNET.find() else set()
)
_LOGIN = {"WIRELAB_RABBITMQ_USER": "me", "WIRELAB_RABBITMQ_PASSWORD": PASSWORD}
_HERE = "/api/{}/%2F"
_NODE = load_part(
    "rabbitmq_node", REPOSITORY / "sdk" / "python" / "wirelab_sdk" / "rabbitmq_node.py"
)


@dataclass(frozen=True)
class RabbitMq:
    """A broker whose user ``me`` has a password, and who is asked by its management plugin."""

    address: str
    management: str

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Answer of the plugin."""
        login = base64.b64encode(f"me:{PASSWORD}".encode()).decode()
        request = urllib.request.Request(
            f"http://{self.management}{path}",
            None if body is None else json.dumps(body).encode(),
            {"Authorization": f"Basic {login}", "Content-Type": "application/json"},
            method=method,
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            said = answer.read()
        return json.loads(said) if said else None

    def wait(self) -> None:
        """Return when the virtual host is there: the plugin answers before it is."""
        deadline = time.monotonic() + 60
        while True:
            try:
                self.ask("GET", "/api/vhosts/%2F/permissions")
                self.ask("GET", "/api/health/checks/virtual-hosts")
            except urllib.error.HTTPError:
                assert time.monotonic() < deadline, "the virtual host never came"
                time.sleep(0.1)
            else:
                return

    def lying(self) -> dict[str, list[str]]:
        """The names of all that is declared there."""
        kinds = ("queues", "exchanges", "bindings")
        found = {kind: self.ask("GET", _HERE.format(kind)) for kind in kinds}
        return {
            kind: sorted(
                f"{one.get('source', '')} {one.get('name', one.get('destination'))}"
                for one in all_of
            )
            for kind, all_of in found.items()
        }

    def put_theirs(self) -> None:
        """A queue with a message, and an exchange, of somebody else's."""
        self.ask("PUT", _HERE.format("queues") + "/theirs", {"durable": True})
        self.ask("PUT", _HERE.format("exchanges") + "/theirs.all", {"type": "fanout"})
        message = {"properties": {}, "payload": "kept", "payload_encoding": "string"}
        sent = {**message, "routing_key": "theirs"}
        said = self.ask("POST", _HERE.format("exchanges") + "/amq.default/publish", sent)
        assert said == {"routed": True}

    def theirs(self) -> list[str]:
        """The messages of the queue, which stay there."""
        look = {"count": 10, "ackmode": "ack_requeue_true", "encoding": "auto"}
        taken = self.ask("POST", _HERE.format("queues") + "/theirs/get", look)
        return [one["payload"] for one in taken]


@contextlib.contextmanager
def rabbitmq() -> Iterator[RabbitMq]:
    """A node with a name service of its own."""
    port, managed, names_port = free_port(), free_port(), free_port()
    folder = Path(tempfile.mkdtemp(prefix="wirelab-rabbitmq-"))
    login = f"default_user = me\ndefault_pass = {PASSWORD}\nlog.file = false\n"
    listeners = f"listeners.tcp.1 = {HOST}:{port}\nmanagement.tcp.port = {managed}\n"
    (folder / "rabbitmq.conf").write_text(f"{login}{listeners}management.tcp.ip = {HOST}\n")
    (folder / "enabled_plugins").write_text("[rabbitmq_management].\n")
    environment = {
        **_NODE.of_names(HOST, names_port),
        **_NODE.of_node(f"own-{port}", free_port(), folder),
    }
    names = ["epmd", "-port", str(names_port), "-address", HOST]
    node = ["/usr/lib/rabbitmq/bin/rabbitmq-server"]
    try:
        with (
            running(names, names_port, environment=environment),
            running(node, managed, environment=environment),
        ):
            broker = RabbitMq(f"{HOST}:{port}", f"{HOST}:{managed}")
            broker.wait()
            yield broker
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def test_it_is_measured_and_left_as_it_was(tmp_path: Path) -> None:
    with rabbitmq() as broker:
        broker.put_theirs()
        before = broker.lying()
        ended = measured(
            tmp_path,
            "messaging",
            "broadcast",
            "rabbitmq",
            _LOGIN,
            *whole_runs.only("--contender", _ASKED - {"rabbitmq"}),
            "--target",
            broker.address,
        )
        after, kept = broker.lying(), broker.theirs()
    assert ended.returncode in MEASURED, ended.stdout + ended.stderr
    assert after == before
    assert kept == ["kept"]
    assert " theirs" in before["queues"]
    own = only(tmp_path, "result.json")["disclosure"]["own"]
    assert own["targets"] == {"rabbitmq": broker.address}
    assert own["found"]["rabbitmq"]["product"] == "RabbitMQ"
    assert own["found"]["rabbitmq"]["version"][0].isdigit()
    trials = [
        json.loads(file.read_text("utf-8"))
        for file in tmp_path.glob("results/*/trials/*/trial.json")
    ]
    assert {trial["planned"]["contender"] for trial in trials} == _ASKED
    assert {trial["status"] for trial in trials} == {"ok"}, [trial["detail"] for trial in trials]
    ends = {trial["roles"]["server"]["ready"]["endpoint"] for trial in trials}
    assert ends == {
        "amqp://${WIRELAB_RABBITMQ_USER}:${WIRELAB_RABBITMQ_PASSWORD}@" + broker.address
    }
    (report,) = tmp_path.glob("results/*/report-en.md")
    assert "its clients were seen connected to it" in report.read_text("utf-8")
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path for path in files if PASSWORD.encode() in path.read_bytes()] == []


@pytest.mark.needs("memcached")
def test_another_kind_of_server_is_said_to_be_none(tmp_path: Path) -> None:
    with own_servers.memcached() as address:
        aimed = ("--target", address)
        ended = measured(tmp_path, "messaging", "transfer", "rabbitmq", _LOGIN, *aimed)
    assert ended.returncode == 2, ended.stdout + ended.stderr
    assert f"no RabbitMQ answers at {address}" in ended.stderr
    assert list(tmp_path.glob("results/*/trials/*")) == []
