"""The service ``rabbitmq``: Debian's RabbitMQ for the length of a trial.

Erlang's nodes find each other by a daemon of the machine, ``epmd``, at a fixed port, which the
first node starts and nobody ends. A trial has an epmd of its own instead, at a port of the
system's, in the foreground: the node finds it there and starts none.
"""

from __future__ import annotations

from pathlib import Path

from credentials import Credentials
from greeting import version_at
from node import of_names, of_node

from wirelab_sdk import Worker, bound_socket, main
from wirelab_sdk.server_program import (
    HOST,
    Command,
    ServerProgram,
    ServerProgramError,
    find_program,
    serve,
)

# The program of the same name on PATH becomes another user, in a folder of that user's own.
_FOLDER = "/usr/lib/rabbitmq/bin"

_SETTINGS = """
listeners.tcp.1 = {host}:{port}
default_user = {user}
default_pass = {password}
log.console = true
log.console.level = error
log.file = false
# Statistics of each queue and channel serve a management plugin that is not there.
collect_statistics = none
# The share of a disk that is free is no concern of messages that are not kept.
disk_free_limit.absolute = 50MB
# The largest message, in bytes.
max_message_size = 16777216
# The log of replicated queues, of which there are none, would be made 512 MB large at the start.
raft.wal_max_size_bytes = 1048576
"""


class RabbitMq(ServerProgram):
    """rabbitmq-server in a node of its own, without plugins."""

    name = "RabbitMQ"

    def __init__(self, credentials: Credentials) -> None:
        self._credentials = credentials

    async def commands(self, port: int, folder: Path) -> list[Command]:
        """An epmd, then the node."""
        with bound_socket(f"{HOST}:0") as names, bound_socket(f"{HOST}:0") as distribution:
            names_port, node_port = (one.getsockname()[1] for one in (names, distribution))
        settings = folder / "rabbitmq.conf"
        user, password = self._credentials.user, self._credentials.password
        settings.write_text(
            _SETTINGS.format(host=HOST, port=port, user=user, password=password), "utf-8"
        )
        (folder / "enabled_plugins").write_text("[].\n", "utf-8")
        common = of_names(HOST, names_port)
        node = {**common, **of_node(f"wirelab-{port}", node_port, folder)}
        epmd = ("-port", str(names_port), "-address", HOST)
        return [
            Command((find_program("epmd"), *epmd), common),
            Command((find_program("rabbitmq-server", _FOLDER),), node),
        ]

    async def version(self, port: int) -> str:
        """The first frame of a connection has the properties of the server."""
        if (version := await version_at(HOST, port)) is None:
            raise ServerProgramError(f"what answers at port {port} is no RabbitMQ")
        return version

    def endpoint(self, port: int) -> str:
        """A URL of the client libraries; this broker never goes without a password."""
        return f"amqp://{self._credentials.in_address}{HOST}:{port}"


async def play(worker: Worker) -> None:
    """Serve until told to stop."""
    await serve(worker, RabbitMq(Credentials.of(worker.spec)))


if __name__ == "__main__":
    main(play)
