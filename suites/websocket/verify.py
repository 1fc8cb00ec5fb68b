"""Recomputes every message whose answer the engine wrote, and who was to get it.

The rules are those of ``README.md``; the content of a message is defined below, once more than
in the engine (``crates/engine/src/load/ledger/message.rs``). Standard library only: the core
loads this file by path.
"""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

MOST_FINDINGS = 20
PREFLIGHT_BOARD = "preflight"
"""The name it has with a generator that draws no key."""
PREFLIGHT_USERS = 2
KEY = re.compile("[0-9a-f]{32}")
GOLDEN = 618033989
WHOLE = 1_000_000_000
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
LETTERS_OF_A_NUMBER = 10
FIELDS = ("type", "board", "user", "seq", "color", "width", "points", "pad")
NAMING = ("type", "board", "user", "seq", "pad")
"""Fields of a message whose content is letters alone."""
AFTER_COLON = ("", " ")
AFTER_COMMA = ("", " ", "\n", "\t")
ESCAPED = ("", "type", "board", "color")
FNV_BASIS = 0xCBF29CE484222325
FNV_PRIME = 0x100000001B3

Json = Mapping[str, Any]


def verify(spec: Json, facts: Json, answers: Iterable[Json]) -> list[str]:
    """Findings in plain language, at most 20; none when every answer is right.

    ``spec`` is the generator's, with ``start_ns`` added once it has been started; ``facts`` are
    the server's.
    """
    del facts  # nothing a server says of itself changes what is right
    given = list(answers)
    kept = [answer for answer in given if _is_answer(answer)]
    trial = _Trial(spec)
    findings = [f"not an answer: {_short(other)}" for other in given if not _is_answer(other)]
    findings += trial.unasked(kept)
    for answer in kept:
        if len(findings) >= MOST_FINDINGS:
            break
        try:
            findings += [f"{_name(answer)}: {what}" for what in trial.check(answer)]
        except (LookupError, RecursionError, TypeError, ValueError) as error:
            findings.append(f"{_name(answer)}: not an answer as README.md defines it ({error!r})")
    return findings[:MOST_FINDINGS]


def requested(
    _spec: Json, operation: str, turns: Sequence[tuple[int, int]]
) -> list[tuple[int, int] | None]:
    """One message each, and the digest of who sends it: a lane is a user."""
    if operation != "rtt":
        return [None] * len(turns)
    return [(1, digest(str(lane))) for _tick, lane in turns]


def digest(name: str) -> int:
    """One number of a name, as the wire's witness has it: both halves of its hash (FNV-1a)
    without carries.
    """
    h = FNV_BASIS
    for byte in name.encode():
        h = (h ^ byte) * FNV_PRIME % 2**64
    return (h ^ h >> 32) % 2**32


def draw(
    seed: int, board: str, user: int, seq: int, message_bytes: int, *, pad: str = "dots"
) -> str:
    """The text of message ``seq`` of ``user``, by a generator that draws no key.

    The numbers that it follows from are the CRC-32 of the ASCII texts ``SEED:USER:SEQ:i``.
    """
    numbers = [zlib.crc32(f"{seed}:{user}:{seq}:{i}".encode()) for i in range(5)]
    return written((board, user, seq), [*numbers, 0], message_bytes, pad)


def drawn(
    key: str, board: str, user: int, seq: int, message_bytes: int, *, pad: str = "dots"
) -> str:
    """The text of message ``seq`` of ``user``: content and form follow from the key of the trial.

    The numbers are those of four bytes in SHA-1 of ``KEY:USER:SEQ:0`` and ``KEY:USER:SEQ:1``.
    """
    hashed = (hashlib.sha1(f"{key}:{user}:{seq}:{half}".encode()).digest() for half in range(2))
    whole = b"".join(hashed)
    numbers = [int.from_bytes(whole[at : at + 4], "big") for at in range(0, len(whole), 4)]
    return written((board, user, seq), numbers, message_bytes, pad)


