"""Clients of OPC UA by how much of the suite they go through end to end."""

from __future__ import annotations

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
