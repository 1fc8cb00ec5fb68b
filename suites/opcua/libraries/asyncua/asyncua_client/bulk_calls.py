"""The bulk Read and Write of the suite on asyncua's service interface."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from asyncua import ua

from asyncua_client import tags
from asyncua_client.dialect import ServiceCalls
from wirelab_sdk import ItemError, Outcome, Spec, Status, Turn

_SEQUENCE = {"preflight": 900_000, "measure": 1_000_000}
_UNKNOWN_ITEM = 3
_OF_WRONG_TYPE = ua.DataValue(ua.Variant("not an Int32", ua.VariantType.String))


class Read:
    """One Read of all items, its request's parameters built once and used again.

    `Client.read_values` is the call most would reach for, but it turns an item that is not
    Good into None without a word; the service call returns every item's status.
    """

    def __init__(self, spec: Spec, items: int) -> None:
        nodes = tags.nodes(spec, items)
        self._own = "node_list" in spec.facts.get("server", {})
        if spec.parameter("probe", "read") == "unknown-node":
            nodes[_UNKNOWN_ITEM] = tags.unknown_node_id()
        # By position: versions name these fields in different ways.
        items_to_read = [ua.ReadValueId(node, ua.AttributeIds.Value) for node in nodes]
        self._parameters = ua.ReadParameters(0, ua.TimestampsToReturn.Source, items_to_read)

    async def __call__(self, session: ServiceCalls) -> Outcome:
        results = await self.results(session)
        return outcome_of(results, len(self._parameters.NodesToRead), own=self._own)

    async def results(self, session: ServiceCalls) -> list[ua.DataValue]:
        """The values that the items have at this time, each with its status."""
        return await session.read(self._parameters)


class Write:
    """One Write of all writable items; values are typed when the tick is due."""

    def __init__(self, spec: Spec, items: int) -> None:
        self._tags = tags.writable(items)
        self._wrong_type = spec.parameter("probe", "read") == "wrong-type"
        self._frames = [
            ua.WriteValue(tags.node_id(tag), ua.AttributeIds.Value) for tag in self._tags
        ]

    async def __call__(self, session: ServiceCalls, turn: Turn) -> Outcome:
        sequence = _SEQUENCE[turn.phase] + turn.tick
        values = [tags.value(tag, sequence) for tag in self._tags]
        if self._wrong_type:
            values[0] = _OF_WRONG_TYPE
        items = [replace(frame, Value=v) for frame, v in zip(self._frames, values, strict=True)]
        statuses = await session.write(ua.WriteParameters(NodesToWrite=items))
        bad = [item for item, status in enumerate(statuses) if not status.is_good()]
        errors = _item_errors(bad, [statuses[item] for item in bad])

        def answer() -> dict[str, object]:
            refused = [[error.item, error.status] for error in errors]
            return {"sequence": sequence, "bad": refused}

        complete = len(statuses) == len(self._tags)
        return Outcome(answer, errors, status=Status.OK if complete else Status.WRONG_ANSWER)


def outcome_of(results: Sequence[ua.DataValue], items: int, *, own: bool = False) -> Outcome:
    """Outcome of having got these, every one's status looked at. ``own``: of a server of the
    user's own."""
    bad = [item for item, value in enumerate(results) if not value.StatusCode.is_good()]
    values = [value.Value.Value if value.Value else None for value in results]
    if len(values) != items:
        return Outcome(lambda: {"values": values, "bad": []}, status=Status.WRONG_ANSWER)
    errors = _item_errors(bad, [results[item].StatusCode for item in bad])

    def answer() -> dict[str, object]:
        if own:
            # Of any type, and nobody knows what they have to be.
            valued = sum(value is not None for value in values)
            return {"valued": valued, "bad": [[e.item, e.status] for e in errors]}
        shown = list(values)
        for item in bad:
            shown[item] = None
        return {"values": shown, "bad": [[error.item, error.status] for error in errors]}

    return Outcome(answer, errors)


def _item_errors(items: Sequence[int], codes: Sequence[ua.StatusCode]) -> list[ItemError]:
    return [
        ItemError(item, "StatusCode", code.name, code.doc)
        for item, code in zip(items, codes, strict=True)
    ]
