"""Recomputes every value that a client of this suite says it read, and every write it made.

The rules are those of ``README.md``. Standard library only: the core loads this file by path.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

MOST_FINDINGS = 20
MODULUS = 2**31
TAG_STEP = 7919
GENERATION_STEP = 104729
FIRST_DOUBLE = 1000
FIRST_STRING = 1800
WRITABLE_EVERY = 10
MEASURE_SEQUENCE = 1_000_000
PREFLIGHT_SEQUENCE = 900_000
OLDEST = 2
"""A read may show values this many generations older than the one its start falls into: while
the server answers another call, its timer waits. A cached answer is older than that."""

UNKNOWN_NODE_ITEM = 3
_STEP_INVERSE = pow(GENERATION_STEP, -1, MODULUS)

Json = Mapping[str, Any]
Values = Sequence[Any]
Tags = Sequence[int]
Value = int | float | str


def verify(spec: Json, facts: Json, answers: Iterable[Json]) -> list[str]:
    """Findings in plain language, at most 20; none when every answer is right.

    ``spec`` is the client's, with ``start_ns`` added once it has been started; ``facts`` are
    those of the first role, which is the server's where no certificates are made before it.
    """
    facts = spec.get("facts", {}).get("server", facts)
    given = list(answers)
    kept = [answer for answer in given if _is_answer(answer)]
    trial = _Trial(spec, facts, kept)
    findings = [f"not an answer: {_short(other)}" for other in given if not _is_answer(other)]
    findings += trial.unasked(kept)
    for answer in kept:
        if len(findings) >= MOST_FINDINGS:
            break
        try:
            findings += trial.check(answer)
        except (KeyError, TypeError, ValueError) as error:
            findings.append(f"{_name(answer)}: not an answer as README.md defines it ({error!r})")
    return findings[:MOST_FINDINGS]


def _is_answer(answer: Any) -> bool:
    keys = {"phase": str, "operation": str, "tick": int, "start_ns": int, "end_ns": int}
    return isinstance(answer, Mapping) and all(type(answer.get(k)) is t for k, t in keys.items())


def expected(tag: int, generation: int) -> Value:
    """The value of ``tag`` in ``generation``, or in a write with that sequence number."""
    x = (tag * TAG_STEP + generation * GENERATION_STEP) % MODULUS
    if tag < FIRST_DOUBLE:
        return x
    if tag < FIRST_STRING:
        return x / 1000.0
    return f"tag{tag:04d}-{x:010d}"


class _Trial:
    """What one trial asked for, and the writes it made."""

    def __init__(self, spec: Json, facts: Json, answers: Sequence[Json]) -> None:
        self._verify = spec["verify"]
        self._operations = spec["operations"]
        self._schedule = spec["schedule"]
        self._start_ns = spec.get("start_ns")
        self._probe = spec["parameters"].get("probe", "read")
        self._own = "node_list" in facts
        self._epoch_ns = facts.get("epoch_ns", 0)
        self._generation_ns = facts.get("generation_ns", 0)
        self._writes = {
            (answer["phase"], answer["tick"]): answer
            for answer in answers
            if answer["operation"] == "write"
        }

    def unasked(self, answers: Sequence[Json]) -> list[str]:
        """Preflight answers that are missing, and answers given twice or not asked for.

        Whether each tick asked for was answered is the core's to say: an operation that
        failed has no answer, and the core knows which failed.
        """
        given = Counter((a["phase"], a["operation"], a["tick"]) for a in answers)
        preflight = {
            ("preflight", name, index)
            for name, count in self._verify.get("preflight", {}).items()
            for index in range(count)
        }
        ticks = self._verify.get("ticks", {}).items()
        asked = preflight | {("measure", name, tick) for name, due in ticks for tick in due}
        wrong = {key: "no answer was written" for key in preflight if key not in given}
        wrong.update((key, "answered more than once") for key in given if given[key] > 1)
        wrong.update((key, "an answer nobody asked for") for key in given if key not in asked)
        return [f"{phase} {name} {tick}: {what}" for (phase, name, tick), what in wrong.items()]

    def check(self, answer: Json) -> list[str]:
        """What is wrong with one answer."""
        if not answer["start_ns"] <= answer["end_ns"]:
            return [f"{_name(answer)}: ends before it starts"]
        if answer["phase"] == "measure" and answer["start_ns"] < self._intended_ns(answer["tick"]):
            return [f"{_name(answer)}: started before its tick"]
        if answer["operation"] == "read":
            return self._check_read(answer)
        return self._check_write(answer) if answer["operation"] == "write" else []

    def _intended_ns(self, tick: int) -> int:
        first, period = self._schedule["first_ns"], self._schedule["period_ns"]
        return int((self._start_ns or 0) + first + tick * period)

    def _check_write(self, answer: Json) -> list[str]:
        sequence = _sequence(answer["phase"], answer["tick"])
        if (said := answer["answer"]["sequence"]) != sequence:
            return [f"{_name(answer)}: wrote sequence {said}, not {sequence}"]
        refused = [[0, "BadTypeMismatch"]] if self._probe == "wrong-type" else []
        if (bad := answer["answer"]["bad"]) != refused:
            return [f"{_name(answer)}: items not Good: {_short(bad)}, expected {refused}"]
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
        if "write" not in self._operations:
            return
        if answer["phase"] == "measure":
            every = self._operations["write"]["every"]
            # A read that took long may have met writes of later ticks.
            elapsed = answer["end_ns"] - self._intended_ns(0)
            last = max(answer["tick"], elapsed // self._schedule["period_ns"])
            for tick in range(min(last, self._schedule["count"] - 1), -1, -1):
                if tick % every == 0:
                    yield self._span("measure", tick, answer)
        for index in range(self._verify.get("preflight", {}).get("write", 0) - 1, -1, -1):
            yield self._span("preflight", index, answer)

    def _span(self, phase: str, tick: int, read: Json) -> tuple[int, int, int]:
        sequence = _sequence(phase, tick)
        if (known := self._writes.get((phase, tick))) is not None:
            return sequence, known["start_ns"], known["end_ns"]
        if phase == "measure" and read["phase"] == "measure":
            # Its answer was not asked for. One tick's calls end before the next tick begins
            # theirs, so only a write of the read's own tick, or a later one, is under way.
            earlier = tick < read["tick"]
            return sequence, 0, read["start_ns"] - 1 if earlier else read["end_ns"]
        return sequence, read["end_ns"] + 1, read["end_ns"] + 1

    def _check_read(self, answer: Json) -> list[str]:
        name = _name(answer)
        if self._own:
            return self._check_own(answer)
        values = answer["answer"]["values"]
        items = self._operations["read"]["items"]
        if len(values) != items:
            return [f"{name}: {len(values)} values, expected {items}"]
        refused = [[UNKNOWN_NODE_ITEM, "BadNodeIdUnknown"]] if self._probe == "unknown-node" else []
        if (bad := answer["answer"]["bad"]) != refused:
            return [f"{name}: items not Good: {_short(bad)}, expected {refused}"]
        if any(values[item] is not None for item, _ in refused):
            return [f"{name}: an item that is not Good has a value"]
        items_refused = {item for item, _ in refused}
        count = self._operations["write"]["items"] if "write" in self._operations else 0
        writable = range(0, items, WRITABLE_EVERY)[:count]
        good = [tag for tag in range(items) if tag not in items_refused]
        return [
            *self._check_generation(answer, values, [tag for tag in good if tag not in writable]),
            *self._check_written(answer, values, [tag for tag in good if tag in writable]),
        ]

    def _check_own(self, answer: Json) -> list[str]:
        """Every node of the user's own server is Good and has a value; which, nobody knows."""
        given, items = answer["answer"], self._operations["read"]["items"]
        if given["bad"]:
            return [f"{_name(answer)}: items not Good: {_short(given['bad'])}"]
        if given["valued"] != items:
            return [f"{_name(answer)}: {given['valued']} values, expected {items}"]
        return []

    def _generations(self, answer: Json) -> range:
        first = (answer["start_ns"] - self._epoch_ns) // self._generation_ns - OLDEST
        last = (answer["end_ns"] - self._epoch_ns) // self._generation_ns
        return range(first, last + 1)

    def _check_generation(self, answer: Json, values: Values, tags: Tags) -> list[str]:
        """All unwritten tags belong to one generation, which held during the read."""
        if not tags:
            return []
        name, allowed = _name(answer), self._generations(answer)
        generation = _generation_of(values, tags)
        if generation is None:
            return [f"{name}: tag {tags[0]} is {_short(values[tags[0]])}, a value it never has"]
        if wrong := _differences(values, tags, generation):
            return [_describe(answer, values, wrong, generation)]
        if generation in allowed:
            return []
        finding = (
            f"{name}: values of generation {generation}, but {allowed.start} to "
            f"{allowed.stop - 1} held during the read"
        )
        age_ms = (allowed.stop - 1 - generation) * self._generation_ns / 1e6
        return [f"{finding}: {age_ms:.0f} ms old, a cached answer" if age_ms > 0 else finding]

    def _check_written(self, answer: Json, values: Values, tags: Tags) -> list[str]:
        """All written tags show the last write, or one that was under way during the read."""
        if self._probe == "wrong-type":
            tags = [tag for tag in tags if tag != 0]
        if not tags:
            return []
        possible = self._last_writes(answer)
        for sequence in possible:
            generations = self._generations(answer) if sequence is None else (sequence,)
            if any(not _differences(values, tags, generation) for generation in generations):
                return []
        newest = self._generations(answer)[-1] if possible[0] is None else possible[0]
        found = _generation_of(values, tags)
        if found is None or _differences(values, tags, found):
            return [_describe(answer, values, _differences(values, tags, newest), newest)]
        return [
            f"{_name(answer)}: written tags hold {_origin(found)}, expected {_origin(newest)}: "
            "a write did not arrive, or the answer is old"
        ]


