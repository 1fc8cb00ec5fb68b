"""The multi-gets that clients ask for; ``README.md`` of the suite defines them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kv_harness.client import Key
from kv_harness.data import mix
from wirelab_sdk import Spec, SpecError, Step

MULTI_GETS = 64
_U64 = 0xFFFF_FFFF_FFFF_FFFF


class MultiGetSettings(NamedTuple):
    """Settings that all multi-gets of a step share."""

    chosen: int
    """Number of the set."""
    keys: int
    universe: int
    repeated: bool
    """Whether all keys of a multi-get are its first one."""


def asked(spec: Spec, step: Step) -> MultiGetSettings:
    """Read the settings of ``step``; SpecError when its parameters are not as the README says."""
    keys_are = spec.parameter("keys_are", "drawn", step)
    if keys_are not in {"drawn", "repeated"}:
        raise SpecError(f"keys_are must be drawn or repeated, found {keys_are!r}")
    return MultiGetSettings(
        chosen=spec.parameter("set", 1, step),
        keys=spec.parameter("keys", 50, step),
        universe=spec.parameter("universe", 10_000, step),
        repeated=keys_are == "repeated",
    )


def number(tick: int, lane: int) -> int:
    """Number of the multi-get that a lane asks for at a tick."""
    return mix(tick << 16 | lane) % MULTI_GETS


def keys_of(seed: int, what: MultiGetSettings, multi_get: int) -> list[Key]:
    """The keys of multi-get ``multi_get`` (0 to 63), in order; some of them repeat."""
    base = mix(mix(seed & _U64) ^ (what.chosen << 48 | what.keys << 32 | multi_get))
    places = np.arange(1 if what.repeated else what.keys, dtype=np.uint64)
    drawn = mix(np.uint64(base) + places) % what.universe
    keys = [(what.chosen, f"k{key}") for key in drawn.tolist()]
    return keys * what.keys if what.repeated else keys
