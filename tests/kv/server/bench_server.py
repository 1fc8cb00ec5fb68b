"""The bench server as a process, a client of its wire protocol, and the records it must have."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import socket
import struct
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WITHIN_S = 30.0
"""Time limit of a test; none waits that long when all is well."""

INFO, MESSAGE = 1, 3
READ, GET_ALL, BATCH, NO_BINS = 1, 2, 8, 32
WRITE, DELETE, CREATE_ONLY = 1, 2, 32
OK, NOT_FOUND, EXISTS, PARTITION_UNAVAILABLE, BATCH_TOO_LARGE = 0, 2, 5, 11, 151
PARTITIONS = 4096

Address = tuple[str, int]
Bins = dict[str, int | float | str]

_U64 = (1 << 64) - 1
_FOUND = (840, 895, 645, 575, 980, 760, 910, 0, 690)
_CARDINALITY = (100_000, 50_000, 20_000, 10_000, 3)


# ------------------------------------------------------------------------------ what is right
def mix(x: int) -> int:
    """The finaliser of splitmix64."""
    z = (x + 0x9E3779B97F4A7C15) & _U64
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & _U64
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & _U64
    return z ^ z >> 31


def record(number: int, key: int) -> Bins | None:
    """The record of a key in a set, as the suite's README computes it without a secret; None where
    there is none.
    """
    if mix(number << 32 | key) % 1000 >= _FOUND[number - 1]:
        return None
    message = number.to_bytes(4, "little") + key.to_bytes(8, "little")
    digests = b"".join(hashlib.sha512(message + bytes([i, 0, 0, 0])).digest() for i in range(2))
    drawn = [int.from_bytes(digests[8 * j : 8 * j + 8], "little") for j in range(13)]
    bins: Bins = {f"c{j}": drawn[j] % _CARDINALITY[j] for j in range(5)}
    return bins | {f"d{j}": (drawn[5 + j] >> 11) / 2**53 for j in range(8)}


def digest(number: int, key: str) -> bytes:
    """Digest of a string key in the protocol."""
    return _ripemd160(f"set_{number}".encode() + b"\x03" + key.encode())


def partition(of: bytes) -> int:
    """The partition of a digest."""
    return int.from_bytes(of[:2], "little") % PARTITIONS


def _ripemd160(data: bytes) -> bytes:
    return hashlib.new("ripemd160", data).digest()


# ------------------------------------------------------------------------------ the process
class BenchServer:
    """A running server; ends with the ``with`` block. ``said`` is what it wrote on its way out."""

    def __init__(
        self, program: Path, folder: Path, listen: str = "127.0.0.1:0", **parameters: Any
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        spec = {
            "contract": 2,
            "trial": "test",
            "suite": "kv",
            "scenario": "client",
            "role": "server",
            "seed": 11,
            "parameters": {"universe": 300, **parameters},
            "listen": listen,
            "operations": {},
            "schedule": {"first_ns": 0, "period_ns": 1, "count": 0},
            "paths": {
                "samples": str(folder / "server.samples"),
                "answers": str(folder / "server.answers.jsonl"),
                "scratch": str(folder),
            },
            "limits": {"ready_ns": 1, "operation_ns": 1, "stop_ns": 1},
        }
        (folder / "spec.json").write_text(json.dumps(spec), "utf-8")
        self._process = subprocess.Popen(
            [program],
            env={**os.environ, "WIRELAB_SPEC": str(folder / "spec.json")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self.first: dict[str, Any] = json.loads(self._process.stdout.readline() or "{}")
        self.said = ""

    @property
    def nodes(self) -> list[Address]:
        """Addresses of the nodes, later ones included."""
        return [address_of(node) for node in self.first["facts"]["nodes"]]

    def stop(self) -> int:
        """Close its standard input, which means stop; returns its exit code."""
        _, self.said = self._process.communicate(timeout=WITHIN_S)
        return self._process.returncode

    def kill(self) -> None:
        """End it as a fault does, without a word."""
        self._process.kill()
        self._process.communicate(timeout=WITHIN_S)

    def __enter__(self) -> BenchServer:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.returncode is None:
            try:
                self.stop()
            finally:
                self._process.kill()


def address_of(text: str) -> Address:
    """``host:port`` as sockets want it."""
    host, _, port = text.rpartition(":")
    return host, int(port)


# ------------------------------------------------------------------------------ the protocol
@dataclass(frozen=True)
class Row:
    """A part of a reply: the place in the batch, the result code, and the record."""

    index: int
    result: int
    bins: Bins
    generation: int


class Wire:
    """A connection to a node."""

    def __init__(self, address: Address) -> None:
        self.socket = socket.create_connection(address, WITHIN_S)

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def info(self, *names: str) -> dict[str, str]:
        """Values of info commands."""
        self.socket.sendall(frame(INFO, "".join(f"{name}\n" for name in names).encode()))
        lines = self.frame().decode().splitlines()
        return dict(line.split("\t", 1) for line in lines)

    def batch(self, rows: Sequence[bytes]) -> tuple[list[Row], int]:
        """Rows of a batch's reply, and the result of it as a whole."""
        self.socket.sendall(frame(MESSAGE, batch(rows)))
        return self.rows()

    def rows(self) -> tuple[list[Row], int]:
        """Rows of the next reply, and the result of the batch."""
        *rows, (last, final) = _messages(self.frame())
        assert final
        assert not any(is_last for _, is_last in rows)
        return [row for row, _ in rows], last.result

    def single(self, info1: int, info2: int, of: bytes, *operations: bytes) -> Row:
        """The reply to a message of one record."""
        fields = [field(0, b"wirelab"), field(4, of)]
        self.socket.sendall(frame(MESSAGE, message(info1, info2, fields, operations)))
        [(row, _)] = _messages(self.frame())
        return row

    def frame(self) -> bytes:
        """The body of the next frame; ConnectionError where the connection ends before."""
        header = self._exactly(8)
        assert header[0] == 2
        return self._exactly(int.from_bytes(header[2:], "big"))

    def ends(self) -> bool:
        """Whether the server ends the connection without a further byte."""
        try:
            return self.socket.recv(1) == b""
        except ConnectionResetError:
            return True

    def _exactly(self, count: int) -> bytes:
        read = bytearray()
        while len(read) < count:
            part = self.socket.recv(count - len(read))
            if not part:
                raise ConnectionError(f"{len(read)} of {count} bytes came")
            read += part
        return bytes(read)


