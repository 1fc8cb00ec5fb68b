"""Metrics of what the witness of the wire saw of an operation."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from wirelab.cells.estimate import Estimate
from wirelab.cells.figures import of_trials, share
from wirelab.cells.measured import MeasuredTrial
from wirelab.cells.split import Ints
from wirelab.gates.facts import WireFacts

Trials = Sequence[MeasuredTrial]

_NOTHING_SEEN = WireFacts()


def was_seen(name: str, trials: Trials) -> bool:
    """Whether any operation of a cell was seen on the wire."""
    return any(facts.seen for facts in _facts(name, trials))


def wire_metrics(name: str, trials: Trials) -> dict[str, Estimate]:
    """Metrics of the number that was seen, and of what each of them moved."""
    facts = _facts(name, trials)
    return {
        f"{name}.wire.matched": share(
            [one.seen for one in facts], [one.spoken_of + one.unseen for one in facts]
        ),
        f"{name}.wire.bytes": of_trials([_each(one.size, one) for one in facts]),
        f"{name}.wire.packets": of_trials([_each(one.packets, one) for one in facts]),
    }


def traffic_metrics(trials: Trials) -> dict[str, Estimate]:
    """Metrics of everything between the roles, and of what each connection had of it."""
    seen = [trial.traffic for trial in trials]
    each = [one.of_connections if one else () for one in seen]
    return {
        "wire.traffic": of_trials([one.bytes_per_second / 1e3 if one else None for one in seen]),
        "wire.packets": of_trials([one.packets_per_second if one else None for one in seen]),
        "wire.connections": of_trials([float(len(own)) or None for own in each]),
        "wire.connection.least": of_trials([own[0] / 1e3 if own else None for own in each]),
        "wire.connection.median": of_trials([median(own) / 1e3 if own else None for own in each]),
        "wire.connection.most": of_trials([own[-1] / 1e3 if own else None for own in each]),
    }


def whole_ones(name: str, trials: Trials) -> list[Ints]:
    """The parts of each operation that nothing disturbed, by trial."""
    return [trial.wire[name].times.whole(trial.disturbed) for trial in trials if name in trial.wire]


def _facts(name: str, trials: Trials) -> list[WireFacts]:
    return [trial.facts.wire.get(name, _NOTHING_SEEN) for trial in trials]


def _each(amount: int, facts: WireFacts) -> float | None:
    return amount / facts.seen if facts.seen else None
