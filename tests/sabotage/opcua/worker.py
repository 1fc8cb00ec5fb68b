"""An OPC UA client that says it has asked when it has not, in the way its manifest names."""

from __future__ import annotations

import asyncio
import itertools
import os
import socket
import struct
import time
from collections.abc import Callable, Coroutine, Mapping
from hashlib import sha512
from importlib.metadata import version

from asking import Asking, HalfOpen, decoded
from asyncua import Client, ua
from asyncua.client.ua_client import UaClient
from asyncua.client.ua_session import UaSession
from asyncua.common.subscription import DataChangeEvent

from wirelab_sdk import (
    Action,
    AsyncLanes,
    Failure,
    LaneTurn,
    Outcome,
    Spec,
    Step,
    Turn,
    Worker,
    explain,
    main,
    steps_of,
)

_NAMESPACE, _FIRST_DOUBLE, _FIRST_STRING = 1, 1000, 1800
_EARLY_NS = 30_000_000
"""The time before its tick at which a read is asked for by who has it ready at the tick."""

_READ_HONESTLY = {"writes-half", "writes-afterwards", "leaves-its-processors"}

_STAGGERED, _STAGGER_S = 5, 0.02
"""Subscriptions of who has several, and the time between their publishings."""

_POLLS_EVERY_S = {"polls-oftener": 0.001, "polls-seldomer": 0.29}
"""Pauses of who does not poll at the interval. The second one is shorter than the time between two
changes, of which it misses none."""

_POLLS_MORE = 2
"""Polls of who polls at the change, beside that one, so that there are as many as there have to
be."""

_SELDOM_LATE, _LATE_S = 6, 0.06
"""Changes of which who polls at most of them polls for one late, and by how much."""

_SEQUENCE = {"preflight": 900_000, "measure": 1_000_000}


def node_id(tag: int) -> ua.NodeId:
    """The NodeId of a tag."""
    return ua.NodeId(f"T{tag:04d}", _NAMESPACE)


def value(tag: int, sequence: int) -> ua.DataValue:
    """Value of a write, by the suite's rule."""
    return typed(tag, (tag * 7919 + sequence * 104729) % 2**31)


def typed(tag: int, x: int) -> ua.DataValue:
    """A number as a value of the tag's type."""
    if tag < _FIRST_DOUBLE:
        return ua.DataValue(ua.Variant(x, ua.VariantType.Int32))
    if tag < _FIRST_STRING:
        return ua.DataValue(ua.Variant(x / 1000.0, ua.VariantType.Double))
    return ua.DataValue(ua.Variant(f"tag{tag:04d}-{x:010d}", ua.VariantType.String))


def _speak_nonsense(endpoint: str) -> None:
    """On a connection of its own, a message that is too short to be read."""
    host, _, port = endpoint.rpartition("/")[2].rpartition(":")
    with socket.create_connection((host, int(port))) as beside:
        beside.sendall(b"MSGF" + (16).to_bytes(4, "little") + bytes(8))
        while beside.recv(1 << 12):
            pass


