"""Writes the pools of all shapes: ``python make.py`` in this folder gives the same files again.

A pool holds instances of one shape. The first one of T1 to T5 is the study's, letter by letter;
the others differ from it in their values and a little in their length, so that no loop works on
one input whose outcome a compiler or a branch predictor could learn. Numbers are exact in every
language: integers within 2**53, floats and doubles multiples of 1/4.

``twins`` has a second value for each instance: the same but for one field. Three of four twins are
as long as their instance in the usual formats, so that one can be patched into the other. The
others have a longer field, and one that is awkward to write: no codec is right that knows the kinds
of values of the pools alone.
"""

from __future__ import annotations

import copy
import json
import math
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

POOL = 16
TELEMETRY_POOL = 4
POINTS = 1000

T1 = {
    "c": 3,
    "uc": 4,
    "i16": 4100,
    "u16": 32210,
    "i32": 123310,
    "u32": 121234,
    "i64": -1000443,
    "u64": 12233094310,
    "f": 1.0,
    "d": 2.0,
}
STRINGS = (
    "Please Let test this",
    "이것 좀 테스트하게 해주세요.",
    "这件事 试验",
    "これを試ためさせてください",
    "1234567!@#$%%^&}¢‡¥”w¯¥„ÈÉÞ´µ½²ÂÄÂÁ¾¿ÀÁÂ",
    "Please 这件事 試ためさせてください 합시다.",
    "Test What ever",
    "1234",
)
T3 = [3, 2, 9, 10, 11, 22, 44, 22]
T5 = {
    "zero": [0, 1, 2, 4],
    "two": [3, 1, 22, 4],
    "tree": [4, 1, 12, 4],
    "fifteen": [5, 1, 82, 4],
    "five": [7, 1, 22, 4],
    "eleven": [10, 21, 12, 34],
}
BOARDS = ("회의실 보드", "design review", "設計レビュー", "스프린트 계획")
NAMES = ("김서연", "Ada", "José", "佐藤", "Łukasz", "이준호")
AWKWARD = ' "so" \\ as\tit\nis 😀 ' + 260 * "w"
"""A text that formats of text have to escape, and longer than a byte can say."""

LONG_FRACTIONS = (31415926.5358979, -27182818.2845905)
"""Fractions with as many digits as every parser reads exactly."""

WIDE = -1_234_567_890
"""An integer of 32 bits that no fewer have, nor as many without a sign."""

WORDS = ("여기를", "확인해", "주세요", "this", "corner", "looks", "off", "😀", "線が", "두꺼워요")


def t1(chance: random.Random) -> dict[str, Any]:
    """All ten primitive types."""
    return {
        "c": chance.randint(-128, 127),
        "uc": chance.randint(0, 255),
        "i16": chance.randint(-32768, 32767),
        "u16": chance.randint(0, 65535),
        "i32": chance.randint(-(2**31), 2**31 - 1),
        "u32": chance.randint(0, 2**32 - 1),
        "i64": chance.randint(-(2**53) + 1, 2**53 - 1),
        "u64": chance.randint(0, 2**53 - 1),
        "f": chance.randint(-40000, 40000) / 4,
        "d": chance.randint(-(10**9), 10**9) / 4,
    }


def strings(chance: random.Random) -> list[str]:
    """The study's eight strings with another letter in front and some more at the end."""
    return [
        chance.choice("APT이件れ1") + text[1:] + "해z9試"[: chance.randint(0, 4)]
        for text in STRINGS
    ]


def t2(chance: random.Random) -> dict[str, str]:
    """Eight fields."""
    return named(strings(chance))


def named(texts: list[str]) -> dict[str, str]:
    """Texts as the fields s1 to s8."""
    return {f"s{number}": text for number, text in enumerate(texts, start=1)}


def t3(chance: random.Random) -> list[int]:
    """Eight small integers, one more or one less."""
    return [chance.randint(0, 99) for _ in range(chance.randint(7, 9))]


def t5(chance: random.Random) -> dict[str, list[int]]:
    """The study's keys, some of them with a letter more."""
    return {
        key + "x" * chance.randint(0, 1): [chance.randint(0, 99) for _ in values]
        for key, values in T5.items()
    }


def telemetry(chance: random.Random) -> dict[str, Any]:
    """1,000 points of a plant's tag: a step of time with jitter, a random walk, mostly good."""
    time, value = 1_790_000_000_000 + chance.randint(0, 10**9), chance.randint(-4000, 4000)
    points = []
    for _ in range(POINTS):
        time += 100 + chance.randint(-3, 3)
        value += chance.randint(-20, 20)
        good = chance.random() < 0.97
        points.append({"time": time, "value": value / 4, "quality": 192 if good else 24})
    return {"points": points}


