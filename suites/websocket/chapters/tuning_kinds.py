"""A tuning of one server: how it works, where it could matter, and how it is proved."""

from __future__ import annotations

from dataclasses import dataclass

SCENARIO = "tuning"
ONE, FOUR = "one", "four"
"""Workers, in the names of contenders."""


@dataclass(frozen=True)
class Tuning:
    """A change of a server: who has it, how it works, where it could matter, and the proof."""

    key: str
    title: str
    untuned: str
    tuned: tuple[str, ...]
    mechanism: str
    matters: str
    proof: str
    more: tuple[str, ...] = ()


REDIS = ("cpu.mean", "redis.cpu.mean", "redis.rss.max")
"""Figures beside those of each tuning, where Redis is part of it."""
