"""Answers as they are given: their form, which ones are missing, and when they were due."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

Json = Mapping[str, Any]


def is_answer(answer: Any) -> bool:
    """Whether all has its type that the verifier goes by."""
    keys = {"phase": str, "operation": str, "tick": int, "start_ns": int, "end_ns": int}
    if not isinstance(answer, Mapping) or type(answer.get("lane", 0)) is not int:
        return False
    return all(type(answer.get(key)) is kind for key, kind in keys.items())


class DueTicks:
    """The schedule of a trial, and when it was started."""

    def __init__(self, spec: Json) -> None:
        self._schedule = spec["schedule"]
        self._start_ns = spec.get("start_ns") or 0

    @property
    def period_ns(self) -> int:
        """The time from a tick to the next one."""
        return int(self._schedule["period_ns"])

    @property
    def last(self) -> int:
        """The number of the last tick."""
        return int(self._schedule["count"]) - 1

    def intended_ns(self, tick: int) -> int:
        """The time at which a tick is due."""
        return int(self._start_ns + self._schedule["first_ns"]) + tick * self.period_ns


def unasked(counts: Mapping[str, int], answers: Sequence[Json]) -> list[str]:
    """Preflight answers that are missing or that nobody asked for, and answers given twice.

    What was asked for during the measurement is the core's to know.
    """
    # Lanes that read at one tick are told apart.
    answered = Counter((a["phase"], a["operation"], a["tick"], a.get("lane", 0)) for a in answers)
    given = {key[:3] for key in answered}
    preflight = {
        ("preflight", name, index) for name, count in counts.items() for index in range(count)
    }
    unasked = {key for key in given if key[0] == "preflight"} - preflight
    wrong = {key: "no answer was written" for key in preflight if key not in given}
    twice = (key[:3] for key, times in answered.items() if times > 1)
    wrong.update((key, "answered more than once") for key in twice)
    wrong.update((key, "an answer nobody asked for") for key in unasked)
    return [f"{phase} {name} {tick}: {what}" for (phase, name, tick), what in wrong.items()]


def impossible(answer: Json, ticks: DueTicks) -> list[str]:
    """Times that no operation can have had."""
    if not answer["start_ns"] <= answer["end_ns"]:
        return [f"{name_of(answer)}: ends before it starts"]
    if answer["phase"] == "measure" and answer["start_ns"] < ticks.intended_ns(answer["tick"]):
        return [f"{name_of(answer)}: started before its tick"]
    return []


def name_of(answer: Json) -> str:
    """The words by which findings name an answer."""
    return f"{answer['phase']} {answer['operation']} {answer['tick']}"


def short(value: Any) -> str:
    """A value as findings show it."""
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
