"""The service ``mosquitto``: Debian's mosquitto for the length of a trial."""

from __future__ import annotations

import asyncio
import re
import subprocess
from pathlib import Path

from credentials import Credentials, asked_for

from wirelab_sdk import Worker, main
from wirelab_sdk.server_program import HOST, ProgramCommand, ServerProgram, find_program, serve

_SETTINGS = """
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
_ACCEPTED = bytes.fromhex("20 02 00 00")


class Mosquitto(ServerProgram):
    """mosquitto: one thread, MQTT 3 to 5, nothing on disk."""

    name = "Eclipse Mosquitto"

    def __init__(self, credentials: Credentials | None) -> None:
        self._credentials = credentials

    async def commands(self, port: int, folder: Path) -> list[ProgramCommand]:
        """It reads nothing but the file of this trial."""
        file = folder / "mosquitto.conf"
        # Root's process would become the user "mosquitto", who may not read the trial's folder; of
        # anybody else's it stays the process.
        own = f"user root\nlistener {port} {HOST}\n"
        file.write_text(own + self._doorman(folder) + _SETTINGS, "utf-8")
        return [ProgramCommand((find_program("mosquitto"), "-c", file))]

    async def version(self, port: int) -> str:
        """Accepting a client is the answer; the version stands in its help text alone."""
        reader, writer = await asyncio.open_connection(HOST, port)
        try:
            writer.write(_connect(self._credentials))
            if await reader.readexactly(len(_ACCEPTED)) != _ACCEPTED:
                raise ConnectionRefusedError("the broker did not accept a client")
        except asyncio.IncompleteReadError as error:
            raise ConnectionResetError("the answer to CONNECT ended too early") from error
        finally:
            writer.close()
        helped = [find_program("mosquitto"), "-h"]
        shown = subprocess.run(helped, check=False, capture_output=True, text=True)
        found = re.search(r"version (\S+)", shown.stdout)
        return found[1] if found else "unknown"

    def endpoint(self, port: int) -> str:
        """As MQTT's URLs go."""
        known = self._credentials.in_address if self._credentials else ""
        return f"mqtt://{known}{HOST}:{port}"

    def _doorman(self, folder: Path) -> str:
        """Settings that say who may come in."""
        if self._credentials is None:
            return "allow_anonymous true\n"
        file = folder / "passwords"
        words = (self._credentials.user, self._credentials.password)
        subprocess.run([find_program("mosquitto_passwd"), "-b", "-c", file, *words], check=True)
        return f"allow_anonymous false\npassword_file {file}\n"


def _connect(credentials: Credentials | None) -> bytes:
    """CONNECT of protocol 4 (3.1.1): a clean session, a keep-alive of 5 s, an empty identifier;
    then DISCONNECT."""
    words = (credentials.user, credentials.password) if credentials else ()
    flags = 0xC2 if credentials else 0x02
    body = _text("MQTT") + bytes((4, flags, 0, 5)) + b"".join(map(_text, ("", *words)))
    return bytes((0x10, len(body))) + body + bytes.fromhex("e0 00")


def _text(said: str) -> bytes:
    return len(said).to_bytes(2, "big") + said.encode()


async def play(worker: Worker) -> None:
    """Serve until told to stop."""
    await serve(worker, Mosquitto(asked_for(worker.spec)))


if __name__ == "__main__":
    main(play)
