"""Answers of the preflight and checksums of batches: is it right, and how large is it?"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import zstandard

from . import folds
from .pools import difference, pool

MOST_FINDINGS = 5
ZSTD_LEVEL = 3

Json = Mapping[str, Any]

_CANONICAL = {"cgd": ("T1", "T2", "T3", "T4", "T5"), "protobuf": ("T1", "T2", "T3", "T4")}
"""Shapes in which one value has one encoding. Protocol Buffers leave the order of a map open."""


class StepAnswers:
    """The preflight answers of one step."""

    def __init__(self, step: str, answers: Iterable[Json]) -> None:
        self.step = step
        self.errors: list[str] = []
        self.encoded: dict[int, bytes] = {}
        self.decoded: dict[int, Any] = {}
        for answer in answers:
            self._take(answer)

    def _take(self, answer: Json) -> None:
        name, tick = answer["operation"], answer["tick"]
        if "error" in answer:
            error = answer["error"]
            said = f"{name} {tick} threw {error['class']}: {error['message']}"
            self.errors.append(said)
        elif name == "encode":
            self.encoded[tick] = bytes.fromhex(answer["answer"]["hex"])
        elif name == "decode":
            self.decoded[tick] = answer["answer"]["value"]

    def wrong(self, form: str) -> list[str]:
        """List what is wrong with them."""
        if self.errors:
            return self.errors
        instances = pool(self.step)
        size = len(instances)
        found = [
            f"encode {tick}: no answer" for tick in range(2 * size) if tick not in self.encoded
        ]
        found += [f"decode {tick}: no answer" for tick in range(size) if tick not in self.decoded]
        if found:
            return found
        for tick in range(size):
            if self.encoded[tick] != self.encoded[2 * size - 1 - tick]:
                found.append(f"encode {tick}: other bytes the second time, after other messages")
            if told := difference(self.decoded[tick], instances[tick]):
                found.append(f"decode {tick}: {told}")
        if self._golden(form) == "differs" and self.step in _CANONICAL.get(form, ()):
            found.append(f"encode 0: not the golden bytes of {form} {self.step}")
        return found

    def figures(self) -> dict[str, tuple[float, str]]:
        """Sizes of the first instance."""
        if 0 not in self.encoded:
            return {}
        plain = self.encoded[0]
        packed = zstandard.ZstdCompressor(level=ZSTD_LEVEL).compress(plain)
        return {"encoded.size": (len(plain), "B"), "encoded.zstd": (len(packed), "B")}

    def remarks(self, form: str) -> dict[str, Any]:
        """Compare the first instance's bytes with the golden ones; a hash of those of all."""
        if 0 not in self.encoded:
            return {}
        digest = hashlib.sha256()
        for tick in sorted(self.encoded):
            encoded = self.encoded[tick]
            digest.update(f"{len(encoded)}:".encode() + encoded)
        return {"golden": self._golden(form), "sha256": digest.hexdigest()}

    def _golden(self, form: str) -> str:
        known = golden(form, self.step)
        if not known:
            return "no vector"
        return "equal" if self.encoded.get(0) in known else "differs"

    def folds_of(self, operation: str, strings: str) -> Sequence[int] | None:
        """Folds of an iteration of an operation, by instance; None when they cannot be said."""
        if operation == "round_trip_unused":
            return [0]
        if operation == "copy":
            return folds.of_copies(self.step)
        if operation == "encode":
            size = len(pool(self.step))
            if any(tick not in self.encoded for tick in range(size)):
                return None
            return [folds.of_bytes(self.encoded[tick]) for tick in range(size)]
        return folds.of_pool(self.step, strings)


@cache
def golden(form: str, step: str) -> tuple[bytes, ...]:
    """The golden encodings of a shape's first instance in a format; none where none is known."""
    file = Path(__file__).resolve().parent.parent / "vectors" / "golden.txt"
    short = {"protobuf": "pb"}.get(form, form)
    rows = [line.split(" ", 4) for line in file.read_text("utf-8").splitlines() if line]
    found = []
    for row_form, shape, _, digest, content in rows:
        if row_form == short and shape.removesuffix("src").removesuffix("sorted") == step:
            encoded = content.encode() if short == "json" else bytes.fromhex(content)
            if hashlib.sha256(encoded).hexdigest() != digest:
                raise ValueError(f"{file.name}: {row_form} {shape} has another SHA-256")
            found.append(encoded)
    return tuple(found)


def by_step(answers: Iterable[Json]) -> dict[str, list[Json]]:
    """Answers by their step; those of no step are of none that is judged."""
    found: dict[str, list[Json]] = defaultdict(list)
    for answer in answers:
        found[str(answer.get("step", ""))].append(answer)
    return dict(found)


def wrong_batches(given: StepAnswers, strings: str, batches: Iterable[Json]) -> list[str]:
    """Batches of the step whose iterations cannot have given their checksum: one an operation."""
    found: dict[str, str] = {}
    for batch in batches:
        name = batch["operation"]
        if name in found or "checksum" not in batch or batch["phase"] == "audit":
            continue
        wanted = given.folds_of(name, strings)
        if wanted is None:
            continue  # that answers are missing is said already
        expected = folds.of_iterations(wanted, batch["rounds"])
        if batch["checksum"] != expected:
            found[name] = (
                f"{name}: {batch['rounds']} iterations gave the checksum {batch['checksum']}, "
                f"not {expected}"
            )
    return list(found.values())
