"""The loads that gates tell apart, and which a scenario has."""

from __future__ import annotations

from enum import StrEnum
from typing import assert_never

from wirelab.model.scenario import Kind, Scenario


class LoadKind(StrEnum):
    """The way operations come about, as far as it decides which gates are asked."""

    PACED = "paced"
    OPEN = "open"
    CLOSED = "closed"
    FAULTS = "faults"
    CEILING = "ceiling"
    MICROBENCHMARK = "microbenchmark"
    INSTRUCTIONS = "instructions"
    """A microbenchmark that counts: what disturbs times changes no count."""

    SYNC_CALLS = "sync-calls"
    """Traced trials, of which a count is told and no time."""

    STACKS = "stacks"
    """Trials that sample the program, of which no time is told."""

    SEARCH = "search"
    """The searches of a capacity. Each probe has been through the gates of its own load, and what
    one of them failed is a part of the search."""


SCHEDULED = frozenset({LoadKind.PACED, LoadKind.OPEN})
ORDINARY = SCHEDULED | {LoadKind.CLOSED}
"""Loads that are compared by their figures: every operation is to succeed."""

MEASURED = ORDINARY | {LoadKind.FAULTS, LoadKind.CEILING, LoadKind.MICROBENCHMARK}
"""All loads that are timed in trials."""

EVERY = frozenset(LoadKind)


def load_of(scenario: Scenario) -> LoadKind:
    """The load of a scenario, by which its gates are chosen."""
    match kind := scenario.kind:
        case Kind.CAPACITY:
            return LoadKind.SEARCH
        case Kind.MICROBENCHMARK:
            counted = scenario.counts_instructions
            return LoadKind.INSTRUCTIONS if counted else LoadKind.MICROBENCHMARK
        case Kind.FAULTS:
            return LoadKind.FAULTS
        case Kind.CEILING:
            return LoadKind.CEILING
        case Kind.SYNC_CALLS:
            return LoadKind.SYNC_CALLS
        case Kind.STACKS:
            return LoadKind.STACKS
        case Kind.LOAD:
            return LoadKind(scenario.played.type)
    assert_never(kind)
