"""The stand-in ``own-mosquitto``: an MQTT broker of the user's own; topics begin with our name."""

from __future__ import annotations

import asyncio

from wirelab_sdk import Spec
from wirelab_sdk.own_server import OwnServer, OwnServerError, OwnTarget, play

_ACCEPTED = 0


class OwnMqtt(OwnServer):
    """An MQTT broker; it publishes its counts every few seconds at most, if it does at all."""

    name = "MQTT broker"

    async def version(self) -> str:
        """The protocol in which it lets a client in; a broker does not say what it is."""
        reader, writer = await asyncio.open_connection(self.host, self.port)
        try:
            writer.write(_connect(self.login.user, self.login.password))
            # CONNACK: two bytes of head, flags, and whether the client is let in.
            answer = await reader.readexactly(4)
        except asyncio.IncompleteReadError:
            raise OwnServerError(f"what answers at {self.address} is no MQTT broker") from None
        finally:
            writer.close()
        if answer[3] != _ACCEPTED:
            raise OwnServerError(f"your MQTT broker refuses: return code {answer[3]} of CONNACK")
        return "3.1.1"

    @property
    def endpoint(self) -> str:
        """As the suite's own broker names its address."""
        return f"mqtt://{self.login.placeholder}{self.address}"


def _connect(user: str, password: str) -> bytes:
    """CONNECT of protocol 4 (3.1.1): a clean session, an empty identifier; then DISCONNECT."""
    words = [word for word in (user, password) if word]
    flags = 0x02 | (0x80 if user else 0) | (0x40 if password else 0)
    body = _text("MQTT") + bytes((4, flags, 0, 5)) + b"".join(map(_text, ("", *words)))
    return b"\x10" + _length(len(body)) + body + bytes.fromhex("e000")


def _text(said: str) -> bytes:
    content = said.encode()
    return len(content).to_bytes(2, "big") + content


def _length(number: int) -> bytes:
    """The length of what follows, seven bits a byte."""
    digits = bytearray()
    while True:
        number, digit = divmod(number, 128)
        digits.append(digit | (0x80 if number else 0))
        if not number:
            return bytes(digits)


def make(_spec: Spec, target: OwnTarget) -> OwnMqtt:
    """The server at the target."""
    return OwnMqtt(target)


if __name__ == "__main__":
    play(make)
