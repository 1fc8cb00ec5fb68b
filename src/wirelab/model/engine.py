"""The engine's kinds of load: all that the core knows of them and not of other workers."""

from __future__ import annotations

from typing import NamedTuple


class Load(NamedTuple):
    """The part of a load that the contract leaves to the worker."""

    follows_steps: bool = True
    """It takes the parameters of a step before those of the scenario."""
    waits_in_lanes: bool = False
    """An operation of a lane waits for the one before it, as requests on one connection do."""
    ramps: bool = False
    """Its users can come and go one after the other while others go on."""


_LOADS = {
    "engine:websocket": Load(follows_steps=False),
    "engine:http": Load(waits_in_lanes=True, ramps=True),
}
_OTHER = Load()


def load_by(filler: str) -> Load:
    """Find how the filler of a role plays; only the engine differs from the contract."""
    return _LOADS.get(filler, _OTHER)