def written(sent: tuple[str, int, int], z: Sequence[int], message_bytes: int, pad: str) -> str:
    """A message (board, user, seq) in the form that its numbers give.

    ``color`` is the lower 24 bits of ``z[0]``, ``width`` is 1 to 8 by its upper ones, and point
    *i* (1 and 2) is ``[z[i] mod 1920, z[i] div 2^16 mod 1080]``. ``pad`` brings the text to
    ``message_bytes`` where it is shorter: dots, or letters that follow from ``z[3]`` and
    ``z[4]``, with ``random`` in place of colour, width and points, too. By ``z[5]``: the field that
    comes first, what comes after colons and commas, and whose first letter is an escape.
    """
    fields = NAMING if pad == "random" else FIELDS
    first, colon, comma = z[5] % 8 % len(fields), z[5] >> 3 & 1, z[5] >> 4 & 3
    escaped = z[5] >> 6 & 3
    values = {
        "type": "draw",
        "board": sent[0],
        "user": sent[1],
        "seq": sent[2],
        "color": f"#{z[0] & 0xFFFFFF:06x}",
        "width": 1 + (z[0] >> 24) % 8,
        "points": [[z[i] % 1920, (z[i] >> 16) % 1080] for i in (1, 2)],
        "pad": "",
    }
    texts = {name: json.dumps(value, separators=(",", ":")) for name, value in values.items()}
    if hidden := ESCAPED[escaped]:
        texts[hidden] = f'"\\u{ord(texts[hidden][1]):04x}{texts[hidden][2:]}'
    order = fields[first:] + fields[:first]
    after = AFTER_COLON[colon]

    def whole() -> str:
        told = (f'"{name}":{after}{texts[name]}' for name in order)
        return "{" + f",{AFTER_COMMA[comma]}".join(told) + "}"

    missing = max(0, message_bytes - len(whole()))
    filling = "." * missing if pad == "dots" else letters(z[3], z[4], missing)
    texts["pad"] = f'"{filling}"'
    return whole()


def letters(high: int, low: int, count: int) -> str:
    """Ten letters of each number of a xorshift generator (13, 7, 17), the lowest six bits first."""
    number = max(1, high << 32 | low)
    made: list[str] = []
    while len(made) < count:
        number = (number ^ number << 13) % 2**64
        number ^= number >> 7
        number = (number ^ number << 17) % 2**64
        made += [ALPHABET[number >> 6 * at & 63] for at in range(LETTERS_OF_A_NUMBER)]
    return "".join(made[:count])


def _is_answer(answer: Any) -> bool:
    keys = {"phase": str, "operation": str, "tick": int, "start_ns": int, "end_ns": int}
    return isinstance(answer, Mapping) and all(type(answer.get(k)) is t for k, t in keys.items())


