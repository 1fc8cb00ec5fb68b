"""Steps that every trial's own RabbitMQ shares: its configuration, and its start.

Erlang's nodes find each other by a daemon of the machine, ``epmd``, at a fixed port, which the
first node starts and nobody ends. A trial has an epmd of its own instead, at a port of the
system's, in the foreground: the node finds it there and starts none.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path

from wirelab_sdk.listening import bound_socket
from wirelab_sdk.rabbitmq_node import of_names, of_node
from wirelab_sdk.server_program import HOST, ProgramCommand, ServerProgram, find_program

# The program of the same name on PATH becomes another user, in a folder of that user's own.
_FOLDER = "/usr/lib/rabbitmq/bin"

_SETTINGS = """
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


class RabbitMqServer(ServerProgram):
    """rabbitmq-server in a node of its own, which never goes without a password."""

    name = "RabbitMQ"
    plugins: Sequence[str] = ()
    """Names of those that it loads."""

    def __init__(self, user: str, password: str) -> None:
        self._user = user
        self._password = password

    @abstractmethod
    def listeners(self, port: int) -> str:
        """Lines of its configuration by which it listens at ``port`` alone."""

    async def commands(self, port: int, folder: Path) -> list[ProgramCommand]:
        """An epmd, then the node."""
        with bound_socket(f"{HOST}:0") as names, bound_socket(f"{HOST}:0") as distribution:
            names_port, node_port = (one.getsockname()[1] for one in (names, distribution))
        common = _SETTINGS.format(user=self._user, password=self._password)
        (folder / "rabbitmq.conf").write_text(self.listeners(port) + common, "utf-8")
        (folder / "enabled_plugins").write_text(f"[{','.join(self.plugins)}].\n", "utf-8")
        surroundings = of_names(HOST, names_port)
        node = {**surroundings, **of_node(f"wirelab-{port}", node_port, folder)}
        epmd = ("-port", str(names_port), "-address", HOST)
        return [
            ProgramCommand((find_program("epmd"), *epmd), surroundings),
            ProgramCommand((find_program("rabbitmq-server", _FOLDER),), node),
        ]
