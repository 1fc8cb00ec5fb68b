"""The codec of every shape: conversion here, encoding and decoding by the generated classes.

``FromString`` and ``SerializeToString`` are the library's own, called without anything between.
"""

from __future__ import annotations

from typing import Any

import conversions
import folds
import shapes_pb2 as pb
from codec_harness import MessageCodec


def _codec(message: Any, to_message: Any, from_message: Any, fold: Any) -> MessageCodec:
    return MessageCodec(
        to_message=to_message,
        encode=message.SerializeToString,
        decode=message.FromString,
        from_message=from_message,
        fold=fold,
    )


CODECS: dict[str, MessageCodec] = {
    "T1": _codec(pb.T1, conversions.to_t1, conversions.from_t1, folds.of_t1),
    "T2": _codec(pb.T2, conversions.to_t2, conversions.from_t2, folds.of_t2),
    "T3": _codec(pb.T3, conversions.to_t3, conversions.from_t3, folds.of_t3),
    "T4": _codec(pb.T4, conversions.to_t4, conversions.from_t4, folds.of_t4),
    "T5": _codec(pb.T5, conversions.to_t5, conversions.from_t5, folds.of_t5),
    "telemetry": _codec(
        pb.Telemetry,
        conversions.to_telemetry,
        conversions.from_telemetry,
        folds.of_telemetry,
    ),
    "chat": _codec(pb.Chat, conversions.to_chat, conversions.from_chat, folds.of_chat),
}
