"""The bench server over its wire protocol, spoken here by hand: what it answers, what it refuses,
and what it does wrong when it is asked to."""

from __future__ import annotations

import select
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kv.server.bench_server import (
    BATCH_TOO_LARGE,
    CREATE_ONLY,
    DELETE,
    EXISTS,
    GET_ALL,
    INFO,
    MESSAGE,
    NO_BINS,
    NOT_FOUND,
    OK,
    PARTITION_UNAVAILABLE,
    READ,
    WRITE,
    BenchServer,
    Wire,
    batch,
    digest,
    field,
    frame,
    message,
    operation,
    owners,
    partition,
    record,
    repeated,
    row,
)

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs("cargo"),
]

Start = Callable[..., BenchServer]


@pytest.fixture(name="start")
def _start(program: Path, tmp_path: Path) -> Iterator[Start]:
    running: list[BenchServer] = []

    def start(**parameters: object) -> BenchServer:
        server = BenchServer(program, tmp_path / str(len(running)), **parameters)
        running.append(server)
        return server

    yield start
    for server in running:
        with server:
            pass


def keys(number: int, count: int) -> list[bytes]:
    """Rows of the first keys of a set, all but the first of them as the one before."""
    first = row(0, number, "k0")
    return [first, *(repeated(i, number, f"k{i}") for i in range(1, count))]


# ------------------------------------------------------------------------------ records
def test_a_batch_has_every_record_that_exists_and_says_which_do_not(start: Start) -> None:
    with Wire(start().nodes[0]) as wire:
        for number in range(1, 10):
            rows, result = wire.batch(keys(number, 300))
            expected = [record(number, key) for key in range(300)]
            assert result == OK
            assert [answer.index for answer in rows] == list(range(300))
            assert [answer.bins or None for answer in rows] == expected
            codes = [OK if bins else NOT_FOUND for bins in expected]
            assert [answer.result for answer in rows] == codes


def test_the_universe_ends_where_it_ends(start: Start) -> None:
    known = next(key for key in range(20, 60) if record(1, key))
    with Wire(start(universe=20).nodes[0]) as wire:
        [answer], _ = wire.batch([row(0, 1, f"k{known}")])
        assert answer.result == NOT_FOUND


def test_two_sets_and_repeated_keys_in_one_batch(start: Start) -> None:
    there = next(key for key in range(300) if record(1, key) and record(2, key))
    key = f"k{there}"
    with Wire(start().nodes[0]) as wire:
        asked = [row(0, 1, key), row(1, 2, key), repeated(2, 2, key), row(7, 1, key)]
        rows, _ = wire.batch(asked)
    assert [(r.index, r.bins) for r in rows] == [
        (0, record(1, there)),
        (1, record(2, there)),
        (2, record(2, there)),
        (7, record(1, there)),
    ]


def test_named_bins_alone_and_no_bins_at_all(start: Start) -> None:
    there = next(key for key in range(300) if record(1, key))
    key = f"k{there}"
    wanted = [operation(1, name) for name in ("d7", "c0", "none")]
    with Wire(start().nodes[0]) as wire:
        named, bare = wire.batch(
            [row(0, 1, key, *wanted, info1=READ), row(1, 1, key, info1=READ | NO_BINS)]
        )[0]
    bins = record(1, there)
    assert bins is not None
    assert named.bins == {"d7": bins["d7"], "c0": bins["c0"]}
    assert (bare.result, bare.bins) == (OK, {})


