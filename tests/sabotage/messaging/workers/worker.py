"""The worker of all contenders: which role, and what it does wrong."""

from __future__ import annotations

import sys
from functools import partial

from cheating_clients import CHEATING_CLIENTS
from cheating_servers import CHEATING_SERVERS
from client import MailboxTransport
from messaging_harness import play
from server import MailboxServer, serve
from shortcut_clients import SHORTCUT_CLIENTS
from shortcut_servers import SHORTCUT_SERVERS

from wirelab_sdk import Worker, main


async def _role(worker: Worker) -> None:
    sabotage = worker.spec.parameter("sabotage", "")
    if sys.argv[1] == "server":
        cheating = {**CHEATING_SERVERS, **SHORTCUT_SERVERS}.get(sabotage)
        await serve(worker, MailboxServer(sabotage) if cheating is None else cheating(worker.spec))
    else:
        cheats = {**CHEATING_CLIENTS, **SHORTCUT_CLIENTS}
        transport = cheats.get(sabotage, partial(MailboxTransport, sabotage=sabotage))
        await play(worker, transport)


if __name__ == "__main__":
    main(_role)
