"""Changes learnt, by subscriptions and by polls."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .answers import DueTicks, Json, name_of, short
from .values import TagValues

POLL = "poll"
LEARNT = ("notification", POLL)
"""Operations that end when their caller has the values that the tags took at their tick."""
BY_CHANCE = 1 / 20_000
"""Trials of which one would be accused if its changes fell at random into the intervals. The period
of the ticks spreads them more evenly than that."""


class LearntChanges:
    """The changes of tags that one trial learnt of."""

    def __init__(self, spec: Json, ticks: DueTicks) -> None:
        self._operations = spec["operations"]
        self._interval_ns = spec["parameters"].get("interval_ns", 0)
        self._drawn = TagValues(spec.get("secret", ""))
        self._ticks = ticks

    def foreseen(self, answers: Sequence[Json]) -> list[str]:
        """Changes that a poll or a publishing met as they came: what comes by a timer does not know
        of them, so that no larger share of them is known within a part of the interval than that
        part is. How far it may be ahead by chance is the bound of Dvoretzky, Kiefer and Wolfowitz
        in the form of Massart (1990), on one side.
        """
        learnt = [
            (answer["tick"], answer["end_ns"] - self._ticks.intended_ns(answer["tick"]))
            for answer in answers
            if answer["phase"] == "measure" and answer["operation"] in LEARNT
        ]
        if not learnt or not self._interval_ns:
            return []
        took = sorted(one for _, one in learnt)
        most, within_ns, number = max(
            (number / len(took) - one / self._interval_ns, one, number)
            for number, one in enumerate(took, 1)
        )
        by_chance = math.sqrt(-math.log(BY_CHANCE) / (2 * len(took)))
        if most <= max(by_chance, self._ahead_by_itself([tick for tick, _ in learnt])):
            return []
        return [
            f"{number} of {len(took)} changes were known within {within_ns / 1e6:.1f} ms, by a "
            f"timer of {self._interval_ns / 1e6:g} ms: it was set by when they come"
        ]

    def _ahead_by_itself(self, ticks: Sequence[int]) -> float:
        """Compute the most that a timer of exactly this interval may be ahead, wherever it begins:
        where the period is nearly a multiple of it, all changes come at one part of it.
        """
        interval_ns, count = self._interval_ns, len(ticks)
        parts = sorted(-tick * self._ticks.period_ns % interval_ns for tick in ticks)
        around = [*parts, *(one + interval_ns for one in parts)]
        return float(
            max(
                (after + 1) / count - (around[first + after] - around[first]) / interval_ns
                for first in range(count)
                for after in range(count)
            )
        )

    def check(self, answer: Json) -> list[str]:
        """All tags have the values that they took at the tick, and in the preflight those from
        before the first one. What took until later ticks may have met their changes.
        """
        name, values = name_of(answer), answer["answer"]["values"]
        items = self._operations[answer["operation"]]["items"]
        if len(values) != items:
            return [f"{name}: {len(values)} values, expected {items}"]
        if bad := answer["answer"]["bad"]:
            return [f"{name}: items not Good: {short(bad)}"]
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
            return [f"{name}: tag {tag} is {short(values[tag])}, a value it never has"]
        if found == change:
            return [f"{name}: {len(wrong)} values are not those that the tags took at its tick"]
        what = "one was missed" if found > change else "they are old"
        return [f"{name}: values of change {found - 1}, expected those of {change - 1}: {what}"]

    def _changes_until(self, answer: Json) -> int:
        """Changes that there had been when an operation of the schedule ended."""
        if answer["phase"] != "measure":
            return 0
        elapsed: int = answer["end_ns"] - self._ticks.intended_ns(0)
        # The server goes on after the last tick, and whoever comes late sees that.
        return elapsed // self._ticks.period_ns + 1