def test_what_is_put_is_read_back_until_it_is_deleted(start: Start) -> None:
    mine = digest(1, "mine")
    text = operation(2, "text", 3, b"first")
    number = operation(2, "number", 1, (5).to_bytes(8, "big"))
    with Wire(start().nodes[0]) as wire:
        assert wire.single(READ | GET_ALL, 0, mine).result == NOT_FOUND
        assert wire.single(READ | NO_BINS, 0, mine).result == NOT_FOUND
        assert wire.single(0, WRITE, mine, text).result == OK
        assert wire.single(0, WRITE | CREATE_ONLY, mine, text).result == EXISTS
        assert wire.single(0, WRITE, mine, number).generation == 2
        assert wire.single(READ | NO_BINS, 0, mine).result == OK
        read = wire.single(READ | GET_ALL, 0, mine)
        assert (read.bins, read.generation) == ({"text": "first", "number": 5}, 2)
        # A bin that is written as nothing goes.
        assert wire.single(0, WRITE, mine, operation(2, "text")).result == OK
        [in_batch], _ = wire.batch([row(0, 1, "mine")])
        assert in_batch.bins == {"number": 5}
        assert wire.single(0, WRITE | DELETE, mine).result == OK
        assert wire.single(READ | GET_ALL, 0, mine).result == NOT_FOUND
        assert wire.single(0, WRITE | DELETE, mine).result == NOT_FOUND


def test_the_first_bin_is_a_text_where_the_wrong_type_is_asked_for(start: Start) -> None:
    there = next(key for key in range(300) if record(1, key))
    bins = record(1, there)
    assert bins is not None
    with Wire(start(wrong_type=True).nodes[0]) as wire:
        [answer], _ = wire.batch([row(0, 1, f"k{there}")])
    assert answer.bins == bins | {"c0": str(bins["c0"])}


def test_a_batch_of_too_many_keys_is_refused(start: Start) -> None:
    with Wire(start(most_batch=10).nodes[0]) as wire:
        assert wire.batch(keys(1, 11)) == ([], BATCH_TOO_LARGE)
        assert len(wire.batch(keys(1, 10))[0]) == 10


def test_requests_that_follow_each_other_are_answered_in_their_order(start: Start) -> None:
    with Wire(start().nodes[0]) as wire:
        requests = [frame(MESSAGE, batch(keys(1, n))) for n in (1, 20, 3)]
        wire.socket.sendall(b"".join(requests) + frame(INFO, b"node\n"))
        assert [len(wire.rows()[0]) for _ in requests] == [1, 20, 3]
        assert wire.frame() == b"node\tBB9000000000001\n"


def test_a_request_that_comes_in_parts_is_answered(start: Start) -> None:
    with Wire(start().nodes[0]) as wire, Wire(start().nodes[0]) as other:
        request = frame(MESSAGE, batch(keys(1, 3)))
        for at in (0, 5, 8, 60):
            end = {0: 5, 5: 8, 8: 60}.get(at, len(request))
            wire.socket.sendall(request[at:end])
            # Whoever is answered meanwhile shows that the server went on.
            assert other.info("status") == {"status": "ok"}
        assert len(wire.rows()[0]) == 3


# ------------------------------------------------------------------------------ what is no request
@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(b"GET / HTTP/1.1\r\n\r\n", id="another-protocol"),
        pytest.param(bytes([2, 3]) + (2**40).to_bytes(6, "big"), id="too-long"),
        pytest.param(frame(MESSAGE, b""), id="no-message"),
        pytest.param(frame(4, b"\0" * 30), id="compressed"),
        pytest.param(frame(MESSAGE, message(READ, 0, [b"\xff\xff\xff\xff"])), id="field-too-long"),
        pytest.param(
            frame(MESSAGE, message(READ | 8, 0, [field(41, b"\0\0\0\x05\x0d")])), id="rows-missing"
        ),
        pytest.param(frame(MESSAGE, batch([repeated(0, 1, "k0")])), id="repeats-nothing"),
    ],
)
def test_what_is_no_request_ends_its_connection_and_no_other(start: Start, sent: bytes) -> None:
    server = start()
    with Wire(server.nodes[0]) as other, Wire(server.nodes[0]) as wire:
        assert other.info("status") == {"status": "ok"}
        wire.socket.sendall(sent)
        assert wire.ends()
        assert other.info("status") == {"status": "ok"}
    assert server.stop() == 0


