"""Writes the pools of all shapes: ``python make.py`` in this folder gives the same files again.

A pool holds instances of one shape. The first one of T1 to T5 is the source's, letter by letter;
the others differ from it in their values and a little in their length, so that no loop works on
one input whose outcome a compiler or a branch predictor could learn. Numbers are exact in every
language: integers within 2**53, floats and doubles multiples of 1/4.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
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
    """The source's eight strings with another letter in front and some more at the end."""
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
    """The source's keys, some of them with a letter more."""
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


def main() -> None:
    """Write ``SHAPE.json`` for every shape, an instance a line."""
    for shape, instances in POOLS.items():
        lines = ",\n".join(
            json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in instances
        )
        text = f'{{"shape":"{shape}","pool":[\n{lines}\n]}}\n'
        Path(__file__).with_name(f"{shape}.json").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
