"""Tunings of one server each: how they work, where they could matter, and how they are proved."""

from __future__ import annotations

from dataclasses import dataclass

from wirelab.report.api import N_

from .redis import BOARD, GLOBAL, WORKERS

SCENARIO = "tuning"
ONE, FOUR = "one", "four"
"""Workers, in the names of contenders."""


@dataclass(frozen=True)
class Tuning:
    """A change of a server: who has it, how it works, where it could matter, and the proof."""

    key: str
    title: str
    untuned: str
    tuned: tuple[str, ...]
    mechanism: str
    matters: str
    proof: str
    more: tuple[str, ...] = ()


_RABBITMQ = ("cpu.mean", "rabbitmq.cpu.mean", "rabbitmq.rss.max")
_REDIS = ("cpu.mean", "redis.cpu.mean", "redis.rss.max")

TUNINGS = (
    Tuning(
        "workers-board",
        N_("Node.js: one worker, one for each processor, and four; a channel for each board"),
        f"{BOARD}-{ONE}",
        (BOARD, f"{BOARD}-{FOUR}"),
        N_(
            "Mechanism: workers are processes with a loop each, joined by Redis. What they win is "
            "processor time of further cores; what they pay is a way through Redis for each "
            "stroke, and one copy of it for each worker that has members on the board."
        ),
        N_(
            "Where it could matter: where one loop is full. A loop that is idle for half of its "
            "time has nothing to hand over."
        ),
        N_(
            "Proof that it was active: the server says that it is ready when so many processes "
            "listen on its port. The processor time of Redis is measured from outside. A worker "
            "for each processor means two at least, so that on two processors there are two."
        ),
        _REDIS,
    ),
    Tuning(
        "workers-global",
        N_("Node.js: one worker, one for each processor, and four; one channel for all boards"),
        f"{GLOBAL}-{ONE}",
        (GLOBAL, f"{GLOBAL}-{FOUR}"),
        N_(
            "Mechanism: as before, but every worker gets every stroke and reads whose it is. Redis "
            "sends as many copies as there are workers."
        ),
        N_(
            "Where it could matter: with many workers and small boards, where most copies are of "
            "no use to whom they reach."
        ),
        N_(
            "Proof that it was active: that of the workers above. Processor time of Redis shows "
            "what is copied."
        ),
        _REDIS,
    ),
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
        _REDIS,
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
        _REDIS,
    ),
    Tuning(
        "collector",
        N_("Spring WebSocket: collectors of the JVM"),
        "spring-websocket",
        ("spring-websocket-parallel", "spring-websocket-zgc"),
        N_(
            "Mechanism: a collector decides how long threads stand still and how much processor "
            "time and memory that takes. Unnamed, the JVM takes the serial one on a single "
            "processor and G1 on more."
        ),
        N_(
            "Where it could matter: where the pauses of a trial are a noticeable part of it, or "
            "longer than the slowest round trips. Their sum stands in the table. The study means "
            "servers that run for long; how memory grows over days no trial of minutes shows."
        ),
        N_(
            "Proof that it was active: the server asks the JVM for its collectors and does not "
            "begin with another one."
        ),
        ("gc.pause.total", "gc.count"),
    ),
    Tuning(
        "threads",
        N_("Spring WebSocket: Tomcat's 200 threads instead of 16 a processor"),
        "spring-websocket",
        ("spring-websocket-threads",),
        N_(
            "Mechanism: more messages are worked on at once, by threads that share the same "
            "processors. A thread is worth its memory while it waits for a member's socket. "
            "`@EnableWebSocket` has no TaskExecutor for handlers, which the study names: its "
            "threads are Tomcat's."
        ),
        N_("Where it could matter: where many members read slowly, so that threads wait for them."),
        N_(
            "Proof that it was active: the server asks Tomcat how many threads it may have and "
            "does not begin with another number."
        ),
    ),
    Tuning(
        "container",
        N_("Spring WebSocket: Jetty instead of Tomcat"),
        "spring-websocket",
        ("spring-websocket-jetty",),
        N_(
            "Mechanism: the container reads frames, runs the handler on one of its threads and "
            "writes what is sent. Jetty holds no buffer of the longest message for each "
            "connection, as Tomcat does, and ends one on which nothing was said for 30 s."
        ),
        N_(
            "Where it could matter: with many connections, each of which has the container's "
            "buffers, and where writing frames is most of the work, as on large boards."
        ),
        N_(
            "Proof that it was active: Tomcat's server is not in the build, and the server asks "
            "Jetty for its threads before it is ready."
        ),
    ),
    Tuning(
        "buffers",
        N_("Spring WebSocket: buffers of 64 KB for each connection"),
        "spring-websocket",
        ("spring-websocket-buffers",),
        N_(
            "Mechanism: Tomcat has a buffer to read and one to write for each connection, of 8 KB "
            "by default, and the kernel two more, which grow by themselves unless they are fixed. "
            "A message that is longer than a buffer takes several calls of the system."
        ),
        N_(
            "Where it could matter: with messages longer than 8 KB. Strokes are of 130 B, so that "
            "only the memory of larger buffers is to be seen."
        ),
        N_(
            "Proof that it was active: Tomcat says of each of the four settings whether it has it, "
            "and the server does not begin without one."
        ),
    ),
    Tuning(
        "text-size",
        N_("Spring WebSocket: messages of up to 64 KB instead of 8 KB"),
        "spring-websocket",
        ("spring-websocket-max-size",),
        N_(
            "Mechanism: Tomcat puts a message together in a buffer of the largest size that is let "
            "in, which every connection has from its beginning."
        ),
        N_("Where it could matter: with many connections, each of which takes that memory."),
        N_(
            "Proof that it was active: a test of this suite sends a text longer than the smaller "
            "bound, and gets it back."
        ),
    ),
    Tuning(
        "broker-threads",
        N_("Spring STOMP: threads of the broker's channel"),
        "spring-stomp",
        ("spring-stomp-channel",),
        N_(
            "Mechanism: the channel between controllers and the broker gets an executor, so that "
            "several threads find subscribers side by side. What one user draws is then taken by "
            "several threads, too."
        ),
        N_(
            "Where it could matter: with many processors, and with boards so large that finding "
            "their members is work. Strokes out of order are what it costs; they are counted."
        ),
        N_(
            "Proof that it was active: the server asks the channel for its executor and does not "
            "begin with another number of threads."
        ),
    ),
    Tuning(
        "broker",
        N_("Spring STOMP: RabbitMQ instead of the simple broker"),
        "spring-stomp",
        ("spring-stomp-rabbitmq",),
        N_(
            "Mechanism: Spring keeps a connection to the broker for every client and passes frames "
            "on. Each stroke goes to RabbitMQ once and comes back once for every member, from a "
            "queue of its own. ActiveMQ, which the study names beside it, is not measured."
        ),
        N_(
            "Where it could matter: with several servers, which share the broker's topics. One "
            "server alone has nothing to share, and pays for each delivery twice."
        ),
        N_(
            "Proof that it was active: the server is ready when RabbitMQ has taken its login, and "
            "has no other broker. The processor time of RabbitMQ is measured from outside."
        ),
        _RABBITMQ,
    ),
    Tuning(
        "sockjs",
        N_("Spring STOMP: through SockJS"),
        "spring-stomp",
        ("spring-stomp-sockjs",),
        N_(
            "Mechanism: SockJS stands in for WebSocket where a browser or a proxy has none. By its "
            "WebSocket transport each frame of STOMP is a string in a list of JSON, escaped and "
            "read again for every delivery."
        ),
        N_(
            "Where it could matter: wherever deliveries are many and processor time is short. Who "
            "needs its other transports has no choice."
        ),
        N_(
            "Proof that it was active: at the server's path nothing but SockJS is spoken, and the "
            "generator takes no frame of STOMP that is not in one of SockJS."
        ),
    ),
    Tuning(
        "native",
        N_("Node.js ws: with bufferutil"),
        "node-ws",
        ("node-ws-bufferutil",),
        N_(
            "Mechanism: a native module takes the mask off what comes in. Servers mask nothing "
            "they send, so that of 51 frames one is concerned. utf-8-validate, which the study "
            "names as well, is used by no `ws` on a Node.js that has `buffer.isUtf8`."
        ),
        N_(
            "Where it could matter: where much comes in and little goes out. A call into a native "
            "module costs more than the mask of a short message."
        ),
        N_(
            "Proof that it was active: the server compares the module that it has loaded with its "
            "replacement in JavaScript, and does not begin with the wrong one of them."
        ),
    ),
    Tuning(
        "copies",
        N_("Node.js ws: a string for each receiver instead of the bytes as they came"),
        "node-ws",
        ("node-ws-strings",),
        N_(
            "Mechanism: what the study calls fewer copies the unchanged server has: the bytes of a "
            "stroke are handed to every receiver as they are. The other makes a string of them, "
            "which `ws` encodes anew for each."
        ),
        N_("Where it could matter: on large boards, with long messages."),
        N_(
            "Proof that it was active: both ways are functions of the same program, of which the "
            "parameter `send_as` names one; a name that it does not know ends it before it serves."
        ),
    ),
)
