"""Data of one version of the record read by code of another: the scenario ``evolution``.

Values are neutral ones, dictionaries as ``vectors/evolution.json`` has them; a contender turns them
into what its users would hold.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from codec_harness.answers import CallResult, write_call
from codec_harness.codecs import Codec, MessageCodec, encoded, native_of
from codec_harness.pools import suite_folder
from wirelab_sdk import Answers

Versions = Callable[[str], Codec | MessageCodec]
"""The codec of a version of the record: ``base``, or what a change made of it, by the change."""


@dataclass(frozen=True, slots=True)
class Evolution:
    """One change, from the version ``base`` to the version named after it."""

    change: str
    old: Codec | MessageCodec
    new: Codec | MessageCodec
    values: dict[str, list[Any]]
    answers: Answers

    @classmethod
    def of(cls, change: str, versions: Versions, answers: Answers) -> Evolution:
        """Read its values; OSError or ValueError when their file cannot be read."""
        file = suite_folder() / "vectors" / "evolution.json"
        values = json.loads(file.read_text("utf-8"))[change]
        return cls(change, versions("base"), versions(change), values, answers)

    def answer(self) -> None:
        """New code reads old data, old code reads new data, and old code hands new data on."""
        for tick, value in enumerate(self.values["old"]):
            self._write("backward", tick, partial(self._read, self.new, self.old, value))
        for tick, value in enumerate(self.values["new"]):
            self._write("forward", tick, partial(self._read, self.old, self.new, value))
            self._write("rewrite", tick, partial(self._handed_on, value))

    def _read(self, reader: Codec | MessageCodec, writer: Codec | MessageCodec, value: Any) -> Any:
        return native_of(reader, reader.decode(encoded(writer, value)))

    def _handed_on(self, value: Any) -> Any:
        """Messages are not turned into native values on the way: a relay need not."""
        again = self.old.encode(self.old.decode(encoded(self.new, value)))
        return native_of(self.new, self.new.decode(again))

    def _write(self, operation: str, tick: int, read: Callable[[], Any]) -> None:
        call = CallResult.of(read)
        answer = call.answer(lambda value: {"value": value})
        names = {"phase": "measure", "step": self.change, "operation": operation, "tick": tick}
        write_call(self.answers, call, answer, **names)
