"""The neutral program ``mosquitto``: Debian's mosquitto for the length of a trial."""

from __future__ import annotations

import asyncio
import re
import subprocess
from pathlib import Path

from broker import HOST, Command, program, serve

from wirelab_sdk import Worker, main

_SETTINGS = """
allow_anonymous true
persistence false
log_dest stderr
log_type error
log_type warning
connection_messages false
sys_interval 0
# The largest packet, in bytes.
max_packet_size 16777216
# Without it a small packet waits for the acknowledgement of the one before.
set_tcp_nodelay true
# Of one client. The defaults of 1,000 and 20 drop what a burst of broadcasts brings, and hold
# back what is to be acknowledged.
max_queued_messages 0
max_inflight_messages 0
"""
# Protocol 4 (3.1.1), a clean session, a keep-alive of 5 s, an empty identifier; then DISCONNECT.
_CONNECT = bytes.fromhex("10 0c 00 04 4d 51 54 54 04 02 00 05 00 00 e0 00")
_ACCEPTED = bytes.fromhex("20 02 00 00")


class Mosquitto:
    """mosquitto: one thread, MQTT 3 to 5, nothing on disk."""

    name = "Eclipse Mosquitto"

    async def commands(self, port: int, folder: Path) -> list[Command]:
        """It reads nothing but the file of this trial."""
        file = folder / "mosquitto.conf"
        # Root's process would become the user "mosquitto", who may not read the trial's folder; of
        # anybody else's it stays the process.
        own = f"user root\nlistener {port} {HOST}\n"
        file.write_text(own + _SETTINGS, "utf-8")
        return [Command((program("mosquitto"), "-c", file))]

    async def version(self, port: int) -> str:
        """Accepting a client is the answer; the version stands in its help text alone."""
        reader, writer = await asyncio.open_connection(HOST, port)
        try:
            writer.write(_CONNECT)
            if await reader.readexactly(len(_ACCEPTED)) != _ACCEPTED:
                raise ConnectionRefusedError("the broker did not accept a client")
        except asyncio.IncompleteReadError as error:
            raise ConnectionResetError("half an answer") from error
        finally:
            writer.close()
        helped = [program("mosquitto"), "-h"]
        shown = subprocess.run(helped, check=False, capture_output=True, text=True)
        found = re.search(r"version (\S+)", shown.stdout)
        return found[1] if found else "unknown"

    def endpoint(self, port: int) -> str:
        """As MQTT's URLs go."""
        return f"mqtt://{HOST}:{port}"


async def play(worker: Worker) -> None:
    """Serve until told to stop."""
    await serve(worker, Mosquitto())


if __name__ == "__main__":
    main(play)
