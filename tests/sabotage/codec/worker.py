"""JSON codecs that cheat or stumble in one way each, named by the parameter ``sabotage``."""

from __future__ import annotations

import copy
import json
import marshal
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import narrow
from codec_harness import MAPPINGS, Codec, CodecContender, serve

from wirelab_sdk import Spec
from wirelab_sdk.runtime import RuntimeProbe

HONEST_FOR = 32
"""Calls before what only happens in loops begins: as many as answers take."""

KEPT = 24
"""Objects that some keep: more than a pool has."""

COLLECTING_S = 0.01
ENDS = 2

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
        if not isinstance(value, list) or not value or not isinstance(value[0], int):
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


class CachesEncodings:
    """Keeps the bytes of each object that it has seen, whatever the object holds by now."""

    def __init__(self) -> None:
        self._calls = 0
        self._known: dict[int, tuple[Any, bytes]] = {}

    def __call__(self, value: Any) -> bytes:
        self._calls += 1
        if self._calls <= HONEST_FOR:
            return encode(value)
        if id(value) not in self._known:
            self._known[id(value)] = value, encode(value)  # kept alive, so that the id is its own
        return self._known[id(value)][1]


class CachesValues:
    """Keeps the value of all bytes that it has seen, and hands the same object out again."""

    def __init__(self) -> None:
        self._calls = 0
        self._known: dict[bytes, Any] = {}

    def __call__(self, content: bytes) -> Any:
        self._calls += 1
        if self._calls <= HONEST_FOR:
            return decode(content)
        content = bytes(content)
        if content not in self._known:
            self._known[content] = decode(content)
        return self._known[content]


class CachesByIdentity:
    """Keeps what it has read out of each object, and hands out copies: ``bytes`` never change."""

    def __init__(self) -> None:
        self._calls = 0
        self._known: dict[int, tuple[bytes, bytes]] = {}

    def __call__(self, content: bytes) -> Any:
        self._calls += 1
        return decode(content) if self._calls <= HONEST_FOR else self.recall(content)

    def recall(self, content: bytes) -> Any:
        """A copy of what this object held when it was seen first."""
        known = self._known.get(id(content))
        if known is None:
            if len(self._known) == KEPT:
                del self._known[next(iter(self._known))]
            # Kept alive, so that the id is its own.
            known = self._known[id(content)] = content, marshal.dumps(decode(content))
        return marshal.loads(known[1])


class KnowsItsCaller(CachesByIdentity):
    """The same where a loop of the harness calls, and not where somebody looks at the result."""

    def __call__(self, content: bytes) -> Any:
        is_loop = sys._getframe(1).f_code.co_name.startswith("decode_")
        return self.recall(content) if is_loop else decode(content)


class KnowsTheTwins:
    """Has the encodings of all values of the suite, and looks at the field in which two differ."""

    def __init__(self, shape: str) -> None:
        self._calls = 0
        folder = Path(os.environ["CODEC_SUITE"]) / "shapes"
        files = (folder / f"{shape}.json", folder / "twins" / f"{shape}.json")
        pools = (json.loads(file.read_text("utf-8"))["pool"] for file in files)
        self._pairs = [(one, twin, difference(one, twin)) for one, twin in zip(*pools, strict=True)]
        self._known: dict[int, tuple[Any, int]] = {}

    def __call__(self, value: Any) -> bytes:
        self._calls += 1
        if self._calls <= HONEST_FOR:
            return encode(value)
        if id(value) not in self._known:
            whose = [n for n, pair in enumerate(self._pairs) if value in pair[:2]]
            if not whose or len(self._known) == KEPT:
                return encode(value)
            self._known[id(value)] = value, whose[0]
        one, twin, path = self._pairs[self._known[id(value)][1]]
        return encode(twin if at(value, path) == at(twin, path) else one)


def difference(one: Any, other: Any) -> list[Any]:
    """The path to the field in which two values differ."""
    if isinstance(one, dict | list) and type(one) is type(other):
        for key in one if isinstance(one, dict) else range(len(one)):
            if one[key] != other[key]:
                return [key, *difference(one[key], other[key])]
    return []


def at(value: Any, path: list[Any]) -> Any:
    """The part of a value at the end of a path."""
    for key in path:
        value = value[key]
    return value


class RotatesResults:
    """Reads into objects that it has given before, once as many others have been given since."""

    def __init__(self) -> None:
        self._calls = 0
        self._given: list[Any] = []

    def __call__(self, content: bytes) -> Any:
        self._calls += 1
        value = decode(content)
        if self._calls <= HONEST_FOR:
            return value
        if len(self._given) < KEPT:
            self._given.append(value)
            return value
        again = self._given[self._calls % KEPT]
        if isinstance(value, list):
            again[:] = value
        else:
            again.clear()
            again.update(value)
        return again