def _same(value: Any, wanted: Value) -> bool:
    """Equal in value and type, as far as JSON carries types.

    JSON has one kind of number, and the shortest form of 5.0 is 5: an integer stands for a
    Double of the same value. The other way round it does not, and a boolean never does.
    """
    alike = type(value) is type(wanted) or (type(value) is int and type(wanted) is float)
    return alike and bool(value == wanted)


def _differences(values: Values, tags: Tags, generation: int) -> list[int]:
    """Tags whose value is not that of ``generation``."""
    return [tag for tag in tags if not _same(values[tag], expected(tag, generation))]


def _generation_of(values: Values, tags: Tags) -> int | None:
    """The generation that most of nine tags, spread over all types, belong to."""
    spread = {tags[position * (len(tags) - 1) // 8] for position in range(9)}
    found = [g for tag in sorted(spread) if (g := _solve(tag, values[tag])) is not None]
    return max(found, key=found.count) if found else None


def _solve(tag: int, value: Any) -> int | None:
    """The generation in which ``tag`` has ``value``; None when it never has."""
    if isinstance(value, str) and value[8:].isdecimal():
        x = int(value[8:])
    elif type(value) is int and tag < FIRST_DOUBLE:
        x = value
    elif type(value) in (int, float) and math.isfinite(value):
        x = round(value * 1000)
    else:
        return None
    generation = (x - tag * TAG_STEP) * _STEP_INVERSE % MODULUS
    return generation if _same(value, expected(tag, generation)) else None


def _sequence(phase: str, tick: int) -> int:
    return (MEASURE_SEQUENCE if phase == "measure" else PREFLIGHT_SEQUENCE) + tick


def _origin(sequence: int) -> str:
    if sequence >= MEASURE_SEQUENCE:
        return f"the write of tick {sequence - MEASURE_SEQUENCE}"
    if sequence >= PREFLIGHT_SEQUENCE:
        return f"preflight write {sequence - PREFLIGHT_SEQUENCE}"
    return f"generation {sequence}"


def _name(answer: Json) -> str:
    return f"{answer['phase']} {answer['operation']} {answer['tick']}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _describe(answer: Json, values: Sequence[Any], wrong: Sequence[int], generation: int) -> str:
    tag = wrong[0]
    return (
        f"{_name(answer)}: {len(wrong)} values are not those of {_origin(generation)}: tag {tag} "
        f"is {_short(values[tag])}, expected {expected(tag, generation)!r}"
    )