def frame(kind: int, body: bytes) -> bytes:
    """A frame of version 2."""
    return bytes([2, kind]) + len(body).to_bytes(6, "big") + body


def field(kind: int, value: bytes) -> bytes:
    """A field of a message."""
    return struct.pack(">IB", len(value) + 1, kind) + value


def operation(kind: int, name: str, particle: int = 0, value: bytes = b"") -> bytes:
    """An operation on a bin: 1 reads, 2 writes."""
    head = struct.pack(">IBBBB", 4 + len(name) + len(value), kind, particle, 0, len(name))
    return head + name.encode() + value


def message(
    info1: int, info2: int, fields: Sequence[bytes], operations: Sequence[bytes] = ()
) -> bytes:
    """A message with its header of 22 bytes."""
    counts = (len(fields), len(operations))
    header = struct.pack(">BBBBBBIIIHH", 22, info1, info2, 0, 0, 0, 0, 0, 0, *counts)
    return header + b"".join(fields) + b"".join(operations)


def row(
    index: int, number: int, key: str, *operations: bytes, info1: int = READ | GET_ALL
) -> bytes:
    """A row of a batch that says everything."""
    head = struct.pack(">I20sB", index, digest(number, key), 0x0A)
    counts = struct.pack(">BBBIHH", info1, 0, 0, 0, 2, len(operations))
    names = field(0, b"wirelab") + field(1, f"set_{number}".encode())
    return head + counts + names + b"".join(operations)


def repeated(index: int, number: int, key: str) -> bytes:
    """A row of a batch that is as the one before it."""
    return struct.pack(">I20sB", index, digest(number, key), 0x01)


def batch(rows: Sequence[bytes]) -> bytes:
    """The message of a batch."""
    value = struct.pack(">IB", len(rows), 0x0D) + b"".join(rows)
    return message(READ | BATCH, 0, [field(41, value)])


def owners(addresses: Iterable[Address]) -> list[list[int]]:
    """By partition: the nodes that say they own it."""
    found: list[list[int]] = [[] for _ in range(PARTITIONS)]
    for node, address in enumerate(addresses):
        with Wire(address) as wire:
            replicas = wire.info("replicas")["replicas"]
        name, _, rest = replicas.partition(":")
        assert name == "wirelab"
        bits = base64.b64decode(rest.split(",")[2])
        for number in range(PARTITIONS):
            if bits[number // 8] & (0x80 >> number % 8):
                found[number].append(node)
    return found


def _messages(body: bytes) -> list[tuple[Row, bool]]:
    found = []
    while body:
        size, _, _, info3, _, result, generation, _, index, fields, count = struct.unpack(
            ">BBBBBBIIIHH", body[:22]
        )
        assert (size, fields) == (22, 0)
        body = body[22:]
        bins: Bins = {}
        for _ in range(count):
            length, _, particle, _, named = struct.unpack(">IBBBB", body[:8])
            value = body[8 + named : 4 + length]
            bins[body[8 : 8 + named].decode()] = _value(particle, value)
            body = body[4 + length :]
        found.append((Row(index, result, bins, generation), info3 & 1 != 0))
    return found


def _value(particle: int, value: bytes) -> int | float | str:
    match particle:
        case 1:
            return int.from_bytes(value, "big", signed=True)
        case 2:
            return float(struct.unpack(">d", value)[0])
        case _:
            return value.decode()
