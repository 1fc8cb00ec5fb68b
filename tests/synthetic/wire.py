"""A load whose reads and their answers a witness saw on the wire, at known shares of each call."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from synthetic.behaviour import Client
from synthetic.folder import SyntheticRun, Trial
from synthetic.load import load_run
from synthetic.manifests import load_scenario
from wirelab.witness.rows import REASONS, UNKNOWN, SeenTraffic

BEFORE, UNTIL = 0.2, 0.7
"""Shares of a call's time at which its request departs and its whole answer is there."""

ASKED, ANSWERED = 80, 900
"""Bytes of a request and of its answer, each of which is one packet."""

HEADERS = 66
"""Bytes of a packet before its payload."""

_READ = 631
_FINAL = int.from_bytes(b"MSGF", "little")


def wire_run(
    clients: Mapping[str, Client],
    *,
    measured: str = "contender",
    judged: str = "client",
    shares: tuple[float, float] = (BEFORE, UNTIL),
    connections: int | None = None,
    own_connection: bool = False,
    every: int = 1,
    **options: int,
) -> SyntheticRun:
    """A run of which all reads were seen, and no writes were looked for; ``measured`` provides the
    role that records, and the role ``judged`` is the contender's. A request departs, and its answer
    is there, at ``shares`` of a call's time. ``connections``: as many may be used at a time;
    ``own_connection``: every user has one. Each ``every``-th read is on a first connection, and all
    others are on a second.
    """
    server = {"provider": "service:server"}
    if judged == "server":
        server = {"provider": "contender", "subject": True}
    client = {"provider": measured, "measured": True}
    scenario = load_scenario(roles={"server": server, "client": client})
    asked_for = {"wire": "opc-tcp:read", "connections": connections}
    asked_for["own_connection"] = own_connection
    read = scenario.operations["read"].model_copy(update=asked_for)
    operations = {**scenario.operations, "read": read}
    run = load_run(
        clients, scenario=scenario.model_copy(update={"operations": operations}), **options
    )
    for trial in run.trials:
        trial.witness = _seen(trial, shares, every)
        packets = len(trial.witness.packets["length"])
        trial.record["witness"] = {"failure": "", "packets": packets, "dropped": 0}
    return run


def _seen(trial: Trial, shares: tuple[float, float], every: int) -> SeenTraffic:
    """A witness's rows of the reads of a trial."""
    own = trial.samples["op"] == 1
    start, end = (trial.samples[name][own] for name in ("start_ns", "end_ns"))
    lasted = end - start
    number = np.arange(len(start))
    connection = np.minimum(number % every, 1)
    place = np.where(connection, np.cumsum(connection), np.cumsum(1 - connection)) - 1
    packets: list[dict[str, np.ndarray]] = []
    messages: list[dict[str, np.ndarray]] = []
    for way, share, length in ((0, shares[0], ASKED), (1, shares[1], ANSWERED)):
        at = start + (lasted * share).astype(np.int64)
        of_stream = {
            "monotonic_ns": at,
            "connection": connection,
            "way": number * 0 + way,
            "position": place * length,
            "length": number * 0 + length,
        }
        frame = number * 0 + length + HEADERS
        packets += [{**of_stream, "side": number * 0 + side, "frame": frame} for side in (0, 1)]
        told = {"kind": _FINAL, "request": number, "service": (1 - way) * _READ, "readable": 1}
        items = UNKNOWN if way else 2000
        alike = {key: number * 0 + one for key, one in {**told, "items": items}.items()}
        messages.append({**of_stream, **alike})
    begin, end_ns = int(start.min()), int(end.max())
    return SeenTraffic(
        packets=_joined(packets),
        messages=_joined(messages),
        unseen={
            "begin_ns": np.array([0, end_ns + 1]),
            "end_ns": np.array([begin - 1, np.iinfo(np.int64).max]),
            "reason": np.full(2, REASONS.index("outside"), dtype=np.uint8),
        },
        dropped=0,
        left_out=0,
    )


def _joined(rows: list[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    columns = {name: np.concatenate([one[name] for one in rows]) for name in rows[0]}
    order = np.argsort(columns["monotonic_ns"], kind="stable")
    return {name: column[order] for name, column in columns.items()}
