"""Real clients read the bench server rightly, over one node and eight, and while nodes change."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from excused import excused
from kv.server.bench_server import BenchServer, Wire, record
from tree import suites_of_the_tree
from wirelab.build import PartBuilds, Unavailable, contender_part

ROOT = Path(__file__).parents[3]
SCRIPT = Path(__file__).with_name("real_reads.py")
WITHIN_S = 60
LIBRARIES = ("official", "official-concurrent", "aerospike-py")

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs("cargo"),
]

Rows = Sequence[tuple[int, str]]


@pytest.fixture(scope="session", name="interpreters")
def _interpreters() -> dict[str, str]:
    """By contender: the interpreter of the environment that has its library."""
    suite = suites_of_the_tree().suite("kv")
    found = {}
    for name in LIBRARIES:
        try:
            built = PartBuilds(ROOT).prepare(contender_part(suite, suite.contenders[name]))
        except Unavailable as failure:
            if not excused(failure):
                raise
            pytest.skip(f"{name}: {failure}")
        found[name] = built.places["python"]
    return found


def read(
    interpreter: str, library: str, server: BenchServer, *batches: Rows, for_s: float = 0
) -> dict[str, Any]:
    """Answers that a library reads, in a process of its own."""
    host, port = server.nodes[0]
    asked = {"batches": batches, "for_s": for_s}
    done = subprocess.run(
        [interpreter, str(SCRIPT), library, host, str(port)],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.mark.parametrize("nodes", [1, 8])
@pytest.mark.parametrize("library", LIBRARIES)
def test_a_real_client_reads_what_is_there(
    library: str, nodes: int, program: Path, interpreters: dict[str, str], tmp_path: Path
) -> None:
    batches: list[Rows] = [
        [(number, f"k{key}") for key in range(200)] for number in (1, 4, 5, 8, 9)
    ]
    # Repeated keys, and the same key in two sets.
    batches.append([(number, f"k{key}") for key in (3, 3, 7, 3) for number in (1, 2)])
    with BenchServer(program, tmp_path, nodes=nodes, foreign="refuse") as server:
        answer = read(interpreters[library], library, server, *batches)
        assert server.stop() == 0
    expected = [[record(number, int(key[1:])) for number, key in rows] for rows in batches]
    assert answer["batches"] == expected
    assert answer["put"] == {"number": 5, "text": "first", "ratio": 0.5}
    assert answer["exists"] == [False, True, False]
    # Every key went to its owner; who does not know owners would have been refused.
    assert server.said.rstrip().endswith(", 0 of them asked of a node that did not own them")


@pytest.mark.parametrize("library", ["official", "aerospike-py"])
def test_a_real_client_goes_on_when_a_node_has_gone_and_one_was_added(
    library: str, program: Path, interpreters: dict[str, str], tmp_path: Path
) -> None:
    rows: Rows = [(1, f"k{key}") for key in range(200)]
    # Times count from the client's own first batch: it is there when the nodes change.
    changes = {"down_node": 1, "down_at_ms": 300, "added_at_ms": 600}
    with BenchServer(program, tmp_path, nodes=3, foreign="refuse", **changes) as server:
        answer = read(interpreters[library], library, server, rows, for_s=1.5)
        with Wire(server.nodes[0]) as wire:
            assert wire.info("peers-generation")["peers-generation"] == "3"
    assert answer["batches"] == [[record(number, int(key[1:])) for number, key in rows]]
    assert answer["again"] > 0
    assert answer["unlike"] == 0
    assert answer["exists"] == [False, True, False]
