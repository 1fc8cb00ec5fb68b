"""The record of ``evolution``: dictionaries to messages of a version and back.

A field that may be left out and is not there is None; an enumeration is its number.
"""

from __future__ import annotations

from typing import Any

import evolution_pb2 as pb
from codec_harness import MessageCodec

_PREFIXES = {"Enumeration": "WIDER_LEVEL_"}


def version_codec(version: str) -> MessageCodec:
    """Make the codec of a version of the record."""
    message = getattr(pb, version.capitalize())
    prefix = _PREFIXES.get(message.__name__, "LEVEL_")

    def to_message(value: dict[str, Any]) -> Any:
        return message(**{**value, "level": f"{prefix}{value['level'].upper()}"})

    return MessageCodec(
        to_message, message.SerializeToString, message.FromString, _from_message, fold=hash
    )


def _from_message(message: Any) -> dict[str, Any]:
    return {field.name: _value(message, field) for field in message.DESCRIPTOR.fields}


def _value(message: Any, field: Any) -> Any:
    if field.has_presence and not message.HasField(field.name):
        return None
    return getattr(message, field.name)
