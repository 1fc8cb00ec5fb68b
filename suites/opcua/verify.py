"""Recomputes every value that a client of this suite says it read, and every write it made.

The rules are those of ``README.md``. Standard library only: the core loads this file by path.
"""

from __future__ import annotations

import math
import struct
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha512
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
FURTHEST = 50
"""Generations after a read in which a value is looked for that is too new for it."""

UNKNOWN_NODE_ITEM = 3
LEARNT = ("notification", "poll")
"""Operations that end when their caller has the values that the tags took at their tick."""
READ, POLL = "read", "poll"
SELDOM = 0.5
"""Share of the polls that fall due at the interval which has to be there on any machine."""
SOON, FORESEEN, FEWEST = 1 / 3, 0.9, 12
"""A client that polls by a timer of its own finds a third of the changes within a third of the
interval. If its polls fell at random, nine tenths of twelve or more would be so in one of 20,000
trials; the period of the ticks spreads them more evenly than that."""
_STEP_INVERSE = pow(GENERATION_STEP, -1, MODULUS)
_A_DIGEST = 16
"""A digest has the numbers of this many tags."""

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
    findings += trial.foreseen(kept)
    for answer in kept:
        if len(findings) >= MOST_FINDINGS:
            break
        try:
            findings += trial.check(answer)
        except (LookupError, RecursionError, TypeError, ValueError) as error:
            findings.append(f"{_name(answer)}: not an answer as README.md defines it ({error!r})")
    return findings[:MOST_FINDINGS]


def requested(
    spec: Json, operation: str, turns: Sequence[tuple[int, int]]
) -> list[tuple[int, int] | None]:
    """Items that each turn has to be handed: of every change all values. What the other operations
    ask for, their manifest says.
    """
    items = spec["operations"][operation]["items"]
    return [(items, 0) if operation in LEARNT else None for _ in turns]


def claimed(
    spec: Json, operation: str, turns: Sequence[tuple[int, int]]
) -> list[tuple[int, int] | None]:
    """Items that the server has to count at each turn: of polls at least half as many as fall due
    from a tick to the next one, of all else those that the turn is handed.
    """
    if operation != POLL:
        return requested(spec, operation, turns)
    items = spec["operations"][operation]["items"]
    return [(max(items, math.floor(SELDOM * _times(spec) * items)), 0)] * len(turns)


def _times(spec: Json) -> float:
    """Intervals from a tick to the next one."""
    return float(spec["schedule"]["period_ns"] / spec["parameters"]["interval_ns"])


def _is_answer(answer: Any) -> bool:
    keys = {"phase": str, "operation": str, "tick": int, "start_ns": int, "end_ns": int}
    if not isinstance(answer, Mapping) or type(answer.get("lane", 0)) is not int:
        return False
    return all(type(answer.get(key)) is kind for key, kind in keys.items())