def chat(chance: random.Random) -> dict[str, Any]:
    """A message of a shared whiteboard with its text, whom it mentions, and three strokes."""
    return {
        "id": f"m{chance.getrandbits(60):015x}",
        "sent": 1_790_000_000_000 + chance.randint(0, 10**9),
        "board": chance.choice(BOARDS),
        "author": {
            "id": chance.randint(1, 100_000),
            "name": chance.choice(NAMES),
            "active": chance.random() < 0.5,
        },
        "text": " ".join(chance.choice(WORDS) for _ in range(chance.randint(8, 14))),
        "mentions": [chance.choice(NAMES) for _ in range(chance.randint(1, 4))],
        "strokes": [
            {
                "color": f"#{chance.getrandbits(24):06x}",
                "width": chance.randint(2, 32) / 4,
                "points": [
                    {"x": chance.randint(0, 1919), "y": chance.randint(0, 1079)}
                    for _ in range(chance.randint(9, 11))
                ],
            }
            for _ in range(3)
        ],
    }


def pool(
    first: Any, make: Callable[[random.Random], Any], seed: str, size: int = POOL
) -> list[Any]:
    """``size`` instances: ``first`` (when there is one) and seeded ones."""
    chance = random.Random(f"wirelab codec {seed}")
    given = [] if first is None else [first]
    return [*given, *(make(chance) for _ in range(size - len(given)))]


POOLS = {
    "T1": pool(T1, t1, "T1"),
    "T2": pool(named(list(STRINGS)), t2, "T2"),
    "T3": pool(T3, t3, "T3"),
    "T4": pool(list(STRINGS), strings, "T4"),
    "T5": pool(T5, t5, "T5"),
    "telemetry": pool(None, telemetry, "telemetry", TELEMETRY_POOL),
    "chat": pool(None, chat, "chat"),
}


def twins(shape: str, instances: list[Any]) -> list[Any]:
    """The twin of each instance, in their order; what differs is another field each time."""
    chance = random.Random(f"wirelab codec twins {shape}")
    return [twin(one, number, chance) for number, one in enumerate(instances)]


def twin(instance: Any, number: int, chance: random.Random) -> Any:
    """A copy with one field changed; the fourth of four is of another length where it can be."""
    copied = copy.deepcopy(instance)
    fields = list(places(copied))
    if number % 4 == 3 and (
        with_long_fraction(copied, number) or lengthened(copied, fields, chance)
    ):
        return copied
    # Of few fields each gets its turn; of many, chance decides.
    holder, key = fields[number] if number < len(fields) <= POOL else chance.choice(fields)
    holder[key] = changed(holder[key], number)
    return copied


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every field that is a number, a text or a flag: what holds it, and where."""
    entries = value.items() if isinstance(value, dict) else enumerate(value)
    for key, held in entries:
        if isinstance(held, dict | list):
            yield from places(held)
        else:
            yield value, key


def with_long_fraction(value: Any, number: int) -> bool:
    """Give a field that is a float of 64 bits all digits: of few when each has had its turn, of
    many in every second value that is longer.
    """
    long = LONG_FRACTIONS[number // 4 % len(LONG_FRACTIONS)]
    if isinstance(value, dict) and "strokes" in value and number % 8 == 7:
        value["strokes"][0]["width"] = long
    elif isinstance(value, dict) and "d" in value and number >= len(value):
        value["d"] = long
    else:
        return False
    return True


def lengthened(value: Any, fields: list[tuple[Any, Any]], chance: random.Random) -> bool:
    """Make a list or a text longer; a value that has neither stays as it is."""
    lists = [holder for holder, _ in fields if isinstance(holder, list)]
    texts = [(holder, key) for holder, key in fields if isinstance(holder[key], str)]
    if isinstance(value, dict) and isinstance(value.get("points"), list):
        value["points"].append({**value["points"][-1], "value": LONG_FRACTIONS[0]})
    elif lists:
        longer = chance.choice(lists)
        longer.append(AWKWARD if isinstance(longer[-1], str) else WIDE)
    elif texts:
        holder, key = chance.choice(texts)
        holder[key] += AWKWARD
    else:
        return False
    return True


def changed(field: Any, number: int) -> Any:
    """Another value as long as this one: in digits, in varints, in UTF-8 and in UTF-16."""
    if isinstance(field, bool):
        return not field
    if isinstance(field, str):
        # The first byte of what UTF-8 writes in several would stay.
        at = 0 if number % 2 and field[0].isascii() else len(field) - 1
        return field[:at] + neighbour(field[at]) + field[at + 1 :]
    whole = neighbour_of(int(abs(field)))
    if isinstance(field, int):
        return -whole if field < 0 else whole
    return math.copysign(whole + abs(field) % 1, field)


def neighbour_of(size: int) -> int:
    """A number beside this one that no boundary of a format lies between."""
    return size ^ 1 if size > 1 else size + 2


def neighbour(character: str) -> str:
    """A character beside this one that every format writes alike."""
    if character.isascii():
        return character.swapcase() if character.isalpha() else str(int(character in "02468"))
    return chr(ord(character) ^ 1)


def main() -> None:
    """Write ``SHAPE.json`` and ``twins/SHAPE.json`` for every shape, an instance a line."""
    for shape, instances in POOLS.items():
        write(f"{shape}.json", shape, instances)
        write(f"twins/{shape}.json", shape, twins(shape, instances))


def write(name: str, shape: str, instances: list[Any]) -> None:
    """A file of instances."""
    lines = ",\n".join(
        json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in instances
    )
    text = f'{{"shape":"{shape}","pool":[\n{lines}\n]}}\n'
    path = Path(__file__).parent / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
