"""A run of the suite ``messaging`` in little: figures made up, every kind of cell there once.

Plain sockets and naive ones, RMI, a broker in four guarantees, one with a client in Python; one
that cannot run anywhere; faults, of which some contenders have no part in one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from report_build import metric, participant, result

from synthetic.judged import ranked_by_verdicts
from wirelab.manifest import load_suite
from wirelab.model.capacity import CapacityFound, Ending, Limit, Search
from wirelab.model.participant import Participant
from wirelab.model.result import CallerView, Cell, Finding, Metric, Result, Verdict
from wirelab.model.units import Text

SUITE = Path(__file__).parents[2] / "suites" / "messaging"

# name: title, language, mode, p50 of a warm echo in ms
CONTENDERS: dict[str, tuple[str, str, str, float]] = {
    "socket": ("Socket, buffered frames", "Java", "direct", 0.05),
    "socket-naive": ("Socket, as in 2004", "Java", "direct", 44.0),
    "rmi": ("RMI", "Java", "direct", 0.12),
    "jms-artemis": ("JMS: Artemis", "Java", "own-queue", 0.40),
    "jms-artemis-responder": ("JMS: Artemis, responder", "Java", "responder", 0.80),
    "jms-artemis-persistent": ("JMS: Artemis, persistent", "Java", "persistent", 3.2),
    "nats": ("NATS", "Java", "own-queue", 0.10),
    "python-nats": ("NATS", "Python", "own-queue", 0.25),
}
GONE = "jms-sonicmq"
TRIALS = 3
MARKS = tuple(range(100, 1000, 100))
# name: messages of a tick that a stream of 1,000 bytes held in 10 ms, and the first that it did not
_STREAMED: dict[str, tuple[int, int | None]] = {
    "socket": (240, 250),
    "nats": (1000, None),
    "python-nats": (21, 22),
}
_HELD_IN_100_MS = {"socket": (900, 300), "nats": (1500, 700), "python-nats": (80, 25)}
"""Messages of a tick, of one client and of one of four who all receive."""
_CROWDS = (("c100-m10", 100, 10), ("c100-m100", 100, 100), ("c300-m10", 300, 10))
"""Steps with their clients, and messages of each."""
_LOGIN = ("jms-artemis", "jms-artemis-persistent", "nats", "python-nats")


@cache
def sample() -> Result:
    """The result; it has no series, so no lines over time."""
    suite = load_suite(SUITE / "suite.toml")
    people = {name: _participant(name) for name in CONTENDERS} | {GONE: _unavailable()}
    cells = [
        *(cell for name in CONTENDERS for cell in _asking(name)),
        *(
            cell
            for name in CONTENDERS
            if name != "jms-artemis-responder"
            for cell in (*_telling(name), *_once_each(name), _held(name))
        ),
        *(cell for name in ("socket", "jms-artemis-responder") for cell in _by_size(name)),
        *(cell for name in _STREAMED for cell in _streamed(name)),
        *(cell for name in ("jms-artemis", "nats") for cell in _shared(name)),
        *_applications(),
        *_synced(),
        *_faults(),
    ]
    return result(
        ranked_by_verdicts(cells, suite.scenarios, {n: p.manifest for n, p in people.items()}),
        scenarios=suite.scenarios,
        participants=people,
        suite="messaging",
        suite_title=suite.title,
        modes=suite.modes,
        run="20260102-030405-messaging-quick",
        services={"nats": suite.services["nats"].library},
        file_systems=[{"type": "ext4"}],
    )


def without(found: Result, **left_out: Iterable[str]) -> Result:
    """The result without the cells whose field has one of these values, and ranked anew."""
    kept = [
        cell
        for cell in found.cells
        if not any(getattr(cell, field) in values for field, values in left_out.items())
    ]
    return _ranked_anew(found, kept)


def changed(found: Result, change: Callable[[Cell], Cell]) -> Result:
    """The result with every cell changed, and ranked anew."""
    return _ranked_anew(found, [change(cell) for cell in found.cells])


def _ranked_anew(found: Result, cells: list[Cell]) -> Result:
    contenders = {name: p.manifest for name, p in found.participants.items()}
    return found.model_copy(
        update={"cells": ranked_by_verdicts(cells, found.scenarios, contenders)}
    )


def with_figure(found: Result, contender: str, step: str, name: str, value: Metric) -> Result:
    """The result with one figure of a contender's step replaced."""

    def change(cell: Cell) -> Cell:
        if (cell.contender, cell.step) != (contender, step):
            return cell
        return cell.model_copy(update={"metrics": {**cell.metrics, name: value}})

    return changed(found, change)