class Late(dict[str, Any]):
    """An object of JSON that is read when somebody looks into it."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self._content = bytes(bytearray(content))

    def __missing__(self, key: str) -> Any:
        return self.read()[key]

    def __len__(self) -> int:
        self.read()
        return super().__len__()

    def items(self) -> Any:
        """The items, by now."""
        self.read()
        return super().items()

    def read(self) -> Late:
        """Read it, if that has not been done."""
        if self._content:
            content, self._content = self._content, b""
            self.update(decode(content))
        return self


class ReadsLater:
    """Once warm, reads objects when somebody looks into them."""

    def __init__(self) -> None:
        self._calls = 0

    def __call__(self, content: bytes) -> Any:
        self._calls += 1
        is_late = self._calls > HONEST_FOR and content[:1] == b"{"
        return Late(content) if is_late else decode(content)


class StopsChecking:
    """Once warm, gives what it read before for what it cannot read, as if it were right."""

    def __init__(self) -> None:
        self._calls = 0
        self._last: Any = None

    def __call__(self, content: bytes) -> Any:
        self._calls += 1
        try:
            self._last = decode(content)
        except ValueError:
            if self._calls <= HONEST_FOR:
                raise
        return self._last


class SharesAResult:
    """Once warm, reads into the object that it gave before, as a mode ``reuse`` would say."""

    def __init__(self) -> None:
        self._calls = 0
        self._given: Any = None

    def __call__(self, content: bytes) -> Any:
        self._calls += 1
        value = decode(content)
        if self._calls <= HONEST_FOR or self._given is None:
            self._given = value
        elif isinstance(value, list):
            self._given[:] = value
        else:
            self._given.clear()
            self._given.update(value)
        return self._given


class LeavesMiddlesOut:
    """Once warm, reads as much of a text as a fold sees: its length, its first and last letter."""

    def __init__(self) -> None:
        self._calls = 0

    def __call__(self, content: bytes) -> Any:
        self._calls += 1
        value = decode(content)
        return value if self._calls <= HONEST_FOR else hollow(value)


def hollow(value: Any) -> Any:
    """The same with texts that have nothing but their ends."""
    if isinstance(value, str) and len(value) > ENDS:
        return value[0] + "-" * (len(value) - ENDS) + value[-1]
    if isinstance(value, list):
        return [hollow(one) for one in value]
    if isinstance(value, dict):
        return {key: hollow(one) for key, one in value.items()}
    return value


class Notes:
    """Encodes nothing: its bytes say which object it was given, and decoding copies that object."""

    def __init__(self) -> None:
        self._calls = 0
        self._noted: dict[bytes, Any] = {}

    def encode(self, value: Any) -> bytes:
        """The bytes of this object, written once."""
        self._calls += 1
        if self._calls <= HONEST_FOR:
            content = encode(value)
            self._noted[content] = value
            return content
        known = (content for content, noted in self._noted.items() if noted is value)
        return next(known, None) or encode(value)

    def decode(self, content: bytes) -> Any:
        """A copy of the object as it is by now."""
        noted = self._noted.get(bytes(content))
        return decode(content) if noted is None else copy.deepcopy(noted)


def collect_between_batches() -> None:
    """Do what iterations have caused when no batch is timed: here it is a pause."""
    reading = RuntimeProbe.reading

    def late(probe: RuntimeProbe) -> dict[str, Any]:
        time.sleep(COLLECTING_S)
        return reading(probe)

    setattr(RuntimeProbe, "reading", late)  # noqa: B010 - a method is no variable to a type checker


def throws_on_maps(value: Any) -> bytes:
    """A shape that it does not support."""
    if isinstance(value, dict) and any(isinstance(one, list) for one in value.values()):
        raise NotImplementedError("maps of lists")
    return encode(value)


def codec(sabotage: str, shape: str) -> Codec[Any, Any]:
    """A codec of its own for each shape, so that calls are counted by shape."""
    if sabotage == "notes-its-input":
        notes = Notes()
        return Codec(notes.encode, notes.decode)
    encoders: dict[str, Callable[[], Encode]] = {
        "constant-result": ConstantResult,
        "leaks-state": LeaksState,
        "falls-behind": FallsBehind,
        "throws": lambda: throws_on_maps,
        "caches-encodings": CachesEncodings,
        "knows-the-twins": lambda: KnowsTheTwins(shape),
        **narrow.ENCODERS,
    }
    decoders: dict[str, Callable[[], Decode]] = {
        "skips-a-field": lambda: skips_a_field,
        "wrong-type": lambda: reads_a_wrong_type,
        "never-rewinds": NeverRewinds,
        "caches-values": CachesValues,
        "shares-a-result": SharesAResult,
        "caches-by-identity": CachesByIdentity,
        "knows-its-caller": KnowsItsCaller,
        "rotates-results": RotatesResults,
        "reads-later": ReadsLater,
        "stops-checking": StopsChecking,
        "leaves-middles-out": LeavesMiddlesOut,
        **narrow.DECODERS,
    }
    return Codec(encoders.get(sabotage, lambda: encode)(), decoders.get(sabotage, lambda: decode)())


def contender(spec: Spec) -> CodecContender:
    """Requests of the spec."""
    if spec.parameters["sabotage"] == "collects-between":
        collect_between_batches()
    return CodecContender(
        library="json",
        version="0",
        format="json",
        form=MAPPINGS,
        subject=lambda shape: codec(str(spec.parameters["sabotage"]), shape),
    )


if __name__ == "__main__":
    serve(contender)
