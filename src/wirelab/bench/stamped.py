"""Stamps of the witness beside a program that knows when it wrote."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from wirelab.bench.figure import BenchError
from wirelab.witness.program import Witness

SIZE = 40
"""Bytes of a message: each is a packet of its own."""

Ints = npt.NDArray[np.int64]


def stamp_errors(program: Sequence[str], folder: Path, messages: int) -> list[int]:
    """The ns by which the stamp of each message lies before or after the call that wrote it; 0
    within it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        witness = Witness(program, [], folder)
        witness.start()
        witness.watch({server.getsockname()[1]})
        try:
            written = _written(server, messages)
        finally:
            witness.stop()
    seen = witness.seen
    if witness.failure or seen is None:
        raise BenchError(witness.failure or "the witness saw nothing")
    packets = seen.packets
    departed = (packets["way"] == 0) & (packets["side"] == 0) & (packets["length"] > 0)
    reached = np.maximum.accumulate((packets["position"] + packets["length"])[departed])
    return errors_of(reached, packets["monotonic_ns"][departed], written)


def errors_of(reached: Ints, stamps: Ints, written: Ints) -> list[int]:
    """The same from the ends of packets in the stream with their stamps, and rows of begin and end
    of each call; BenchError where a message was not seen."""
    ends = SIZE * np.arange(1, len(written) + 1)
    packet = np.searchsorted(reached, ends)
    if len(packet) and packet[-1] >= len(stamps):
        raise BenchError(f"{int(np.count_nonzero(packet >= len(stamps)))} messages were not seen")
    at = stamps[packet]
    began, returned = written.T
    outside: list[int] = np.maximum(0, np.maximum(began - at, at - returned)).tolist()
    return outside


def _written(server: socket.socket, messages: int) -> Ints:
    """Write messages, each when the one before has been answered; begin and end of each call."""
    answering = threading.Thread(target=_answer, args=(server, messages), daemon=True)
    answering.start()
    written = np.empty((messages, 2), dtype=np.int64)
    message = b"q" * SIZE
    with socket.create_connection(server.getsockname()) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for number in range(messages):
            began = time.monotonic_ns()
            client.sendall(message)
            written[number] = began, time.monotonic_ns()
            client.recv(1)
        answering.join()
    return written


def _answer(server: socket.socket, messages: int) -> None:
    end, _ = server.accept()
    with end:
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for _ in range(messages):
            if len(end.recv(SIZE, socket.MSG_WAITALL)) < SIZE:
                return
            end.sendall(b"a")
