"""JSON codecs that cheat or stumble in one way each, named by the parameter ``sabotage``."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from codec_harness import MAPPINGS, Codec, Contender, serve

from wirelab_sdk import Spec

HONEST_FOR = 32
"""Calls before what only happens in loops begins: as many as answers take."""

Encode = Callable[[Any], bytes]
Decode = Callable[[bytes], Any]


def encode(value: Any) -> bytes:
    """Bytes that an honest codec writes."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def decode(content: bytes) -> Any:
    """Value that an honest codec reads."""
    return json.loads(content)


def skips_a_field(content: bytes) -> Any:
    """The field u16 is not read and keeps its default."""
    value = decode(content)
    if isinstance(value, dict) and "u16" in value:
        value["u16"] = 0
    return value


def reads_a_wrong_type(content: bytes) -> Any:
    """The field d is read as a whole number."""
    value = decode(content)
    if isinstance(value, dict) and "d" in value:
        value["d"] = int(value["d"])
    return value


class ConstantResult:
    """Gives the bytes of the first message for every message."""

    def __init__(self) -> None:
        self._first = b""

    def __call__(self, value: Any) -> bytes:
        self._first = self._first or encode(value)
        return self._first


class NeverRewinds:
    """Once warm, gives what it read before instead of reading again."""

    def __init__(self) -> None:
        self._calls = 0
        self._last: Any = None

    def __call__(self, content: bytes) -> Any:
        self._calls += 1
        if self._calls <= HONEST_FOR:
            self._last = decode(content)
        return self._last


class LeaksState:
    """An element of the message before it stays in a list."""

    def __init__(self) -> None:
        self._left: list[Any] = []

    def __call__(self, value: Any) -> bytes:
        if not isinstance(value, list) or not isinstance(value[0], int):
            return encode(value)
        content = encode([*value, *self._left])
        self._left = value[-1:]
        return content


class FallsBehind:
    """Loops that only encode every second message: the other time the last bytes are given."""

    def __init__(self) -> None:
        self._calls = 0
        self._last = b""

    def __call__(self, value: Any) -> bytes:
        self._calls += 1
        if self._calls <= HONEST_FOR or self._calls % 2:
            self._last = encode(value)
        return self._last


def throws_on_maps(value: Any) -> bytes:
    """A shape that it does not support."""
    if isinstance(value, dict) and any(isinstance(one, list) for one in value.values()):
        raise NotImplementedError("maps of lists")
    return encode(value)


def codec(sabotage: str) -> Codec[Any, Any]:
    """A codec of its own for each shape, so that calls are counted by shape."""
    encoders: dict[str, Callable[[], Encode]] = {
        "constant-result": ConstantResult,
        "leaks-state": LeaksState,
        "falls-behind": FallsBehind,
        "throws": lambda: throws_on_maps,
    }
    decoders: dict[str, Callable[[], Decode]] = {
        "skips-a-field": lambda: skips_a_field,
        "wrong-type": lambda: reads_a_wrong_type,
        "never-rewinds": NeverRewinds,
    }
    return Codec(encoders.get(sabotage, lambda: encode)(), decoders.get(sabotage, lambda: decode)())


def contender(spec: Spec) -> Contender:
    """Requests of the spec."""
    return Contender(
        library="json",
        version="0",
        format="json",
        form=MAPPINGS,
        subject=lambda _shape: codec(str(spec.parameters["sabotage"])),
    )


if __name__ == "__main__":
    serve(contender)
