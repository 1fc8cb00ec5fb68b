"""Tunings of FastAPI."""

from __future__ import annotations

from wirelab.report.api import N_

from .redis import WORKERS
from .tuning_kinds import REDIS, Tuning

FASTAPI = (
    Tuning(
        "workers",
        N_("FastAPI: two workers with Redis instead of one process"),
        "fastapi",
        (WORKERS,),
        N_(
            "Mechanism: uvicorn starts two processes that share one port, each with an event loop "
            "of its own. Who is on a board may be with either, so that each stroke goes through "
            "Redis, and comes back once for each worker that has members on the board."
        ),
        N_(
            "Where it could matter: where one loop is full and a second processor is free. Below "
            "that the way through Redis is longer than the one within a process."
        ),
        N_(
            "Proof that it was active: the server says that it is ready when each worker has told "
            "it which process it is. The processor time of Redis is measured from outside."
        ),
        REDIS,
    ),
    Tuning(
        "flow",
        N_("FastAPI: asyncio.gather instead of a queue and a task for each member"),
        "fastapi",
        ("fastapi-gather",),
        N_(
            "Mechanism: with a queue and a task for each member, who draws hands its message over "
            "and reads on. With asyncio.gather it makes a task for each delivery and waits for "
            "the slowest member."
        ),
        N_(
            "Where it could matter: on large boards, and wherever a member reads slowly. A task "
            "for each delivery is work for the loop under any load."
        ),
        N_(
            "Proof that it was active: both ways are functions of the same program, of which the "
            "parameter `fan_out` names one; a name that it does not know ends it before it serves."
        ),
    ),
    Tuning(
        "max-size",
        N_("FastAPI: messages of up to 16 MiB instead of 64 KB"),
        "fastapi",
        ("fastapi-max-size",),
        N_(
            "Mechanism: `max_size` bounds how long a message may be that is let in; who sends a "
            "longer one loses the connection. uvicorn sets no memory aside for it."
        ),
        N_(
            "Where it could matter: for what a hostile client can make the server hold. Strokes "
            "are far below either bound."
        ),
        N_(
            "Proof that it was active: a test of this suite sends a text longer than the smaller "
            "bound, which the one server passes on and the other answers by closing."
        ),
    ),
    Tuning(
        "pings",
        N_("FastAPI: a ping every second"),
        "fastapi",
        ("fastapi-pings",),
        N_(
            "Mechanism: a ping and its answer for each connection and second. A peer that is gone "
            "without a word is found by nothing else before the kernel gives up sending to it."
        ),
        N_(
            "Where it could matter: with many quiet connections, where pings are most of what is "
            "sent, and behind proxies that end what is silent. uvicorn has no read_limit: that "
            "option of the study's does not exist."
        ),
        N_(
            "Proof that it was active: a test of this suite lets a member fall silent without "
            "closing, and sees the server end its connection; without pings it stays. The scenario "
            "`silent-peers` counts it among many."
        ),
    ),
    Tuning(
        "nginx",
        N_("FastAPI: nginx in front"),
        "fastapi",
        ("fastapi-nginx",),
        N_(
            "Mechanism: nginx takes the connections and passes each message on. The way is longer "
            "by a program in both directions. What it is taken for is elsewhere: TLS, several "
            "servers behind one name, restarts. The scenario `faults` kills both and lets users "
            "connect again."
        ),
        N_(
            "Where it could matter: wherever deliveries are many: each is read and written once "
            "more, which can take more processor time than the server itself."
        ),
        N_(
            "Proof that it was active: users are told nginx's port alone, and before the server "
            "is ready its answer there has to be nginx's."
        ),
    ),
    Tuning(
        "replicas",
        N_("FastAPI: two replicas behind nginx instead of two workers"),
        WORKERS,
        ("fastapi-replicas-nginx",),
        N_(
            "Mechanism: each process has a port of its own, and nginx gives them connections in "
            "turn, as where servers are on several machines. Workers share one port, and whoever "
            "gets to it first takes a connection. Redis joins them in both."
        ),
        N_(
            "Where it could matter: where connections are shared unevenly among workers, or one "
            "machine is not enough. On one machine nginx is one more program in the way."
        ),
        N_(
            "Proof that it was active: no replica listens where users are told to connect, and "
            "before the server is ready the answer there has to be nginx's."
        ),
        REDIS,
    ),
)