def test_a_client_that_goes_in_the_middle_of_a_request_takes_nobody_along(start: Start) -> None:
    server = start()
    for _ in range(20):
        with Wire(server.nodes[0]) as wire:
            wire.socket.sendall(frame(MESSAGE, batch(keys(1, 200)))[:100])
    with Wire(server.nodes[0]) as wire:
        assert len(wire.batch(keys(1, 3))[0]) == 3


# ------------------------------------------------------------------------------ nodes
def test_every_partition_has_one_owner_and_another_node_refuses_it(start: Start) -> None:
    server = start(nodes=3, foreign="refuse")
    found = owners(server.nodes)
    assert {len(nodes) for nodes in found} == {1}
    key = next(key for key in range(300) if record(1, key))
    [owner] = found[partition(digest(1, f"k{key}"))]
    for node, address in enumerate(server.nodes):
        with Wire(address) as wire:
            [answer], _ = wire.batch([row(0, 1, f"k{key}")])
            assert answer.result == (OK if node == owner else PARTITION_UNAVAILABLE)
    assert server.stop() == 0
    assert server.said.startswith("3 multi-gets with 3 keys, 2 of them")


def test_nodes_tell_of_each_other(start: Start) -> None:
    server = start(nodes=2)
    (_, first), (_, second) = server.nodes
    with Wire(server.nodes[0]) as wire:
        assert wire.info("peers-clear-std", "build") == {
            "peers-clear-std": f"1,{first},[[BB9000000000002,,[127.0.0.1:{second}]]]",
            "build": "8.1.0.0",
        }


def test_nodes_are_where_they_were_after_a_restart(program: Path, tmp_path: Path) -> None:
    with BenchServer(program, tmp_path, nodes=3) as killed:
        killed.kill()
    with BenchServer(program, tmp_path, killed.first["endpoint"], nodes=3) as again:
        assert again.nodes == killed.nodes
        assert {len(nodes) for nodes in owners(again.nodes)} == {1}
    # Another trial, which names no port, has ports of its own.
    with BenchServer(program, tmp_path, nodes=3) as other:
        assert set(other.nodes).isdisjoint(killed.nodes)


def _until_refused(address: tuple[str, int]) -> None:
    while True:
        try:
            socket.create_connection(address, 30).close()
        except ConnectionRefusedError:
            return


def _until_taken(address: tuple[str, int]) -> None:
    while True:
        try:
            return socket.create_connection(address, 30).close()
        except ConnectionRefusedError:
            continue


def test_a_node_goes_down_and_comes_up_again_with_its_partitions(start: Start) -> None:
    server = start(nodes=3, down_node=1, down_at_ms=150, up_at_ms=3000)
    stays, goes, _ = server.nodes
    before = owners(server.nodes)
    with Wire(stays) as wire, Wire(goes) as ended:
        assert wire.info("partition-generation")["partition-generation"] == "1"
        # Times count from the first batch.
        assert len(wire.batch(keys(1, 3))[0]) == 3
        assert ended.ends()
        _until_refused(goes)
        down = wire.info("partition-generation", "peers-clear-std")
        assert down["partition-generation"] == "2"
        assert f":{goes[1]}]" not in down["peers-clear-std"]
        without = owners([stays, server.nodes[2]])
        assert {len(nodes) for nodes in without} == {1}
        _until_taken(goes)
        assert wire.info("partition-generation")["partition-generation"] == "3"
        assert owners(server.nodes) == before


def test_a_node_is_added_and_takes_partitions_from_the_others(start: Start) -> None:
    server = start(nodes=2, added_at_ms=50)
    first, second, added = server.nodes
    _until_refused(added)
    before = owners([first, second])
    with Wire(first) as wire:
        wire.batch(keys(1, 3))
        _until_taken(added)
        assert wire.info("peers-generation")["peers-generation"] == "2"
        assert f":{added[1]}]" in wire.info("peers-clear-std")["peers-clear-std"]
    after = owners(server.nodes)
    moved = [old != new for old, new in zip(before, after, strict=True)]
    assert {len(nodes) for nodes in after} == {1}
    assert all(new == [2] for new, has in zip(after, moved, strict=True) if has)
    assert 1000 < sum(moved) < 1700


