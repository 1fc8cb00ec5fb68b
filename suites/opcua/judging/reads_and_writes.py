"""Reads and writes: values of one generation, and of the last write."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .answers import DueTicks, Json, name_of, short
from .values import Tags, TagValues, Values, origin_in_words, sequence_of

READ, WRITE = "read", "write"
WRITABLE_EVERY = 10
UNKNOWN_NODE_ITEM = 3


class ReadsAndWrites:
    """The reads of one trial, and its writes."""

    def __init__(self, spec: Json, facts: Json, ticks: DueTicks, answers: Sequence[Json]) -> None:
        self._verify = spec["verify"]
        self._operations = spec["operations"]
        self._probe = spec["parameters"].get("probe", "read")
        self._own = "node_list" in facts
        self._drawn = TagValues(spec.get("secret", ""))
        self._epoch_ns = facts.get("epoch_ns", 0)
        self._generation_ns = facts.get("generation_ns", 0)
        self._ticks = ticks
        self._writes = {
            (answer["phase"], answer["tick"]): answer
            for answer in answers
            if answer["operation"] == WRITE
        }

    def check_read(self, answer: Json) -> list[str]:
        """Find what is wrong with the values of a read."""
        name = name_of(answer)
        if self._own:
            return self._check_own(answer)
        values = answer["answer"]["values"]
        items = self._operations[READ]["items"]
        if len(values) != items:
            return [f"{name}: {len(values)} values, expected {items}"]
        refused = [[UNKNOWN_NODE_ITEM, "BadNodeIdUnknown"]] if self._probe == "unknown-node" else []
        if (bad := answer["answer"]["bad"]) != refused:
            return [f"{name}: items not Good: {short(bad)}, expected {refused}"]
        if any(values[item] is not None for item, _ in refused):
            return [f"{name}: an item that is not Good has a value"]
        items_refused = {item for item, _ in refused}
        count = self._operations[WRITE]["items"] if WRITE in self._operations else 0
        writable = range(0, items, WRITABLE_EVERY)[:count]
        good = [tag for tag in range(items) if tag not in items_refused]
        return [
            *self._check_generation(answer, values, [tag for tag in good if tag not in writable]),
            *self._check_written(answer, values, [tag for tag in good if tag in writable]),
        ]

    def check_write(self, answer: Json) -> list[str]:
        """Find what is wrong with the outcome of a write."""
        sequence = sequence_of(answer["phase"], answer["tick"])
        if (said := answer["answer"]["sequence"]) != sequence:
            return [f"{name_of(answer)}: wrote sequence {said}, not {sequence}"]
        refused = [[0, "BadTypeMismatch"]] if self._probe == "wrong-type" else []
        if (bad := answer["answer"]["bad"]) != refused:
            return [f"{name_of(answer)}: items not Good: {short(bad)}, expected {refused}"]
        return []

    def _last_writes(self, answer: Json) -> list[int | None]:
        """Sequences that written tags may show in a read; None: none, the generation's value.

        The first is the newest. A read and a write that were under way at the same time may
        have been served in either order.
        """
        possible: list[int | None] = []
        for sequence, begin_ns, end_ns in self._writes_before(answer):
            if begin_ns > answer["end_ns"]:
                continue
            possible.append(sequence)
            if end_ns < answer["start_ns"]:
                return possible
        return [*possible, None]

    def _writes_before(self, answer: Json) -> Iterable[tuple[int, int, int]]:
        """Sequence, earliest begin and latest end of the writes up to a read, newest first."""
        if WRITE not in self._operations:
            return
        if answer["phase"] == "measure":
            every = self._operations[WRITE]["every"]
            # A read that took long may have met writes of later ticks.
            elapsed = answer["end_ns"] - self._ticks.intended_ns(0)
            last = max(answer["tick"], elapsed // self._ticks.period_ns)
            for tick in range(min(last, self._ticks.last), -1, -1):
                if tick % every == 0:
                    yield self._span("measure", tick, answer)
        for index in range(self._verify.get("preflight", {}).get(WRITE, 0) - 1, -1, -1):
            yield self._span("preflight", index, answer)

    def _span(self, phase: str, tick: int, read: Json) -> tuple[int, int, int]:
        sequence = sequence_of(phase, tick)
        if (known := self._writes.get((phase, tick))) is not None:
            return sequence, known["start_ns"], known["end_ns"]
        if phase == "measure" and read["phase"] == "measure":
            # Its answer was not asked for. One tick's calls end before the next tick begins
            # theirs, so only a write of the read's own tick, or a later one, is under way.
            earlier = tick < read["tick"]
            return sequence, 0, read["start_ns"] - 1 if earlier else read["end_ns"]
        return sequence, read["end_ns"] + 1, read["end_ns"] + 1

    def _check_own(self, answer: Json) -> list[str]:
        """Every node of the user's own server is Good and has a value; which, nobody knows."""
        given, items = answer["answer"], self._operations[READ]["items"]
        if given["bad"]:
            return [f"{name_of(answer)}: items not Good: {short(given['bad'])}"]
        if given["valued"] != items:
            return [f"{name_of(answer)}: {given['valued']} values, expected {items}"]
        return []

    def _generations(self, answer: Json) -> range:
        first = (answer["start_ns"] - self._epoch_ns) // self._generation_ns
        last = (answer["end_ns"] - self._epoch_ns) // self._generation_ns
        return range(first, last + 1)

    def _check_generation(self, answer: Json, values: Values, tags: Tags) -> list[str]:
        """All unwritten tags belong to one generation, which held during the read."""
        if not tags:
            return []
        name, allowed = name_of(answer), self._generations(answer)
        generation = self._drawn.origin_of(values, tags, allowed)
        if generation is None:
            return [f"{name}: tag {tags[0]} is {short(values[tags[0]])}, a value it never has"]
        if wrong := self._drawn.differences(values, tags, generation):
            return [self._describe(answer, values, wrong, generation)]
        if generation in allowed:
            return []
        finding = (
            f"{name}: values of generation {generation}, but {allowed.start} to "
            f"{allowed.stop - 1} held during the read"
        )
        age_ms = (allowed.stop - 1 - generation) * self._generation_ns / 1e6
        if age_ms > 0:
            return [f"{finding}: {age_ms:.0f} ms old, a cached answer"]
        return [f"{finding}: {-age_ms:.0f} ms too new, fetched after it"]

    def _check_written(self, answer: Json, values: Values, tags: Tags) -> list[str]:
        """All written tags show the last write, or one that was under way during the read."""
        if self._probe == "wrong-type":
            tags = [tag for tag in tags if tag != 0]
        if not tags:
            return []
        possible = self._last_writes(answer)
        for sequence in possible:
            generations = self._generations(answer) if sequence is None else (sequence,)
            if any(not self._drawn.differences(values, tags, origin) for origin in generations):
                return []
        newest = self._generations(answer)[-1] if possible[0] is None else possible[0]
        found = self._drawn.origin_of(values, tags, self._generations(answer))
        if found is None or self._drawn.differences(values, tags, found):
            wrong = self._drawn.differences(values, tags, newest)
            return [self._describe(answer, values, wrong, newest)]
        return [
            f"{name_of(answer)}: written tags hold {origin_in_words(found)}, expected "
            f"{origin_in_words(newest)}: a write did not arrive, or the answer is old"
        ]

    def _describe(self, answer: Json, values: Values, wrong: Sequence[int], origin: int) -> str:
        tag = wrong[0]
        return (
            f"{name_of(answer)}: {len(wrong)} values are not those of "
            f"{origin_in_words(origin)}: tag {tag} is {short(values[tag])}, "
            f"expected {self._drawn.expected(tag, origin)!r}"
        )
