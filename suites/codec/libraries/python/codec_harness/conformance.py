"""Reading what others wrote, what is cut short, and what nobody should have written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codec_harness.answers import CallResult, write_call
from codec_harness.codecs import Codec, MessageCodec, encoded
from codec_harness.pools import Pool, suite_folder
from codec_harness.preflight import Neutral, value_of
from wirelab_sdk import Answers, Input

_MOST_LENGTHS = 2048


@dataclass(frozen=True, slots=True)
class Examination:
    """One codec on one shape, and where its answers go."""

    codec: Codec | MessageCodec
    pool: Pool
    format: str
    neutral: Neutral
    answers: Answers

    def read(self, inputs: tuple[Input, ...]) -> None:
        """Decode what contenders of the same format have encoded."""
        for one in inputs:
            if one.facts["format"] != self.format:
                continue
            for tick, encoding in self._encodings(one.answers):
                call = CallResult.of(self.codec.decode, encoding)
                answer = value_of(self.codec, self.neutral, call)
                self._write(call, answer, operation="read", tick=tick, **{"from": one.contender})

    def truncate(self) -> None:
        """Decode the encoding of the first instance cut after each of its bytes."""
        call = CallResult.of(self._accepted)
        self._write(call, call.answer(dict), operation="truncate", tick=0)

    def reject(self) -> None:
        """Decode the bad inputs of this shape."""
        vectors = json.loads((suite_folder() / "vectors" / "negative.json").read_text("utf-8"))
        for tick, vector in enumerate(vectors):
            if vector["format"] == self.format and vector["step"] == self.pool.shape:
                call = CallResult.of(self.codec.decode, bytes.fromhex(vector["hex"]))
                answer = value_of(self.codec, self.neutral, call)
                self._write(call, answer, operation="reject", tick=tick, vector=vector["name"])

    def _accepted(self) -> dict[str, Any]:
        whole = encoded(self.codec, self.pool.natives[0])
        lengths = range(min(len(whole), _MOST_LENGTHS))
        accepted = [
            length
            for length in lengths
            if CallResult.of(self.codec.decode, whole[:length]).error is None
        ]
        return {"length": len(whole), "accepted": accepted}

    def _encodings(self, file: Path) -> Iterator[tuple[int, bytes]]:
        with file.open("rb") as lines:
            for line in lines:
                if b'"encode"' not in line:
                    continue
                given = json.loads(line)
                if (
                    given["operation"] == "encode"
                    and given["step"] == self.pool.shape
                    and given["tick"] < len(self.pool.natives)
                    and "answer" in given
                ):
                    yield given["tick"], bytes.fromhex(given["answer"]["hex"])

    def _write(self, call: CallResult, answer: dict[str, Any], **names: Any) -> None:
        write_call(self.answers, call, answer, phase="measure", step=self.pool.shape, **names)
