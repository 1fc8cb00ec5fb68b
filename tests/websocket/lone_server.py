"""A server of the suite without a core: started by its command, with the engine beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from e2e.building import build_behind_others, build_engine_behind_others
from sdk.scripted_worker import Worker, running
from tree import suites_of_the_tree
from wirelab.build import PartBuilds, contender_part, engine_part
from wirelab.model.units import Scalar

ROOT = Path(__file__).parents[2]
BOARD = "b0000"
RTT = 1
MS = 1_000_000

Facts = dict[str, Any]


class Server(NamedTuple):
    """Command that starts a contender."""

    command: list[str]
    tuning: dict[str, Scalar]


def server_of(contender: str) -> Server:
    """A contender, built; what it declares of its runtime is left to whoever starts it."""
    build_behind_others("websocket", contender)
    suite = suites_of_the_tree().suite("websocket")
    entry = suite.contenders[contender]
    built = PartBuilds(ROOT).prepare(contender_part(suite, entry))
    surroundings = [f"{name}={value}" for name, value in built.environment.items()]
    command = ["env", *surroundings, *built.command("server")]
    held = ("gc", "tiered")
    tuning = {n: v for n, v in entry.manifest.tuning.items() if not n.startswith(held)}
    return Server(command, tuning)


def engine_command() -> list[str]:
    """The command of the load generator."""
    build_engine_behind_others()
    built = PartBuilds(ROOT).prepare(engine_part(ROOT))
    return [str(built.output / "bin/wirelab-engine"), "websocket"]


@contextmanager
def serving(server: Server, folder: Path, **tuning: int) -> Iterator[tuple[str, Facts]]:
    """Endpoint and facts of a server while it serves."""
    folder.mkdir()
    parameters = server.tuning | tuning
    about = {"suite": "websocket", "role": "server", "parameters": parameters}
    with running(server.command, folder, **about) as worker:
        ready = worker.until("ready")
        yield ready["endpoint"], ready["facts"]


def load(folder: Path, endpoint: str, facts: Facts, **changes: Any) -> dict[str, Any]:
    """A spec of the engine: four users on one board, who draw for half a second after a second."""
    folder.mkdir()
    count = 150
    step = {"name": "all", "first": 0, "count": count, "settle": 100, "users": 4, "lanes": 4}
    about = {"suite": "websocket", "role": "generator", "seed": 7}
    spec = {
        "endpoints": {"server": endpoint},
        "facts": {"server": facts},
        "parameters": {"board_size": 4, "message_bytes": 130},
        "operations": {
            "rtt": {"code": RTT},
            "delivery": {"code": 2, "record": "intervals"},
            "connect": {"code": 3, "due": "join"},
        },
        "schedule": {
            **{"first_ns": 0, "period_ns": 10 * MS, "count": count, "warmup": 0},
            "steps": [{**step, "join_ns": 50 * MS, **changes.pop("step", {})}],
        },
        "verify": {"preflight": {"rtt": 2}, "ticks": {}},
        "paths": {
            name: str(folder / name) for name in ("samples", "answers", "intervals", "scratch")
        },
        "limits": {"ready_ns": 20_000 * MS, "operation_ns": 5_000 * MS, "stop_ns": 5_000 * MS},
    }
    spec["schedule"]["count"] = spec["schedule"]["steps"][0]["count"]
    return about | spec | changes


def counts(worker: Worker) -> dict[str, int]:
    """All counts of the interval file, by operation and name."""
    found: dict[str, int] = {}
    for line in (worker.folder / "intervals").read_text().splitlines():
        said = json.loads(line)
        for name, count in said["counts"].items():
            key = f"{said['operation']}.{name}"
            found[key] = found.get(key, 0) + count
    return found
