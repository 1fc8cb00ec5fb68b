"""The worker of all contenders: which role, and what it does wrong."""

from __future__ import annotations

import sys
from functools import partial

from client import MailboxTransport
from messaging_harness import play
from server import serve

from wirelab_sdk import Worker, main


async def _role(worker: Worker) -> None:
    sabotage = worker.spec.parameter("sabotage", "")
    if sys.argv[1] == "server":
        await serve(worker, sabotage)
    else:
        await play(worker, partial(MailboxTransport, sabotage=sabotage))


if __name__ == "__main__":
    main(_role)
