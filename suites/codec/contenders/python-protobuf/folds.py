"""The suite's folds over messages, through their own accessors.

Messages have the attributes of the native objects, and the harness's folds read attributes:
only the shapes that are a bare list or map there are a message with one field here.
"""

from __future__ import annotations

import shapes_pb2 as pb
from codec_harness import folds_of_objects, folds_of_plain

of_t1 = folds_of_objects.of_t1
of_t2 = folds_of_objects.of_t2
of_telemetry = folds_of_objects.of_telemetry
of_chat = folds_of_objects.of_chat


def of_t3(message: pb.T3) -> int:
    """A list of integers."""
    return folds_of_plain.of_t3(message.v)


def of_t4(message: pb.T4) -> int:
    """A list of strings."""
    return folds_of_plain.of_t4(message.v)


def of_t5(message: pb.T5) -> int:
    """A map of lists."""
    entries = message.m
    total = 101 * len(entries)
    for key, numbers in entries.items():
        total += 3 * folds_of_plain.of_string(key)
        weight = 5
        for number in numbers.v:
            total += weight * number
            weight += 10
    return total
