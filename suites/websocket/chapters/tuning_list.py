"""All tunings, in the order in which reports tell them."""

from __future__ import annotations

from . import tuning_fastapi, tuning_node, tuning_spring

TUNINGS = (
    *tuning_node.WORKERS,
    *tuning_fastapi.FASTAPI,
    *tuning_spring.WEBSOCKET,
    *tuning_spring.STOMP,
    *tuning_node.MESSAGES,
)
