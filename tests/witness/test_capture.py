"""The witness beside a program that knows what it sent, and when."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wirelab.build import PartBuilds, witness_part
from wirelab.sandbox import ability
from wirelab.sandbox.namespaces import Namespaces
from wirelab.witness.program import Witness
from wirelab.witness.rows import SeenTraffic

ROOT = Path(__file__).parents[2]

pytestmark = [pytest.mark.e2e, pytest.mark.needs("cargo")]

SIZES = [1, 40, 2_000, 70_000, 400_000]
TIMES = 20

TALKER = f"""
import json, socket, sys, threading, time

server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
sys.stdin.readline()

def receive(end, size):
    while size:
        size -= len(end.recv(size))

def serve():
    end, _ = server.accept()
    for size in {SIZES} * {TIMES}:
        receive(end, size)
        end.sendall(b"a" * 10)

thread = threading.Thread(target=serve)
thread.start()
with socket.create_connection(server.getsockname()) as client:
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    known = []
    for size in {SIZES} * {TIMES}:
        began = time.monotonic_ns()
        client.sendall(b"q" * size)
        receive(client, 10)
        known.append([began, time.monotonic_ns()])
    thread.join()
print(json.dumps(known), flush=True)
"""


@pytest.fixture(scope="module")
def program() -> list[str]:
    return PartBuilds(ROOT).prepare(witness_part(ROOT)).command("")


def talked(program: list[str], folder: Path) -> tuple[SeenTraffic, list[Any]]:
    """Packets of the talker in a network of its own, and the talker's own record."""
    if (obstacle := ability.obstacle()) is not None:
        pytest.skip(f"no network of its own: {obstacle.reason}")
    namespaces = Namespaces("own")
    try:
        witness = Witness(program, [], folder)
        witness.start(namespaces.entered)
        talker = subprocess.Popen(
            namespaces.entered([sys.executable, "-c", TALKER]),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert talker.stdin is not None
        assert talker.stdout is not None
        witness.watch([int(talker.stdout.readline())])
        said, _ = talker.communicate("go\n", timeout=60)
        witness.stop()
    finally:
        namespaces.close()
    assert witness.failure == ""
    assert witness.seen is not None
    return witness.seen, json.loads(said)


def new_bytes(packets: dict[str, Any], *, way: int, side: int) -> dict[str, Any]:
    """The packets of one way at one side that hold bytes, those sent again left out: a busy host
    sends some again, which arrive again."""
    chosen = (packets["way"] == way) & (packets["side"] == side) & (packets["length"] > 0)
    of_side = {name: one[chosen] for name, one in packets.items()}
    ends = np.maximum.accumulate(of_side["position"] + of_side["length"])
    new = of_side["position"] >= np.concatenate([[0], ends[:-1]]).astype(ends.dtype)
    return {name: one[new] for name, one in of_side.items()}


def test_every_byte_departs_and_arrives_within_the_callers_stamps(
    program: list[str], tmp_path: Path
) -> None:
    seen, known = talked(program, tmp_path)
    packets = seen.packets
    assert seen.dropped == 0
    assert len(known) == len(SIZES) * TIMES
    ends = np.cumsum(SIZES * TIMES)
    for side in (0, 1):
        of_side = new_bytes(packets, way=0, side=side)
        assert int(of_side["length"].sum()) == int(ends[-1])
        # The packet with the last byte of each question, between its call and the answer's return.
        found = np.searchsorted(of_side["position"] + of_side["length"], ends)
        at = of_side["monotonic_ns"][found]
        began, returned = np.array(known).T
        assert (at >= began).all()
        assert (at <= returned).all()
    answers = new_bytes(packets, way=1, side=1)
    assert int(answers["length"].sum()) == 10 * len(known)


def test_what_was_seen_says_from_when_to_when(program: list[str], tmp_path: Path) -> None:
    before = time.monotonic_ns()
    seen, known = talked(program, tmp_path)
    begin, end = seen.unseen["end_ns"][0], seen.unseen["begin_ns"][-1]
    assert len(seen.unseen["begin_ns"]) == 2, "nothing but the time before and after"
    assert before < begin < known[0][0]
    assert known[-1][1] < end < time.monotonic_ns()


def test_a_program_that_may_not_look_says_so(program: list[str], tmp_path: Path) -> None:
    nobody = ["setpriv", "--reuid=65534", "--clear-groups", "--bounding-set=-all"]
    witness = Witness([*nobody, "--inh-caps=-all", "--", *program], [], tmp_path)
    witness.start()
    witness.watch([4840])
    witness.stop()
    assert witness.failure.startswith("the witness may not look:")
    assert witness.seen is None
