"""The stand-in ``own-kafka``: a Kafka of the user's own, with topics of our name for each trial."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from protocol import Address, KafkaConnection, KafkaError, Topics, connected

from wirelab_sdk import Spec
from wirelab_sdk.own_server import OwnServer, OwnServerError, OwnTarget, play

_LOGIN = "WIRELAB_KAFKA_USER and WIRELAB_KAFKA_PASSWORD"


class OwnKafka(OwnServer):
    """Clients make the topics of a trial; they are counted by where they end, and removed."""

    name = "Kafka"
    counts = "log end offset of our topics"

    def __init__(self, target: OwnTarget) -> None:
        super().__init__(target)
        self._served = False
        self._prefix = f"wirelab-{uuid.uuid4()}"
        self._topics = [f"{self._prefix}-{what}" for what in ("echoes", "broadcasts")]
        if self.login.password and not self.login.user:
            raise OwnServerError(f"Kafka knows no password without a user: set {_LOGIN}")

    async def version(self) -> str:
        """The version of its protocol, not knowing its own; its brokers must answer from here."""
        async with self._connected((self.host, self.port)) as connection:
            version = await connection.produce_version()
            brokers = (await self._placed(connection)).brokers
        for host, port in brokers.values():
            try:
                async with connected((host, port)):
                    pass
            except OSError as error:
                raise OwnServerError(
                    f"the Kafka at {self.address} sends its clients to {host}:{port} "
                    f"(advertised.listeners), which does not answer from here: {error}"
                ) from error
        return f"(Produce v{version})"

    @property
    def endpoint(self) -> str:
        """The address at which clients ask for the brokers."""
        return f"{self.login.placeholder}{self.address}"

    async def told(self) -> dict[str, Any]:
        """The beginning of the names of this trial's topics."""
        self._served = True
        return {"topics": self._prefix}

    async def requests(self) -> int:
        """Records in the topics of this trial."""
        async with self._connected((self.host, self.port)) as connection:
            placed = await self._placed(connection)
        led = defaultdict(list)
        for partition, leader in placed.leaders.items():
            led[placed.brokers[leader]].append(partition)
        count = 0
        for broker, partitions in led.items():
            async with self._connected(broker) as connection:
                count += await connection.ends(partitions)
        return count

    async def close(self) -> None:
        """Remove the topics of this trial."""
        if not self._served:
            return
        try:
            async with self._connected((self.host, self.port)) as connection:
                there = {name for name, _ in (await self._placed(connection)).leaders}
                if there:
                    await connection.delete(sorted(there))
        except OSError as error:
            raise OwnServerError(
                f"{' and '.join(self._topics)} may be left on your Kafka at {self.address}: {error}"
            ) from error

    async def _placed(self, connection: KafkaConnection) -> Topics:
        return await connection.topics(self._topics)

    @asynccontextmanager
    async def _connected(self, address: Address) -> AsyncIterator[KafkaConnection]:
        """A connection that is logged in."""
        try:
            async with connected(address) as connection:
                if self.login.password:
                    await connection.log_in(self.login.user, self.login.password)
                yield connection
        except KafkaError as error:
            raise OwnServerError(
                f"your Kafka at {self.address} cannot be measured against: {error}. A login comes "
                f"from the environment ({_LOGIN}) and is kept nowhere"
            ) from error


def make(_spec: Spec, target: OwnTarget) -> OwnKafka:
    """The server at the target."""
    return OwnKafka(target)


if __name__ == "__main__":
    play(make)
