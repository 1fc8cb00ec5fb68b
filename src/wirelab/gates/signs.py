"""Signs that a load generator was at its limit: found in a trial, and in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from wirelab.gates.facts import OperationFacts, TrialFacts
from wirelab.model.scenario import Scenario
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

BUSY = 0.80
"""Share of its processors from which on a generator queues its own work (Hyperfoil's watchdog
stops a run at the same share)."""

DELAY = 0.01
"""Share of quiet time in which it was runnable but had no processor, beyond what it waits beside a
null server at the same load."""

HELD_UP = 0.01
"""Share of the requests' time that it took outside of the wire by its own waits. Where the witness
saw the requests this is what such a wait has done, and a wait that did less is none."""

LAG_MS = 10.0
"""p99 of start - intended: sends of an open model wait for nobody, so lateness of this size can
only come from a generator that did not run, however little processor time it seems to use (a
quota or a stopped process leaves no trace in its CPU figures). Where requests of a lane wait for
each other, what a slow server made them wait is left out."""

Sign = Literal["cpu_share", "delay_share", "held_up", "lag_p99_ms"]

_IN_WORDS: Mapping[str, str] = {
    "cpu_share": N_("its CPU was {value} of what it can use"),
    "delay_share": N_("it waited for a processor {value} of the time"),
    "held_up": N_("by the wire, its waits for a processor made {value} of the requests' time"),
    "lag_p99_ms": N_("p99 of its send lag was {value}"),
}


def signs_of(
    trial: TrialFacts, scenario: Scenario, cpus_of_host: int | None, null_delay: float = 0.0
) -> dict[Sign, float]:
    """Signs that the measured role of a trial was at its limit; none when it was not.

    ``null_delay`` is what it waits for a processor beside a server that does next to nothing:
    threads that wake each other wait a little, however many processors there are.
    """
    signs: dict[Sign, float] = {}
    role = scenario.measured_role
    use = trial.roles.get(role)
    if use is not None:
        cpus = trial.record.pinned(role) or cpus_of_host or 1
        if use.cpu_cores / cpus > BUSY:
            signs["cpu_share"] = use.cpu_cores / cpus
        if (delay := use.delay_share - null_delay) > DELAY:
            signs |= _of_a_wait(trial, delay)
    lags = [lag for f in trial.operations.values() if (lag := _lag_ms(f)) is not None]
    if lags and max(lags) > LAG_MS:
        signs["lag_p99_ms"] = max(lags)
    return signs


def _of_a_wait(trial: TrialFacts, delay: float) -> dict[Sign, float]:
    """Sign of a wait for a processor: its effect, or where nobody saw that, its share."""
    seen = [facts.held_up for facts in trial.wire.values() if facts.is_complete]
    known = [share for share in seen if share is not None]
    if not known:
        return {"delay_share": delay}
    return {"held_up": max(known)} if max(known) > HELD_UP else {}


def _lag_ms(facts: OperationFacts) -> float | None:
    own = facts.own_delay_p99_ms
    return facts.delay_p99_ms if own is None else own


def signs_in_words(signs: Mapping[Sign, float] | Mapping[str, float], words: Words) -> list[str]:
    """Say what shows that a generator was at its limit, sign by sign."""
    return [
        words.gettext(_IN_WORDS[sign]).format(
            value=numbers.milliseconds(value)
            if sign.endswith("_ms")
            else numbers.percent(value, digits=3)
        )
        if sign in _IN_WORDS
        else f"{sign.replace('_', ' ')} {numbers.plain(value)}"
        for sign, value in signs.items()
    ]
