"""The events of the contract, and what is wrong with one."""

from __future__ import annotations

from .contract import Json

# Event -> required and optional fields with their types.
EVENTS: dict[str, tuple[dict[str, type], dict[str, type]]] = {
    "ready": (
        {"contract": int, "monotonic_ns": int, "library": dict, "runtime": dict},
        {"endpoint": str, "facts": dict, "capabilities": list},
    ),
    "progress": ({"records": int}, {}),
    "runtime": (
        {"monotonic_ns": int},
        {"heap_bytes": int, "heap_kind": str, "allocated_bytes": int}
        | {"gc_count": int, "gc_pause_ns": int, "loop_lag_ns": int}
        | {"collections": list, "compilations": list, "untold": int},
    ),
    "step": ({"name": str, "begin_ns": int, "end_ns": int}, {}),
    "error": (
        {"class": str, "status": str, "message": str, "scope": str},
        {"operation": str, "intended_ns": int, "monotonic_ns": int},
    ),
    "served": ({"items": dict}, {"monotonic_ns": int}),
    "done": ({"records": int, "answers": int, "checksum": str}, {}),
}
SCOPES = ("call", "item", "fatal")


def misshapen(event: Json) -> list[str]:
    """Find what is wrong with the fields of an event of a known kind."""
    kind = event["event"]
    required, optional = EVENTS[kind]
    findings = [f"{kind} without {name}" for name in required if name not in event]
    for name, wanted in (required | optional).items():
        value = event.get(name)
        if name in event and (not isinstance(value, wanted) or isinstance(value, bool)):
            findings.append(f"{kind}: {name} must be {wanted.__name__}, found {value!r:.60}")
        elif wanted is int and isinstance(value, int) and value < 0:
            findings.append(f"{kind}: {name} is negative: {value}")
    if kind == "error" and event.get("scope") not in SCOPES:
        findings.append(f"error: scope must be one of {', '.join(SCOPES)}")
    return findings