class Cheat:
    """Honest in the preflight; its reads, or its writes, are not what they seem."""

    def __init__(self, spec: Spec, client: UaClient) -> None:
        self._session = client.session
        self._way = spec.parameter("sabotage", "")
        if self._way == "leaves-its-processors":
            os.sched_setaffinity(0, range(os.cpu_count() or 1))
        self._parameters = ua.ReadParameters(
            MaxAge=0,
            TimestampsToReturn=ua.TimestampsToReturn.Source,
            NodesToRead=[
                ua.ReadValueId(NodeId=node_id(tag), AttributeId=ua.AttributeIds.Value)
                for tag in range(spec.operations["read"].items)
            ],
        )
        self._part = ua.ReadParameters(
            MaxAge=0,
            TimestampsToReturn=ua.TimestampsToReturn.Source,
            NodesToRead=(
                self._parameters.NodesToRead[: len(self._parameters.NodesToRead) // 2]
                if self._way == "asks-for-half"
                else self._parameters.NodesToRead[:1] * len(self._parameters.NodesToRead)
            ),
        )
        self._tags = range(0, spec.operations["write"].items * 10, 10)
        if self._way == "writes-half":
            self._written = self._tags[: len(self._tags) // 2]
        else:
            self._written = self._tags
        nodes = [one.NodeId for one in self._parameters.NodesToRead]
        self._asking = Asking(client, nodes, spec.endpoints["server"])
        self._beside: set[asyncio.Task[object]] = set()
        self._kept: list[object] = []
        self._reads = 0
        self._ahead: list[object] | None = None
        """Values of the next read, fetched while the one before it is under way."""
        self._period_ns = spec.schedule.period_ns
        self._coming: asyncio.Task[list[object]] | None = None
        """Values of the next read, fetched shortly before its tick."""
        if self._way == "blinds-the-witness":
            _speak_nonsense(spec.endpoints["server"])

    async def read(self, turn: Turn) -> Outcome:
        """Give the values that the way of cheating gives."""
        if turn.phase == "preflight" or self._way in _READ_HONESTLY:
            self._kept = await self._fetched()
        elif self._way in self._asking.ways:
            self._kept = await self._asking.ways[self._way]()
        elif self._way == "decodes-when-asked":
            body = await self._asking.undecoded()
            return Outcome(lambda: {"values": decoded(body), "bad": []})
        elif self._way == "prefetches":
            ahead, self._ahead = self._ahead, None
            self._kept = ahead or await self._fetched()
            if ahead is None:
                self._ahead = await self._fetched()
        elif self._way == "blinds-the-witness":
            at_ns = time.monotonic_ns() + self._period_ns - _EARLY_NS
            coming, self._coming = self._coming, asyncio.create_task(self._fetched_at(at_ns))
            self._kept = await (coming or self._fetched())
        elif self._way == "answers-from-a-cache":
            self._reads += 1
            if self._reads % 2:
                self._kept = await self._fetched()
        elif self._way in ("asks-for-half", "asks-for-one-often"):
            fresh = [one.Value.Value for one in await self._session.read(self._part)]
            count = len(fresh) if self._way == "asks-for-half" else 1
            self._kept = [*fresh[:count], *self._kept[count:]]
        elif self._way == "does-not-wait":
            await self._begin(self._keep_fetched())
        elif self._way == "fetches-when-asked":
            return Outcome(lambda: {"values": self._kept, "bad": []})
        values = self._kept
        return Outcome(lambda: {"values": values, "bad": []})

    async def keep_fresh(self) -> None:
        """Have fresh values at hand whenever somebody asks for some."""
        while self._way == "fetches-when-asked":
            self._kept = await self._fetched()
            await asyncio.sleep(0.01)

    async def _begin(self, work: Coroutine[object, object, object]) -> None:
        """Let a request go, whose answer nobody waits for."""
        task = asyncio.create_task(work)
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)
        await asyncio.sleep(0)

    async def _keep_fetched(self) -> None:
        self._kept = await self._fetched()

    async def _fetched_at(self, at_ns: int) -> list[object]:
        await asyncio.sleep((at_ns - time.monotonic_ns()) / 1e9)
        return await self._fetched()

    async def _fetched(self) -> list[object]:
        return [one.Value.Value for one in await self._session.read(self._parameters)]

    async def write(self, turn: Turn) -> Outcome:
        """Write what is asked for."""
        sequence = _SEQUENCE[turn.phase] + turn.tick
        frames = [
            ua.WriteValue(
                NodeId=node_id(tag), AttributeId=ua.AttributeIds.Value, Value=value(tag, sequence)
            )
            for tag in (self._tags if turn.phase == "preflight" else self._written)
        ]
        writing = self._session.write(ua.WriteParameters(NodesToWrite=frames))
        if self._way == "writes-afterwards" and turn.phase != "preflight":
            await self._begin(writing)
        else:
            await writing
        return Outcome(lambda: {"sequence": sequence, "bad": []})


class Sessions:
    """Users who are to have a session each: they share one, or have theirs before they connect."""

    def __init__(self, spec: Spec) -> None:
        users = max(step.users for step in steps_of(spec.schedule))
        self._way = spec.parameter("sabotage", "")
        self._url = spec.endpoints["server"]
        shares = self._way in ("shares-a-session", "opens-no-session")
        self.clients = [Client(self._url) for _ in range(1 if shares else users)]
        self._half_open: list[HalfOpen] = []
        self._wanted = ua.ReadParameters(
            NodesToRead=[
                ua.ReadValueId(NodeId=node_id(tag), AttributeId=ua.AttributeIds.Value)
                for tag in range(spec.operations["read"].items)
            ]
        )

    async def join(self, user: int) -> None:
        """Say that a session was opened; of some there is a connection."""
        if self._way == "opens-no-session":
            self._half_open.append(HalfOpen(self._url))
            await self._half_open[-1].open()

    def begin(self, step: Step) -> None:
        """Every step reads the same."""

    def prepare(self, turn: LaneTurn) -> UaSession:
        """The session of a lane."""
        return self.clients[turn.lane % len(self.clients)].uaclient.session

    async def call(self, session: UaSession) -> Outcome:
        """One Read of everything."""
        values = [one.Value.Value for one in await session.read(self._wanted)]
        return Outcome(lambda: {"values": values, "bad": []})

    def judge(self, _turn: LaneTurn, result: Outcome) -> Outcome:
        """It is what it is."""
        return result

    def explain(self, error: BaseException) -> Failure:
        """By Python's own names."""
        return explain(error)


async def sit(worker: Worker) -> None:
    """Fill the role ``client`` where users connect one by one."""
    sessions = Sessions(worker.spec)
    for one in sessions.clients:
        await one.connect()
    lanes = AsyncLanes(worker, sessions, worker.spec.operations["read"], joining=sessions.join)
    await lanes.preflight()
    worker.ready("asyncua", version("asyncua"), capabilities=["async", "lanes"])
    await lanes.run()
    for one in sessions.clients:
        await one.disconnect()


class Watcher:
    """Learns of changes by a subscription or by polling; not everything that it says is so."""

    def __init__(self, spec: Spec, client: Client, operation: str) -> None:
        self._client = client
        self._way = spec.parameter("sabotage", "") if operation == "notification" else ""
        self._polls_every_s = {"poll": 0.1}.get(operation, 0.0)
        if self._way == "polls-instead":
            self._polls_every_s = 0.005
        polls = spec.parameter("sabotage", "") if operation == "poll" else ""
        self._polls_every_s = _POLLS_EVERY_S.get(polls, self._polls_every_s)
        self._waits_for_ticks = polls in ("polls-at-the-change", "polls-at-most-changes")
        self._is_seldom_late = polls == "polls-at-most-changes"
        self._ticks: asyncio.Queue[None] = asyncio.Queue()
        self._nodes = [node_id(tag) for tag in range(spec.operations[operation].items)]
        self._sets: asyncio.Queue[list[object]] = asyncio.Queue()
        self._last: list[object] = []
        self._newest: list[object] = []
        self._left = 0
        """Sets that it has not waited for."""

    async def watch(self) -> None:
        """Take the values of each change."""
        if self._polls_every_s:
            await self._poll()
        if self._way == "staggers-subscriptions":
            await asyncio.gather(*(self._told_later(n * _STAGGER_S) for n in range(_STAGGERED)))
        await self._told(self._sets.put_nowait)

    async def _told_later(self, after_s: float) -> None:
        """The same by a subscription that publishes at another moment."""
        await asyncio.sleep(after_s)
        await self._told(self._put_if_new)

    def _put_if_new(self, values: list[object]) -> None:
        if values != self._newest:
            self._newest = values
            self._sets.put_nowait(values)

    async def _told(self, put: Callable[[list[object]], None]) -> None:
        """Take the values that a subscription of its own brings."""
        subscription = await self._client.create_subscription(100, queue_maxsize=100_000)
        await subscription.subscribe_data_change(
            [self._client.get_node(node) for node in self._nodes],
            queuesize=20,
            sampling_interval=100,
        )
        tags = {node: tag for tag, node in enumerate(self._nodes)}
        found: dict[int, object] = {}
        async for event in subscription:
            if isinstance(event, DataChangeEvent):
                found[tags[event.node.nodeid]] = event.value
            if len(found) == len(tags):
                put([found[tag] for tag in range(len(tags))])
                found = {}

    async def _poll(self) -> None:
        known: list[object] = []
        wanted = ua.ReadParameters(
            NodesToRead=[
                ua.ReadValueId(NodeId=node, AttributeId=ua.AttributeIds.Value)
                for node in self._nodes
            ]
        )
        for turn in itertools.count():
            results = await self._client.uaclient.session.read(wanted)
            found: list[object] = [one.Value.Value for one in results]
            if found != known:
                self._sets.put_nowait(found)
            known = found
            if self._waits_for_ticks and turn % (_POLLS_MORE + 1) == 0:
                await self._ticks.get()
            else:
                await asyncio.sleep(self._polls_every_s)

    async def learn(self, turn: Turn) -> Outcome:
        """Give the values that the way of cheating gives."""
        if turn.phase == "measure":
            is_late = self._is_seldom_late and turn.tick % _SELDOM_LATE == _SELDOM_LATE - 1
            later_s = _LATE_S if is_late else 0.0
            asyncio.get_running_loop().call_later(later_s, self._ticks.put_nowait, None)
        if turn.phase == "measure" and self._way == "invents-notifications":
            values: list[object] = [number + 1 for number in self._last if isinstance(number, int)]
            return Outcome(lambda: {"values": values, "bad": []})
        if turn.phase == "measure" and self._way == "drops-notifications" and turn.tick % 4 == 3:
            self._left += 1
            old = self._last
            return Outcome(lambda: {"values": old, "bad": []})
        for _ in range(self._left):
            await self._sets.get()
        self._left = 0
        self._last = new = await self._sets.get()
        return Outcome(lambda: {"values": new, "bad": []})


class Foreteller:
    """Computes what it is to read by the suite's rules, of all that it is told; asks nobody."""

    def __init__(self, spec: Spec) -> None:
        self._facts = spec.facts["server"]
        self._items = spec.operations["read"].items

    async def read(self, _turn: Turn) -> Outcome:
        """Give what the server would answer now, if nothing were unknown of it."""
        age = time.monotonic_ns() - self._facts["epoch_ns"]
        generation = age // self._facts["generation_ns"]
        values: list[object] = []
        for part in range(self._items // 16):
            digest = sha512(struct.pack("<QI", generation, part)).digest()
            numbers = (number & 0x7FFF_FFFF for number in struct.unpack("<16I", digest))
            values += [typed(16 * part + at, x).Value.Value for at, x in enumerate(numbers)]
        return Outcome(lambda: {"values": values, "bad": []})

    async def write(self, turn: Turn) -> Outcome:
        """Say that it has written."""
        sequence = _SEQUENCE[turn.phase] + turn.tick
        return Outcome(lambda: {"sequence": sequence, "bad": []})


async def play(
    worker: Worker,
    connected: Client,
    calls: Mapping[str, Action],
    beside: Coroutine[None, None, None],
) -> None:
    """Work through the schedule by these calls, while something else goes on beside."""
    task = asyncio.create_task(beside)
    await worker.preflight(calls)
    worker.ready("asyncua", version("asyncua"), capabilities=["async"])
    await worker.follow(lambda: calls, explain)
    task.cancel()
    await connected.disconnect()


async def client(worker: Worker) -> None:
    """Fill the role ``client``."""
    if worker.spec.parameter("sabotage", "") == "foretells":
        foreteller = Foreteller(worker.spec)
        calls = {"read": foreteller.read, "write": foreteller.write}
        await worker.preflight(calls)
        worker.ready("asyncua", version("asyncua"), capabilities=["async"])
        await worker.follow(lambda: calls, explain)
        return
    if worker.spec.schedule.steps:
        await sit(worker)
        return
    connected = Client(worker.spec.endpoints["server"])
    await connected.connect()
    for operation in {"notification", "poll"} & worker.spec.operations.keys():
        watcher = Watcher(worker.spec, connected, operation)
        await play(worker, connected, {operation: watcher.learn}, watcher.watch())
        return
    cheat = Cheat(worker.spec, connected.uaclient)
    calls = {"read": cheat.read, "write": cheat.write}
    await play(worker, connected, calls, cheat.keep_fresh())


if __name__ == "__main__":
    main(client)
