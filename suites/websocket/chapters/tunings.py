"""Tunings of one server each, beside the untuned one (5.2 of the study)."""

from __future__ import annotations

from dataclasses import dataclass

from wirelab.report.api import (
    MORE,
    N_,
    Block,
    Bullets,
    CellTable,
    Command,
    Context,
    FigureColumn,
    RatioBand,
    Rule,
    Section,
    StatementAnswer,
    claims,
    paragraph,
    plain,
    stepped,
    steps,
)

from . import ratios
from .redis import BOARD, GLOBAL
from .servers import with_operations

SCENARIO = "tuning"
_ONE, _FOUR = "one", "four"
_WORKERS = 4
_NEARLY = 1.2
"""A growth in proportion: within a fifth of the factor."""


@dataclass(frozen=True)
class _Tuning:
    """A change of a server: who has it, how it works, where it could matter, and the proof."""

    key: str
    title: str
    untuned: str
    tuned: tuple[str, ...]
    mechanism: str
    matters: str
    proof: str
    more: tuple[str, ...] = ()


_COST = ("delivery.per.cpu", "total.cpu.mean", "total.rss.max")
_RATIOS = ("rtt.response.p50", "rtt.response.p99", "delivery.response.p99", *_COST)
_HARM = ("delivery.loss.count", "delivery.reorder.count", "connect.drop.count")
_REDIS = ("cpu.mean", "redis.cpu.mean", "redis.rss.max")

_TUNINGS = (
    _Tuning(
        "workers-board",
        N_("Node.js: one, two and four workers, a channel for each board"),
        f"{BOARD}-{_ONE}",
        (BOARD, f"{BOARD}-{_FOUR}"),
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
            "listen on its port. The processor time of Redis is measured from outside. Unchanged "
            "means a worker for each processor, and two at least."
        ),
        _REDIS,
    ),
    _Tuning(
        "workers-global",
        N_("Node.js: one, two and four workers, one channel for all boards"),
        f"{GLOBAL}-{_ONE}",
        (GLOBAL, f"{GLOBAL}-{_FOUR}"),
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
    _Tuning(
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
    _Tuning(
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
            "closing, and sees the server end its connection; without pings it stays."
        ),
    ),
    _Tuning(
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
    _Tuning(
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
            "longer than the slowest round trips. Their sum stands in the table."
        ),
        N_(
            "Proof that it was active: the server asks the JVM for its collectors and does not "
            "begin with another one."
        ),
        ("gc.pause.total", "gc.count"),
    ),
    _Tuning(
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
)


def sections(context: Context, *, of_all: bool = True) -> list[Section]:
    """The section. Where nothing was tuned it says how to get it, in a report of all."""
    _ = context.words.gettext
    found = stepped(context, SCENARIO)
    title = _("Tunings beside the unchanged server")
    if not found:
        if not of_all:
            return []
        said = paragraph(_("Not run this time. It takes:"))
        command = Command(f"wl run websocket --scenario {SCENARIO}")
        return [Section(title, "tunings", (said, command))]
    opening = paragraph(
        _(
            "Each server differs from the unchanged one in one thing, under the load of the ramp's "
            "last step. Above 1: the tuned one has more. An interval that includes 1 does not tell "
            "them apart."
        )
    )
    told = [_section(context, found.top, tuning) for tuning in _TUNINGS]
    return [Section(title, "tunings", (opening, *(section for section in told if section)))]


def _section(context: Context, top: CellTable, tuning: _Tuning) -> Section | None:
    """A tuning of which a server took part; None for one without any."""
    _ = context.words.gettext
    here = top.among((tuning.untuned, *tuning.tuned))
    if not any(here.cell(name) for name in tuning.tuned):
        return None
    title = _(tuning.title)
    about = (tuning.mechanism, tuning.matters, tuning.proof)
    columns = [FigureColumn(metric) for metric in (*_RATIOS, *tuning.more, *_HARM)]
    blocks: list[Block | Section] = [
        Bullets(tuple(plain(_(said)) for said in about)),
        steps.side_by_side(here, title, with_operations(context, columns)),
    ]
    tuned = [name for name in tuning.tuned if here.cell(name)]
    if here.cell(tuning.untuned):
        metrics = (*_RATIOS, *tuning.more)
        blocks.append(ratios.to_untuned(here, title, tuning.untuned, tuned, metrics))
    return Section(title, f"tuning-{tuning.key}", tuple(blocks))


def own_rules(context: Context) -> list[tuple[str, Rule]]:
    """Statements on what Redis copies, which the study makes and does not measure."""
    _ = context.words.gettext
    proportional = RatioBand(_WORKERS / _NEARLY, _WORKERS * _NEARLY, size=True, stated=_WORKERS)
    return [
        (
            _("Redis, one channel for all: its CPU grows in proportion to the workers (1 to 4)"),
            lambda: _of_redis(context, GLOBAL, proportional),
        ),
        (
            _("Redis, a channel for each board: its CPU grows with the workers, too (1 to 4)"),
            lambda: _of_redis(context, BOARD, MORE),
        ),
    ]


def _of_redis(context: Context, server: str, band: RatioBand) -> StatementAnswer:
    found = stepped(context, SCENARIO)
    sides = [
        (claims.named(context, name), found.top.cell(name) if found else None)
        for name in (f"{server}-{_FOUR}", f"{server}-{_ONE}")
    ]
    return claims.differ(context, "redis.cpu.mean", *sides, band)