# ------------------------------------------------------------------------------ faults
def test_who_waits_for_a_slow_node_delays_nobody_else(start: Start) -> None:
    server = start(nodes=2, slow_node=0, slow_us=600_000_000)
    with Wire(server.nodes[0]) as slow, Wire(server.nodes[0]) as info, Wire(server.nodes[1]) as on:
        slow.socket.sendall(frame(MESSAGE, batch(keys(1, 3))))
        assert len(on.batch(keys(1, 3))[0]) == 3
        assert info.info("status") == {"status": "ok"}
        assert select.select([slow.socket], [], [], 0)[0] == []
    assert server.stop() == 0


def test_a_delay_holds_a_reply_back_and_lets_it_go(start: Start) -> None:
    with Wire(start(delay_us=2000, jitter_us=500).nodes[0]) as wire:
        assert [len(wire.batch(keys(1, n))[0]) for n in (2, 5, 3)] == [2, 5, 3]


def test_a_stalled_node_answers_nothing_until_its_time_is_over(start: Start) -> None:
    server = start(nodes=2, stall_node=1, stall_at_ms=0, stall_ms=600)
    with Wire(server.nodes[0]) as wire, Wire(server.nodes[1]) as stalled:
        wire.batch(keys(1, 1))
        stalled.socket.sendall(frame(INFO, b"status\n"))
        assert wire.info("status") == {"status": "ok"}
        assert select.select([stalled.socket], [], [], 0)[0] == []
        assert stalled.frame() == b"status\tok\n"


def test_batches_fail_with_the_code_that_was_asked_for_at_one_node(start: Start) -> None:
    server = start(nodes=2, error_node=1, error_share=1.0, error_code=18)
    with Wire(server.nodes[0]) as well, Wire(server.nodes[1]) as failing:
        assert len(well.batch(keys(1, 3))[0]) == 3
        assert failing.batch(keys(1, 3)) == ([], 18)
        assert failing.single(READ | GET_ALL, 0, digest(8, "k0")).result == NOT_FOUND


def test_a_share_of_the_batches_fails(start: Start) -> None:
    with Wire(start(error_share=0.25).nodes[0]) as wire:
        results = [wire.batch(keys(1, 1))[1] for _ in range(400)]
    assert set(results) == {OK, PARTITION_UNAVAILABLE}
    # Drawn from the seed: the same ones in every run.
    assert 60 < results.count(PARTITION_UNAVAILABLE) < 140


def test_a_dropped_batch_comes_by_half(start: Start) -> None:
    with Wire(start(drop_share=1.0).nodes[0]) as wire:
        wire.socket.sendall(frame(MESSAGE, batch(keys(5, 100))))
        with pytest.raises(ConnectionError, match="bytes came"):
            wire.frame()


# ------------------------------------------------------------------------------ the worker
def test_it_says_where_it_serves_and_ends_when_its_input_does(start: Start) -> None:
    server = start(threads=2, nodes=2)
    assert server.first["event"] == "ready"
    assert server.first["facts"]["bench"] is True
    assert server.first["endpoint"] == server.first["facts"]["nodes"][0]
    wires = [Wire(server.nodes[0]) for _ in range(4)]
    assert [len(wire.batch(keys(1, 3))[0]) for wire in wires] == [3] * 4
    assert server.stop() == 0
    assert all(wire.ends() for wire in wires)


@pytest.mark.parametrize(
    "parameters",
    [
        {"nodes": 0},
        {"nodes": 2, "stall_node": 2},
        {"error_share": 1.5},
        {"nodes": 2, "down_at_ms": 5},
        {"down_node": 0, "down_at_ms": 5},
        {"foreign": "perhaps"},
    ],
)
def test_parameters_that_cannot_be_are_said_to_be(start: Start, parameters: object) -> None:
    assert isinstance(parameters, dict)
    server = start(**parameters)
    assert (server.first["event"], server.first["scope"]) == ("error", "fatal")
    assert server.stop() == 1