def with_capacity(cell: Cell, *, verified: int, failed: int | None) -> Cell:
    """A cell whose only search ended so; None: the highest load held."""
    ending: Ending = "highest" if failed is None else "found"
    limit: Limit = "" if failed is None else "contender"
    search = Search(ending=ending, verified=verified, failed=failed, limited_by=limit, probes=[])
    found = CapacityFound(parameter="users", searches=[search])
    figures = {"capacity.verified": metric(verified, "users", None, 1)}
    remarks = {"capacity": found.model_dump(mode="json")}
    return cell.model_copy(update={"metrics": figures, "remarks": remarks})


def about(value: float, unit: str = "ms", spread: float = 0.02) -> Metric:
    """A figure of three trials with its interval."""
    each = [value * (1 + spread * shift) for shift in (-1, 0, 1)]
    return metric(value, unit, (value * (1 - spread), value * (1 + spread)), 3000, each)


# ---------------------------------------------------------------------------- participants


def _participant(name: str) -> Participant:
    title, language, mode, _echo = CONTENDERS[name]
    base = participant(name, lines=70 + len(name))
    able = ["lanes", "credentials"] if name in _LOGIN else ["lanes"]
    update: dict[str, Any] = {"title": Text(en=title), "language": language, "mode": mode}
    update |= {"roles": ["client"], "capabilities": able}
    if mode != "direct":
        update["tuning"] = {"delivery": "non-persistent", "acknowledge": "auto", "hops": 2}
    return base.model_copy(update={"manifest": base.manifest.model_copy(update=update)})


def _unavailable() -> Participant:
    base = participant(GONE)
    why = Text(en="it is not to be had any more", ko="더는 구할 수 없음")
    known = {"title": Text(en="SonicMQ"), "mode": "own-queue", "unavailable": why}
    manifest = base.manifest.model_copy(update=known)
    changes = {"ownership": None, "unavailable": why.en}
    return base.model_copy(update={"manifest": manifest, **changes})


# ------------------------------------------------------------------------------------ cells


def _cell(scenario: str, step: str, name: str, metrics: Mapping[str, Metric], **more: Any) -> Cell:
    place = "/".join(part for part in ("messaging", scenario, step, name) if part)
    return Cell(
        id=place,
        suite="messaging",
        scenario=scenario,
        step=step,
        contender=name,
        mode=CONTENDERS[name][2],
        parameters={"message_bytes": 1000},
        metrics=dict(metrics),
        trials=[f"{number:04}-{scenario}-{name}" for number in range(1, TRIALS + 1)],
        statuses={"echo": {"ok": 2700}},
        **({"verdict": Verdict.VALID, "findings": []} | more),
    )


def _levels(name: str, p50: float) -> dict[str, Metric]:
    return {
        f"{name}.p50": about(p50),
        f"{name}.p95": about(p50 * 1.5),
        f"{name}.p99": about(p50 * 2.5),
    }


def _asking(name: str) -> list[Cell]:
    """Everything in which a client asks for itself."""
    warm = CONTENDERS[name][3]
    cold = _levels("echo.latency", warm * 4) | {"step.elapsed": about(warm * 3.6, "s")}
    cold |= {f"echo.elapsed.{n}": about(warm * n / 250, "s") for n in MARKS}
    steady = _levels("echo.latency", warm) | {"step.elapsed": about(warm * 0.9, "s")}
    steady |= {f"echo.elapsed.{n}": about(warm * n / 1000, "s") for n in MARKS}
    many = {"connect.rate": about(1000 / (warm * 30), "connection/s")}
    many |= _levels("connect.latency", warm * 30) | {"connect.error.count": metric(0, "count")}
    return [
        _cell("transfer", "cold", name, cold),
        _cell("transfer-steady", "steady", name, steady),
        *(_of_size(name, step, warm * more) for step, more in (("1000", 1.0), ("10000", 1.4))),
        _cell("echo-paced", "size-1000", name, _paced(name, warm)),
        *_crowded(name),
        _cell("connect", "c100", name, many),
    ]