class _Drawn:
    """The values of tags: those of a generation depend on the secret of the trial, those of a write
    on its sequence number alone, for the client has to know them."""

    def __init__(self, secret: str) -> None:
        key = bytes.fromhex(secret)

        @lru_cache(maxsize=4096)
        def numbers(generation: int, part: int) -> tuple[int, ...]:
            message = struct.pack("<QI", generation, part)
            return struct.unpack("<16I", sha512(key + message).digest())

        self._numbers = numbers

    def expected(self, tag: int, origin: int) -> Value:
        """The value of ``tag`` in a generation, or in a write with that sequence number."""
        return _typed(tag, self._number(tag, origin))

    def differences(self, values: Values, tags: Tags, origin: int) -> list[int]:
        """Tags whose value is not that of ``origin``."""
        return [tag for tag in tags if not _same(values[tag], self.expected(tag, origin))]

    def origin_of(self, values: Values, tags: Tags, held: range) -> int | None:
        """The generation or the write that most of nine tags, spread over all types, belong to;
        generations are looked for among those that ``held``, then among all before them, then
        among some after."""
        spread = sorted({tags[position * (len(tags) - 1) // 8] for position in range(9)})
        given = [(tag, _number_in(tag, values[tag])) for tag in spread]
        known = [(tag, number) for tag, number in given if number is not None]
        found = [origin for tag, number in known if (origin := _write_of(tag, number)) is not None]
        if 2 * len(found) > len(known):
            return max(found, key=found.count)
        later = range(held.stop, held.stop + FURTHEST)
        for generations in (held, range(held.start), later):
            found += [
                generation
                for generation in reversed(generations)
                for tag, number in known
                if self._number(tag, generation) == number
            ]
            if found:
                break
        return max(found, key=found.count) if found else None

    def _number(self, tag: int, origin: int) -> int:
        if origin >= PREFLIGHT_SEQUENCE:
            return (tag * TAG_STEP + origin * GENERATION_STEP) % MODULUS
        if origin < 0:
            return -1  # before the first generation there was none
        return self._numbers(origin, tag // _A_DIGEST)[tag % _A_DIGEST] % MODULUS


def _typed(tag: int, number: int) -> Value:
    if tag < FIRST_DOUBLE:
        return number
    if tag < FIRST_STRING:
        return number / 1000.0
    return f"tag{tag:04d}-{number:010d}"


def at_most(
    spec: Json, operation: str, turns: Sequence[tuple[int, int]]
) -> list[tuple[int, int] | None]:
    """Values that may be asked for, or sampled for monitored items, from a tick to the next one: of
    who polls or is told of changes, as many as fall into it at the interval, and a tenth more. Of a
    read, calls: one. Of all else nothing is said.
    """
    if operation == READ:
        return [(1, 0)] * len(turns)
    if operation not in LEARNT:
        return [None] * len(turns)
    items = spec["operations"][operation]["items"]
    return [(math.ceil(1.1 * _times(spec) * items), 0)] * len(turns)


class _Trial:
    """The requests of one trial, and the writes it made."""

    def __init__(self, spec: Json, facts: Json, answers: Sequence[Json]) -> None:
        self._verify = spec["verify"]
        self._operations = spec["operations"]
        self._schedule = spec["schedule"]
        self._start_ns = spec.get("start_ns")
        self._parameters = spec["parameters"]
        self._probe = self._parameters.get("probe", "read")
        self._own = "node_list" in facts
        self._drawn = _Drawn(spec.get("secret", ""))
        self._epoch_ns = facts.get("epoch_ns", 0)
        self._generation_ns = facts.get("generation_ns", 0)
        self._writes = {
            (answer["phase"], answer["tick"]): answer
            for answer in answers
            if answer["operation"] == "write"
        }

    def unasked(self, answers: Sequence[Json]) -> list[str]:
        """Preflight answers that are missing or that nobody asked for, and answers given twice.

        What was asked for during the measurement is the core's to know.
        """
        # Lanes that read at one tick are told apart.
        answered = Counter(
            (a["phase"], a["operation"], a["tick"], a.get("lane", 0)) for a in answers
        )
        given = {key[:3] for key in answered}
        preflight = {
            ("preflight", name, index)
            for name, count in self._verify.get("preflight", {}).items()
            for index in range(count)
        }
        unasked = {key for key in given if key[0] == "preflight"} - preflight
        wrong = {key: "no answer was written" for key in preflight if key not in given}
        twice = (key[:3] for key, times in answered.items() if times > 1)
        wrong.update((key, "answered more than once") for key in twice)
        wrong.update((key, "an answer nobody asked for") for key in unasked)
        return [f"{phase} {name} {tick}: {what}" for (phase, name, tick), what in wrong.items()]

    def foreseen(self, answers: Sequence[Json]) -> list[str]:
        """Changes that a poll met as they came: whoever polls by a timer does not know of them."""
        took = [
            answer["end_ns"] - self._intended_ns(answer["tick"])
            for answer in answers
            if (answer["phase"], answer["operation"]) == ("measure", POLL)
        ]
        interval_ns = self._parameters.get("interval_ns", 0)
        soon = sum(one < SOON * interval_ns for one in took)
        if len(took) < FEWEST or soon < FORESEEN * len(took):
            return []
        return [
            f"{soon} of {len(took)} changes were known within {SOON * interval_ns / 1e6:g} ms, by "
            f"polls every {interval_ns / 1e6:g} ms: they were asked for when they came"
        ]

    def check(self, answer: Json) -> list[str]:
        """Find what is wrong with one answer."""
        if not answer["start_ns"] <= answer["end_ns"]:
            return [f"{_name(answer)}: ends before it starts"]
        if answer["phase"] == "measure" and answer["start_ns"] < self._intended_ns(answer["tick"]):
            return [f"{_name(answer)}: started before its tick"]
        if answer["operation"] == "read":
            return self._check_read(answer)
        if answer["operation"] in LEARNT:
            return self._check_learnt(answer)
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

    def _check_learnt(self, answer: Json) -> list[str]:
        """All tags have the values that they took at the tick, and in the preflight those from
        before the first one. What took until later ticks may have met their changes.
        """
        name, values = _name(answer), answer["answer"]["values"]
        items = self._operations[answer["operation"]]["items"]
        if len(values) != items:
            return [f"{name}: {len(values)} values, expected {items}"]
        if bad := answer["answer"]["bad"]:
            return [f"{name}: items not Good: {_short(bad)}"]
        change = answer["tick"] + 1 if answer["phase"] == "measure" else 0
        tags = range(items)
        if not (wrong := self._drawn.differences(values, tags, change)):
            return []
        later = range(change + 1, self._changes_until(answer) + 1)
        if not all(self._drawn.differences(values, tags, one) for one in later):
            return []
        found = self._drawn.origin_of(values, tags, range(change, change + 1))
        if found is None:
            tag = wrong[0]
            return [f"{name}: tag {tag} is {_short(values[tag])}, a value it never has"]
        if found == change:
            return [f"{name}: {len(wrong)} values are not those that the tags took at its tick"]
        what = "one was missed" if found > change else "they are old"
        return [f"{name}: values of change {found - 1}, expected those of {change - 1}: {what}"]

    def _changes_until(self, answer: Json) -> int:
        """Changes that there had been when an operation of the schedule ended."""
        if answer["phase"] != "measure":
            return 0
        elapsed: int = answer["end_ns"] - self._intended_ns(0)
        # The server goes on after the last tick, and whoever comes late sees that.
        return elapsed // int(self._schedule["period_ns"]) + 1

    def _check_own(self, answer: Json) -> list[str]:
        """Every node of the user's own server is Good and has a value; which, nobody knows."""
        given, items = answer["answer"], self._operations["read"]["items"]
        if given["bad"]:
            return [f"{_name(answer)}: items not Good: {_short(given['bad'])}"]
        if given["valued"] != items:
            return [f"{_name(answer)}: {given['valued']} values, expected {items}"]
        return []

    def _generations(self, answer: Json) -> range:
        first = (answer["start_ns"] - self._epoch_ns) // self._generation_ns
        last = (answer["end_ns"] - self._epoch_ns) // self._generation_ns
        return range(first, last + 1)

    def _check_generation(self, answer: Json, values: Values, tags: Tags) -> list[str]:
        """All unwritten tags belong to one generation, which held during the read."""
        if not tags:
            return []
        name, allowed = _name(answer), self._generations(answer)
        generation = self._drawn.origin_of(values, tags, allowed)
        if generation is None:
            return [f"{name}: tag {tags[0]} is {_short(values[tags[0]])}, a value it never has"]
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
            f"{_name(answer)}: written tags hold {_origin(found)}, expected {_origin(newest)}: "
            "a write did not arrive, or the answer is old"
        ]

    def _describe(self, answer: Json, values: Values, wrong: Sequence[int], origin: int) -> str:
        tag = wrong[0]
        return (
            f"{_name(answer)}: {len(wrong)} values are not those of {_origin(origin)}: tag {tag} "
            f"is {_short(values[tag])}, expected {self._drawn.expected(tag, origin)!r}"
        )


def _same(value: Any, wanted: Value) -> bool:
    """Equal in value and type, as far as JSON carries types.

    JSON has one kind of number, and the shortest form of 5.0 is 5: an integer stands for a
    Double of the same value. The other way round it does not, and a boolean never does.
    """
    alike = type(value) is type(wanted) or (type(value) is int and type(wanted) is float)
    return alike and bool(value == wanted)


def _number_in(tag: int, value: Any) -> int | None:
    """The number that a value is made of; None where it is no value of ``tag``."""
    if isinstance(value, str) and value[8:].isdecimal():
        number = int(value[8:])
    elif type(value) is int and tag < FIRST_DOUBLE:
        number = value
    elif type(value) in (int, float) and abs(value) < MODULUS:
        number = round(value * 1000)
    else:
        return None
    return number if _same(value, _typed(tag, number)) else None


def _write_of(tag: int, number: int) -> int | None:
    """The sequence number of the write that sets ``tag`` to this number; None: no write does."""
    sequence = (number - tag * TAG_STEP) * _STEP_INVERSE % MODULUS
    return sequence if PREFLIGHT_SEQUENCE <= sequence < 2 * MEASURE_SEQUENCE else None


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