class _Trial:
    """The requests of one trial."""

    def __init__(self, spec: Json) -> None:
        parameters = spec["parameters"]
        self._seed = spec["seed"]
        self._verify = spec["verify"]
        self._schedule = spec["schedule"]
        self._steps: Sequence[Json] = self._schedule.get("steps", [])
        self._start_ns = spec.get("start_ns")
        self._message_bytes = parameters.get("message_bytes", 130)
        self._pad = parameters.get("pad", "dots")
        self._board_size = int(parameters.get("board_size", 50))
        self._placement = parameters.get("placement", "fill")
        by_step = [step["users"] for step in self._steps]
        self._users = int(max(by_step) if by_step else parameters.get("users", 1))
        self._boards = -(-self._users // self._board_size)

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
        """Find what is wrong with one answer."""
        if not answer["start_ns"] <= answer["end_ns"]:
            return ["ends before it starts"]
        told = answer["answer"]
        preflight = answer["phase"] == "preflight"
        user = answer["tick"] % (PREFLIGHT_USERS if preflight else self._lanes(answer["tick"]))
        if told["user"] != user:
            return [f"sent by user {_short(told['user'])}, not {user}"]
        if not preflight and answer["start_ns"] < self._intended_ns(answer["tick"], user):
            return ["started before it was due"]
        return [*self._check_sent(answer, user), *self._check_received(answer, user)]

    def _check_sent(self, answer: Json, user: int) -> list[str]:
        told, tick = answer["answer"], answer["tick"]
        key, board, seq = told.get("key"), told["board"], told["seq"]
        if key is not None and not (isinstance(key, str) and KEY.fullmatch(key)):
            return [f"follows from {_short(key)}, which is no key"]
        if finding := self._misplaced(answer["phase"], user, board, keyed=key is not None):
            return [finding]
        if type(seq) is not int or not 0 <= seq <= tick:
            return [f"is message {_short(seq)}, but a user sends once a tick"]
        if answer["phase"] == "preflight" and seq != tick // PREFLIGHT_USERS:
            return [f"is message {seq}, not {tick // PREFLIGHT_USERS}"]
        length = self._message_bytes
        expected = (
            draw(self._seed, board, user, seq, length, pad=self._pad)
            if key is None
            else drawn(key, board, user, seq, length, pad=self._pad)
        )
        if told["text"] != expected:
            return [f"sent {_short(told['text'])}, not {_short(expected)}"]
        return []

    def _check_received(self, answer: Json, user: int) -> list[str]:
        told = answer["answer"]
        members, receivers = _users(told["members"]), _users(told["receivers"])
        if user not in members:
            return ["the sender was no member"]
        if strangers := members - self._company(answer["phase"], user):
            return [f"users {sorted(strangers)} were members, but belong to other boards"]
        findings = []
        # What others did not get is lost: the ledger counts that, for all messages of the load.
        if user not in receivers:
            findings.append("did not come back to its sender")
        if surplus := receivers - members:
            findings.append(f"came to users {sorted(surplus)}, who were no members")
        sent = _canonical(told["text"])
        if not told["copies"]:
            findings.append("no copy was written down")
        findings += [
            f"came as {_short(copy)}" for copy in told["copies"] if _canonical(copy) != sent
        ]
        return findings

    def _step(self, tick: int) -> Json | None:
        held = (s for s in self._steps if s["first"] <= tick < s["first"] + s["count"])
        return next(held, None)

    def _lanes(self, tick: int) -> int:
        step = self._step(tick)
        return int(step["lanes"]) if step else 1

    def _intended_ns(self, tick: int, lane: int) -> int:
        first, period = self._schedule["first_ns"], self._schedule["period_ns"]
        length = self._schedule.get("cycle", {}).get("length", 1)
        shift = (lane * GOLDEN % WHOLE) * length * period // WHOLE
        return int((self._start_ns or 0) + first + tick * period + shift % period)

    def _place(self, user: int) -> int:
        if self._placement == "spread":
            return user % self._boards
        return user // self._board_size

    def _misplaced(self, phase: str, user: int, board: str, *, keyed: bool) -> str:
        """Find what is wrong with the board of a message; empty when nothing is.

        That of the preflight is named like one of the load, but is none of them.
        """
        if phase == "preflight" and keyed:
            named = re.fullmatch("b([0-9]{4,})", board)
            other = named is not None and int(named[1]) >= self._boards
            return "" if other else f"sent to board {_short(board)}, which others are on"
        right = PREFLIGHT_BOARD if phase == "preflight" else f"b{self._place(user):04d}"
        return "" if board == right else f"sent to board {_short(board)}, not {right}"

    def _company(self, phase: str, user: int) -> set[int]:
        """Users of the same board, whether they have joined or not."""
        if phase == "preflight":
            return set(range(PREFLIGHT_USERS))
        return {other for other in range(self._users) if self._place(other) == self._place(user)}


def _users(listed: Any) -> set[int]:
    if not isinstance(listed, list) or any(type(user) is not int for user in listed):
        raise ValueError(f"{_short(listed)} is not a list of users")
    if len(set(listed)) < len(listed):
        raise ValueError(f"{_short(listed)} has a user twice")
    return set(listed)


def _canonical(text: Any) -> str:
    """Equal for texts that are equal as JSON, and for nothing else; ValueError for no JSON."""
    return json.dumps(json.loads(text), sort_keys=True)


def _name(answer: Json) -> str:
    return f"{answer['phase']} {answer['operation']} {answer['tick']}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 160 else text[:157] + "..."
