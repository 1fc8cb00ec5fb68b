"""Boards that span processes: what is drawn goes through channels of Redis."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field

from channels import Channels
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

# Subscribed as long as there is a connection: its loss shows even while nobody is on a board,
# and redis-py's reader, which must not be asked while nothing is subscribed, always may be.
_IDLE = "wirelab:idle"
_BATCH = 256

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class RelaySettings:
    """The relay's reaction to a Redis that is away."""

    url: str
    channels: Channels
    backlog: int
    backoff_first_s: float
    backoff_longest_s: float


@dataclass
class _Channel:
    """A channel: subscribed when Redis has confirmed as often as it was asked."""

    members: int = 0
    due: int = 0
    subscribed: asyncio.Event = field(default_factory=asyncio.Event)


class Relay:
    """One process's connection with the others. ``deliver`` gets every board and text."""

    def __init__(self, settings: RelaySettings, deliver: Callable[[str, str], None]) -> None:
        self._settings = settings
        self._deliver = deliver
        # Its own retries would hide when a subscription was away.
        self._redis = Redis.from_url(
            settings.url, decode_responses=True, retry=Retry(NoBackoff(), 0)
        )
        self._channels: dict[str, _Channel] = {}
        self._pubsub: PubSub | None = None
        self._commanding = asyncio.Lock()
        self._live = asyncio.Event()
        self._outgoing: asyncio.Queue[tuple[str, str]] = asyncio.Queue(settings.backlog)
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self, within_s: float) -> None:
        """Connect; TimeoutError when Redis does not answer in time."""
        self._tasks = [asyncio.create_task(self._follow()), asyncio.create_task(self._publish())]
        await asyncio.wait_for(self._live.wait(), within_s)

    async def close(self) -> None:
        """Leave Redis."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._redis.aclose()

    # ------------------------------------------------------------------ boards

    async def subscribe(self, board: str) -> None:
        """Count one more member; return when all that is drawn on ``board`` reaches this process.

        Each call, even one that is cancelled, wants its `unsubscribe`.
        """
        name = self._settings.channels.of(board)
        channel = self._channels.setdefault(name, _Channel())
        channel.members += 1
        if channel.members == 1:
            await self._command(name, channel)
        await channel.subscribed.wait()

    async def unsubscribe(self, board: str) -> None:
        """Count one member less; without any, this process does not want the board's messages."""
        name = self._settings.channels.of(board)
        channel = self._channels[name]
        channel.members -= 1
        if not channel.members:
            channel.subscribed.clear()
            await self._command(name, channel)

    def publish(self, board: str, text: str) -> None:
        """Queue ``text`` for everybody on ``board``; while Redis is away it is kept for later."""
        try:
            self._outgoing.put_nowait((self._settings.channels.of(board), text))
        except asyncio.QueueFull:
            _log.error("Redis is away and %d messages wait: one is lost", self._outgoing.qsize())

    # ------------------------------------------------------------------ subscriptions

    async def _command(self, name: str, channel: _Channel) -> None:
        """Tell Redis what is wanted now; without a connection the next one will."""
        async with self._commanding:
            if self._pubsub is None:
                return
            try:
                if channel.members:
                    channel.due += 1
                    await self._pubsub.subscribe(name)
                else:
                    await self._pubsub.unsubscribe(name)
            except (RedisError, OSError) as error:
                # The reader loses the same connection, and then subscribes to all boards again.
                _log.warning("%s: %s", name, error)

    async def _follow(self) -> None:
        """Keep a subscribed connection; after a loss try again, ever later up to a longest wait."""
        pause_s = self._settings.backoff_first_s
        known = ""
        while True:
            try:
                async with self._redis.pubsub() as pubsub:
                    await self._subscribe_all(pubsub)
                    async for message in pubsub.listen():
                        pause_s, known = self._settings.backoff_first_s, ""
                        self._hear(message["type"], message["channel"], message["data"])
            except (RedisError, OSError) as error:
                # Not at each of the attempts that follow a loss.
                if str(error) != known:
                    known = str(error)
                    _log.warning("no connection with Redis: %s", known)
            finally:
                self._pubsub = None
                self._live.clear()
                for channel in self._channels.values():
                    channel.subscribed.clear()
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, self._settings.backoff_longest_s)

    async def _subscribe_all(self, pubsub: PubSub) -> None:
        async with self._commanding:
            self._channels = {name: c for name, c in self._channels.items() if c.members}
            for channel in self._channels.values():
                channel.due = 1
            # Redis confirms in this order: when the last is confirmed, all are.
            await pubsub.subscribe(*self._channels, _IDLE)
            self._pubsub = pubsub

    def _hear(self, kind: str, name: str, data: str) -> None:
        if kind == "message":
            self._deliver(self._settings.channels.board_of(name, data), data)
        elif name == _IDLE:
            self._live.set()
        elif channel := self._channels.get(name):
            if kind == "subscribe":
                channel.due = max(0, channel.due - 1)
            if not channel.due:
                self._settle(name, channel)

    def _settle(self, name: str, channel: _Channel) -> None:
        """Nothing that was asked of Redis about this channel is open any more."""
        if channel.members:
            channel.subscribed.set()
        else:
            del self._channels[name]

    # ------------------------------------------------------------------ publishing

    async def _publish(self) -> None:
        while True:
            batch = [await self._outgoing.get()]
            while len(batch) < _BATCH and not self._outgoing.empty():
                batch.append(self._outgoing.get_nowait())
            if not self._live.is_set():
                await self._live.wait()
                # Until every other process has had its turn to subscribe again.
                await asyncio.sleep(2 * self._settings.backoff_longest_s)
            try:
                async with self._redis.pipeline(transaction=False) as pipeline:
                    for name, text in batch:
                        pipeline.publish(name, text)
                    await pipeline.execute()
            except (RedisError, OSError) as error:
                # Not again: Redis may have passed them on before the connection was lost.
                _log.error("%d messages may be lost: %s", len(batch), error)