def _crowded(name: str) -> list[Cell]:
    """Echoes of many clients; three hundred of them get a fifth less done a second."""
    warm = CONTENDERS[name][3]
    found = []
    for step, users, messages in _CROWDS:
        rate = 1430 / warm * (0.8 if users == 300 else 1.0)
        elapsed = users * messages / rate
        figures = _levels("echo.latency", warm * users * 0.6) | {
            "step.elapsed": about(elapsed, "s"),
            "echo.rate": about(rate, "message/s"),
            "echo.first": about(elapsed * 985),
            "echo.last": about(elapsed * 990),
        }
        found.append(_cell("echo-clients", step, name, figures))
    return found


def _synced() -> list[Cell]:
    """Sync calls to an echo: of a journal, and where nothing is stored."""
    calls = {"jms-artemis": 0.0, "jms-artemis-persistent": 1.9}
    good = {"echo.error.count": metric(0, "count")}
    return [
        _cell("journal", "steady", name, {"echo.syncs": metric(value, "call/message")} | good)
        for name, value in calls.items()
    ]


def _of_size(name: str, size: str, p50: float) -> Cell:
    figures = _levels("echo.latency", p50)
    figures |= {"step.elapsed": about(p50, "s"), "echo.rate": about(1000 / p50, "message/s")}
    return _cell("echo-size", f"size-{size}", name, figures)


def _paced(name: str, warm: float) -> dict[str, Metric]:
    sides = {"": (8.0, 60.0), "server.": (4.0, 90.0)}
    if name == "jms-artemis-responder":
        sides["responder."] = (6.0, 70.0)
    found = _levels("echo.response", warm * 1.2) | {"echo.rate": about(200, "message/s")}
    for side, (cpu, memory) in sides.items():
        found |= {f"{side}cpu.mean": about(cpu, "%"), f"{side}rss.max": about(memory, "MB")}
    return found


def _telling(name: str) -> list[Cell]:
    """Broadcasts: the last client of RMI is served first, and Python loses a delivery."""
    warm = CONTENDERS[name][3]
    found = []
    for step, users, messages in _CROWDS:
        due = users * messages * users * TRIALS
        lost = 1 if name == "python-nats" else 0
        elapsed = users * users * messages * warm / 2e5
        figures = _levels("delivery.latency", elapsed * 400) | {
            "step.elapsed": about(elapsed, "s"),
            "delivery.expected.count": metric(due, "count"),
            "delivery.received.count": metric(due - lost, "count"),
            "delivery.loss.count": metric(lost, "count"),
            "complete.first": about(elapsed * (1300 if name == "rmi" else 1000)),
            "complete.last": about(elapsed * 1000),
            "complete.fairness": about(0.98, "ratio"),
            "rss.max": about(100 + users / 2, "MB"),
            "server.rss.max": about(80 + users / 3, "MB"),
        }
        more: dict[str, Any] = {}
        if lost:
            counts = {"lost": lost, "expected": due, "failed": lost, "sent": due, "statuses": {}}
            evidence = {"operations": {"delivery": counts}, "ratio": lost / due, "bound": 0.0}
            finding = Finding(gate="loss-or-error", verdict=Verdict.INVALID, evidence=evidence)
            more = {"verdict": Verdict.INVALID, "findings": [finding]}
        found.append(_cell("broadcast", step, name, figures, **more))
    return found


def _once_each(name: str) -> list[Cell]:
    """One message of each, and of one alone: connecting takes thirty echoes a client."""
    warm = CONTENDERS[name][3]
    found = []
    for users in (100, 300):
        joined = users * warm * 30 / 1e3
        for who, senders in (("all", users), ("one", 1)):
            due = users * senders * TRIALS
            elapsed = users * senders * warm / 2e5
            figures = _levels("delivery.latency", elapsed * 400) | _levels("send.latency", warm / 2)
            first = 1.6 if name == "rmi" else 1.0
            figures |= {
                "step.elapsed": about(elapsed, "s"),
                "server.rss.max": about((80 if name == "rmi" else 100) + users / 3, "MB"),
                "connect.elapsed": about(joined, "s"),
                "connect.elapsed.summed": about(joined + elapsed, "s"),
                "complete.first": about(elapsed * 500 * first),
                "complete.last": about(elapsed * 500),
                "delivery.expected.count": metric(due, "count"),
                "delivery.loss.count": metric(0, "count"),
            }
            found.append(_cell("clients", f"c{users}-{who}", name, figures))
    return found


