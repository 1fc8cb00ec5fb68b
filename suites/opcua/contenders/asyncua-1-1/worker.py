"""The asyncua 1.1 contender: a client of the suite `opcua`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from asyncua import Client, Node, ua
from asyncua.common.subscription import DataChangeNotif
from asyncua_client import Changes, Dialect, client_of

from wirelab_sdk import Spec, main


class Handler:
    """Receiver of each new value."""

    def __init__(self, nodes: Sequence[ua.NodeId], changes: Changes) -> None:
        self._numbers = {node: tag for tag, node in enumerate(nodes)}
        self._changes = changes

    def datachange_notification(self, node: Node, _value: Any, data: DataChangeNotif) -> None:
        """Take it."""
        self._changes.put(self._numbers[node.nodeid], data.monitored_item.Value)


async def connect(client: Client, _spec: Spec) -> None:
    """Connect; this version does not connect again."""
    await client.connect()


async def subscribe(
    client: Client, nodes: Sequence[ua.NodeId], interval_ms: float, kept: int, changes: Changes
) -> Callable[[], Awaitable[None]]:
    """Tell of changes by callbacks, which is the way that this version has."""
    subscription = await client.create_subscription(interval_ms, Handler(nodes, changes))
    made = await subscription.subscribe_data_change(
        [client.get_node(node) for node in nodes], queuesize=kept, sampling_interval=interval_ms
    )
    for one in made:
        if isinstance(one, ua.StatusCode):
            one.check()
    return subscription.delete


DIALECT = Dialect(
    capabilities=(),
    connect=connect,
    connect_once=lambda client: client.connect(),
    is_connected=lambda client: (
        client.uaclient.protocol is not None
        and client.uaclient.protocol.state == client.uaclient.protocol.OPEN
    ),
    session=lambda client: client.uaclient,
    subscribe=subscribe,
)

if __name__ == "__main__":
    main(client_of(DIALECT))
