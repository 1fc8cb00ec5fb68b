"""The tags of the neutral server, as the suite's README defines them, in asyncua's types."""

from __future__ import annotations

from pathlib import Path

from asyncua import ua

from wirelab_sdk import Spec

_NAMESPACE = 1
_FIRST_DOUBLE = 1000
_FIRST_STRING = 1800
_WRITABLE_EVERY = 10


def node_id(tag: int) -> ua.NodeId:
    """The NodeId of tag number ``tag``."""
    return ua.NodeId(f"T{tag:04d}", _NAMESPACE)


def nodes(spec: Spec, count: int) -> list[ua.NodeId]:
    """The nodes of the user's own server, which its stand-in has listed; else ``count`` tags."""
    listed = spec.facts.get("server", {}).get("node_list")
    if listed is None:
        return [node_id(tag) for tag in range(count)]
    return [ua.NodeId.from_string(line) for line in Path(listed).read_text("utf-8").splitlines()]


def unknown_node_id() -> ua.NodeId:
    """A NodeId that the server does not have."""
    return ua.NodeId("no-such-tag", _NAMESPACE)


def writable(count: int) -> list[int]:
    """The first ``count`` tags that the scenarios write."""
    return list(range(0, count * _WRITABLE_EVERY, _WRITABLE_EVERY))


def value(tag: int, sequence: int) -> ua.DataValue:
    """Value that write number ``sequence`` puts into ``tag``."""
    x = (tag * 7919 + sequence * 104729) % 2**31
    if tag < _FIRST_DOUBLE:
        return ua.DataValue(ua.Variant(x, ua.VariantType.Int32))
    if tag < _FIRST_STRING:
        return ua.DataValue(ua.Variant(x / 1000.0, ua.VariantType.Double))
    return ua.DataValue(ua.Variant(f"tag{tag:04d}-{x:010d}", ua.VariantType.String))