def _by_size(name: str) -> list[Cell]:
    """Broadcasts and echoes of a hundred; ten times the bytes take twice as long."""
    warm = CONTENDERS[name][3]
    found = []
    for size, longer in (("1000", 1), ("10000", 2)):
        elapsed = 100_000 * warm * longer / 2e5
        told = _levels("delivery.latency", elapsed * 400) | {
            "step.elapsed": about(elapsed, "s"),
            "delivery.expected.count": metric(100_000 * TRIALS, "count"),
        }
        asked = _levels("echo.latency", warm * 60 * longer)
        asked |= {"step.elapsed": about(warm * 0.7 * longer, "s")}
        found.append(_cell("echo-size-clients", f"c100-{size}", name, asked))
        if name != "jms-artemis-responder":
            found.append(_cell("broadcast-size", f"c100-{size}", name, told))
    return found


def _held(name: str) -> Cell:
    """As many as were asked for, but by JMS and by Python."""
    failed = {"jms-artemis": 700, "python-nats": 320}.get(name)
    cell = _cell("capacity-broadcast", "", name, {})
    return with_capacity(cell, verified=1300 if failed is None else failed - 20, failed=failed)


def _streamed(name: str) -> list[Cell]:
    """Messages of 1,000 bytes, and a few of 1 MB; NATS held the most of one that was asked for."""
    alone, of_four = _HELD_IN_100_MS[name]
    held = {
        "stream-10ms": _STREAMED[name],
        "stream-100ms": (alone, alone + 10),
        "stream-fan-out": (of_four, of_four + 10),
        "stream-1mb": (9, 10),
    }
    return [
        with_capacity(_cell(scenario, "", name, {}), verified=verified, failed=failed)
        for scenario, (verified, failed) in held.items()
    ]


def _applications() -> list[Cell]:
    """Two and eight at a hub of sockets."""
    return [
        _cell(
            "applications",
            f"a{number}",
            "socket",
            {
                "connect.latency.p50": about(0.3),
                "delivery.response.p50": about(0.2),
                "rss.max": about(80 + number, "MB"),
                "server.rss.max": about(100 + number, "MB"),
            },
        )
        for number in (2, 8)
    ]


def _shared(name: str) -> list[Cell]:
    """A queue of four: JMS sends again what the dead one had, and NATS has forgotten it."""
    even = 0.99 if name == "jms-artemis" else 0.8
    alive = _levels("delivery.response", 40 if name == "jms-artemis" else 60)
    alive |= {
        "delivery.evenness": about(even, "ratio"),
        "delivery.loss.count": metric(0, "count"),
    }
    died = {
        "delivery.loss.count": metric(6 if name == "nats" else 0, "count"),
        "delivery.redelivered.count": metric(0 if name == "nats" else 6, "count"),
        "delivery.response.max": metric(95, "ms"),
    }
    return [_cell("queue", "shared", name, alive), _cell("queue-death", "shared", name, died)]


def _faults() -> list[Cell]:
    found = []
    for variant, names, said in (
        ("server-missing", ("socket", "rmi", "nats"), ("error", "ConnectException")),
        ("wrong-credentials", ("jms-artemis", "nats"), ("error", "JMSSecurityException")),
        ("server-restart", ("socket", "nats"), ("recovered", "EOFException")),
        ("server-restart", ("jms-artemis",), ("not-recovered", "IllegalStateException")),
    ):
        for name in names:
            outcome, what = said
            view = {"trial": "0009", "outcome": outcome, "error_class": what}
            view |= {"outage_ms": 1240.0} if outcome == "recovered" else {}
            cell = _cell("faults", "", name, {}, caller=[CallerView.model_validate(view)])
            update = {"variant": variant, "id": f"{cell.id}/{variant}"}
            found.append(cell.model_copy(update=update))
    return found
