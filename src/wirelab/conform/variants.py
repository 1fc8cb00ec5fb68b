"""The variant of a scenario that a worker is checked under, and the faults in it."""

from __future__ import annotations

from .contract import Json
from .worker import CannotCheckError

_BEFORE_CLIENT = "before-client"


def chosen_variant(scenario: Json, asked: str) -> str:
    """``asked``, or the first variant that breaks nothing; empty for a scenario without any.

    A variant breaks nothing when it has no faults and connects before ``ready``, so that every
    operation of it can be performed at every tick.
    """
    variants = scenario.get("variants", {})
    if asked and asked not in variants:
        known = ", ".join(variants) or "none"
        raise CannotCheckError(f"the scenario has no variant {asked}, known: {known}")
    if asked or not variants:
        return asked
    for name, variant in variants.items():
        parameters = {**scenario.get("parameters", {}), **variant.get("parameters", {})}
        if not variant.get("faults") and parameters.get("connect", "before") == "before":
            return str(name)
    known = ", ".join(variants)
    raise CannotCheckError(f"every variant breaks something: say --variant, one of {known}")


def killed_before(variant: Json) -> frozenset[str]:
    """Roles that are dead when the measured one starts."""
    return frozenset(fault["role"] for fault in variant.get("faults", []) if _kills_before(fault))


def other_faults(variant: Json) -> tuple[str, ...]:
    """The faults that only the core plays, in words."""
    faults = [fault for fault in variant.get("faults", []) if not _kills_before(fault)]
    return tuple(f"{fault['action']} {fault['role']} at {fault['at']}" for fault in faults)


def _kills_before(fault: Json) -> bool:
    return (fault["at"], fault["action"]) == (_BEFORE_CLIENT, "kill")
