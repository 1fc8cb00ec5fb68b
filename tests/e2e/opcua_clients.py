"""Clients of OPC UA by how much of the suite they go through end to end, and what each sees."""

from __future__ import annotations

from typing import Any

from e2e.building import REPOSITORY
from wirelab.model.capacity import CapacityFound

SUITE = REPOSITORY / "suites" / "opcua"

FURTHER = {
    "async-opcua": "Rust",
    "asyncua-1-1": "Python",
    "gopcua": "Go",
    "milo-0-6": "Java",
    "milo-c2": "Java",
    "node-opcua": "JavaScript",
}
"""Contenders that go through few scenarios, each with its language."""

WAYS = {"subscribed": "notification", "polled": "poll"}
"""Variants of the scenario subscriptions, with the operation of each."""

CERTIFICATES = {
    "trusted": "ok",
    "client-untrusted": "error",
    "client-expired": "error",
    "server-untrusted": "error",
    "server-expired": "error",
}
"""Defects of certificates, each with the client's view when it connected."""

OUTCOMES = {
    "server-down": "error",
    "unknown-node": "item-error",
    "wrong-type": "item-error",
    "request-timeout": "recovered",
    "session-expired": "recovered",
    "server-restart": "recovered",
}
"""Fault: what its caller saw."""


def found_or_told(cell: dict[str, Any]) -> bool:
    """Whether a search found a load that holds, or says at every load what did not hold."""
    [search] = CapacityFound.model_validate(cell["remarks"]["capacity"]).searches
    assert search.probes, cell["id"]
    # Whether a load holds is up to the machine; that answers were right is not.
    assert "wrong-answer" not in {probe.reason for probe in search.probes}, cell["id"]
    if search.verified is None:
        return all(probe.outcome != "held" and probe.reason for probe in search.probes)
    return any((probe.load, probe.outcome) == (search.verified, "held") for probe in search.probes)
