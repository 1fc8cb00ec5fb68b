"""Tunings of Spring, by WebSocket and by STOMP."""

from __future__ import annotations

from wirelab.report.api import N_

from .tuning_kinds import Tuning

_BROKERS = (
    "cpu.mean",
    *("rabbitmq.cpu.mean", "rabbitmq.rss.max"),
    *("activemq.cpu.mean", "activemq.rss.max"),
)
"""Figures of the server alone, and of the broker that it has."""

WEBSOCKET = (
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
)

STOMP = (
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
        N_("Spring STOMP: RabbitMQ or ActiveMQ instead of the simple broker"),
        "spring-stomp",
        ("spring-stomp-rabbitmq", "spring-stomp-activemq"),
        N_(
            "Mechanism: Spring keeps a connection to the broker for every client and passes frames "
            "on. Each stroke goes to the broker once and comes back once for every member, from a "
            "queue (RabbitMQ) or a subscription (ActiveMQ) of each member's."
        ),
        N_(
            "Where it could matter: with several servers, which share the broker's topics. One "
            "server alone has nothing to share, and pays for each delivery twice."
        ),
        N_(
            "Proof that it was active: the server is ready when the broker has taken its login, "
            "and has no other broker. The processor time of either broker is measured from outside."
        ),
        _BROKERS,
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
)
