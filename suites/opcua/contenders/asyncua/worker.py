"""The asyncua contender: a client of the suite `opcua`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from asyncua import Client, ua
from asyncua.client.ua_client import UaClientState
from asyncua.common.subscription import DataChangeEvent
from asyncua_client import Changes, Dialect, client_of

from wirelab_sdk import Spec, main


async def connect(client: Client, spec: Spec) -> None:
    """Connect; from there on the library connects again by itself."""
    request_timeout_s = spec.parameter("request_timeout_ns", 4_000_000_000) / 1e9
    await client.connect(
        auto_reconnect=True,
        reconnect_max_delay=spec.parameter("reconnect_max_delay_s", 1.0),
        # While it reconnects, the library holds calls back for a minute by default; this caller
        # wants to hear of a lost server within its request timeout.
        reconnect_request_timeout=request_timeout_s,
    )


async def subscribe(
    client: Client, nodes: Sequence[ua.NodeId], interval_ms: float, kept: int, changes: Changes
) -> Callable[[], Awaitable[None]]:
    """Tell of changes by the iterator: the callbacks, which the library calls its older way, get a
    task each.
    """
    subscription = await client.create_subscription(interval_ms, queue_maxsize=kept * len(nodes))
    made = await subscription.subscribe_data_change(
        [client.get_node(node) for node in nodes], queuesize=kept, sampling_interval=interval_ms
    )
    for one in made:
        if isinstance(one, ua.StatusCode):
            one.check()
    numbers = {node: tag for tag, node in enumerate(nodes)}

    async def take() -> None:
        async for event in subscription:
            if isinstance(event, DataChangeEvent):
                changes.put(numbers[event.node.nodeid], event.data.monitored_item.Value)

    taking = asyncio.create_task(take())

    async def leave() -> None:
        taking.cancel()
        await subscription.delete()

    return leave


DIALECT = Dialect(
    capabilities=("auto-reconnect",),
    connect=connect,
    connect_once=lambda client: client.connect(auto_reconnect=False),
    is_connected=lambda client: client.state is UaClientState.CONNECTED,
    session=lambda client: client.uaclient.session,
    subscribe=subscribe,
)

if __name__ == "__main__":
    main(client_of(DIALECT))
