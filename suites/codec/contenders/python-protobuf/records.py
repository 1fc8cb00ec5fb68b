"""Large messages: a blob in the library's own message of bytes, records with their lengths."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import shapes_pb2 as pb
from codec_harness import Codec, Large, Point
from google.protobuf import proto
from google.protobuf.wrappers_pb2 import BytesValue


def _writer(sink: Any) -> Callable[[Any], object]:
    def write(point: Point) -> None:
        message = pb.TelemetryPoint()
        message.time = point.time
        message.value = point.value
        message.quality = point.quality
        proto.serialize_length_prefixed(message, sink)

    return write


def _reader(source: Any) -> Iterator[Point]:
    while (message := proto.parse_length_prefixed(pb.TelemetryPoint, source)) is not None:
        yield Point(message.time, message.value, message.quality)


LARGE = Large(
    blob=Codec(
        lambda data: BytesValue(value=data).SerializeToString(),
        lambda data: BytesValue.FromString(data).value,
    ),
    writer=_writer,
    reader=_reader,
)
