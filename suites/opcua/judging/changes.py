"""Changes learnt, by subscriptions and by polls."""

from __future__ import annotations

from collections.abc import Sequence

from .answers import DueTicks, Json, name_of, short
from .values import TagValues

POLL = "poll"
LEARNT = ("notification", POLL)
"""Operations that end when their caller has the values that the tags took at their tick."""
SOON, FORESEEN, FEWEST = 1 / 3, 0.9, 12
"""A client that polls by a timer of its own finds a third of the changes within a third of the
interval. If its polls fell at random, nine tenths of twelve or more would be so in one of 20,000
trials; the period of the ticks spreads them more evenly than that."""


class LearntChanges:
    """The changes of tags that one trial learnt of."""

    def __init__(self, spec: Json, ticks: DueTicks) -> None:
        self._operations = spec["operations"]
        self._interval_ns = spec["parameters"].get("interval_ns", 0)
        self._drawn = TagValues(spec.get("secret", ""))
        self._ticks = ticks

    def foreseen(self, answers: Sequence[Json]) -> list[str]:
        """Changes that a poll met as they came: whoever polls by a timer does not know of them."""
        took = [
            answer["end_ns"] - self._ticks.intended_ns(answer["tick"])
            for answer in answers
            if (answer["phase"], answer["operation"]) == ("measure", POLL)
        ]
        soon_ns = SOON * self._interval_ns
        soon = sum(one < soon_ns for one in took)
        if len(took) < FEWEST or soon < FORESEEN * len(took):
            return []
        return [
            f"{soon} of {len(took)} changes were known within {soon_ns / 1e6:g} ms, by polls "
            f"every {self._interval_ns / 1e6:g} ms: they were asked for when they came"
        ]

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
