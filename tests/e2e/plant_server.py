"""An OPC UA server as a user has it, on asyncua: a machine with three nodes of its own."""

from __future__ import annotations

import asyncio
import sys

from asyncua import Server, ua


async def serve(port: int) -> None:
    """Serve until ended."""
    server = Server()
    await server.init()
    server.set_endpoint(f"opc.tcp://127.0.0.1:{port}/plant/")
    space = await server.register_namespace("urn:my:plant")
    machine = await server.nodes.objects.add_object(space, "Machine")
    for name, value in (("Speed", 3.5), ("Name", "press"), ("On", True)):
        await machine.add_variable(ua.NodeId(name, space), name, value)
    async with server:
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
