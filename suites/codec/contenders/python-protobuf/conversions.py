"""From native values to messages and back.

Fields are set one by one, and submessages are added first and filled then: measured with upb,
keywords cost up to twice as much, and a submessage that is passed to a constructor is copied.
"""

from __future__ import annotations

import shapes_pb2 as pb
from codec_harness import T1, T2, Author, Chat, Point, Position, Stroke, Telemetry


def to_t1(value: T1) -> pb.T1:
    """Ten primitives."""
    message = pb.T1()
    message.c = value.c
    message.uc = value.uc
    message.i16 = value.i16
    message.u16 = value.u16
    message.i32 = value.i32
    message.u32 = value.u32
    message.i64 = value.i64
    message.u64 = value.u64
    message.f = value.f
    message.d = value.d
    return message


def from_t1(message: pb.T1) -> T1:
    """Ten primitives."""
    return T1(
        message.c,
        message.uc,
        message.i16,
        message.u16,
        message.i32,
        message.u32,
        message.i64,
        message.u64,
        message.f,
        message.d,
    )


def to_t2(value: T2) -> pb.T2:
    """Eight strings."""
    message = pb.T2()
    message.s1 = value.s1
    message.s2 = value.s2
    message.s3 = value.s3
    message.s4 = value.s4
    message.s5 = value.s5
    message.s6 = value.s6
    message.s7 = value.s7
    message.s8 = value.s8
    return message


def from_t2(message: pb.T2) -> T2:
    """Eight strings."""
    return T2(
        message.s1,
        message.s2,
        message.s3,
        message.s4,
        message.s5,
        message.s6,
        message.s7,
        message.s8,
    )


def to_t3(value: list[int]) -> pb.T3:
    """A list of integers."""
    message = pb.T3()
    message.v.extend(value)
    return message


def from_t3(message: pb.T3) -> list[int]:
    """A list of integers."""
    return list(message.v)


def to_t4(value: list[str]) -> pb.T4:
    """A list of strings."""
    message = pb.T4()
    message.v.extend(value)
    return message


def from_t4(message: pb.T4) -> list[str]:
    """A list of strings."""
    return list(message.v)


def to_t5(value: dict[str, list[int]]) -> pb.T5:
    """A map of lists; an entry comes to be when it is asked for."""
    message = pb.T5()
    entries = message.m
    for key, numbers in value.items():
        entries[key].v.extend(numbers)
    return message


def from_t5(message: pb.T5) -> dict[str, list[int]]:
    """A map of lists."""
    return {key: list(numbers.v) for key, numbers in message.m.items()}


def to_telemetry(value: Telemetry) -> pb.Telemetry:
    """A thousand points."""
    message = pb.Telemetry()
    add = message.points.add
    for point in value.points:
        added = add()
        added.time = point.time
        added.value = point.value
        added.quality = point.quality
    return message


def from_telemetry(message: pb.Telemetry) -> Telemetry:
    """A thousand points."""
    return Telemetry([Point(point.time, point.value, point.quality) for point in message.points])


def to_chat(value: Chat) -> pb.Chat:
    """A message with its author, mentions and strokes."""
    message = pb.Chat()
    message.id = value.id
    message.sent = value.sent
    message.board = value.board
    author, writer = message.author, value.author
    author.id = writer.id
    author.name = writer.name
    author.active = writer.active
    message.text = value.text
    message.mentions.extend(value.mentions)
    add = message.strokes.add
    for stroke in value.strokes:
        _fill_stroke(add(), stroke)
    return message


def _fill_stroke(message: pb.Stroke, stroke: Stroke) -> None:
    message.color = stroke.color
    message.width = stroke.width
    add = message.points.add
    for point in stroke.points:
        added = add()
        added.x = point.x
        added.y = point.y


def from_chat(message: pb.Chat) -> Chat:
    """A message with its author, mentions and strokes."""
    author = message.author
    return Chat(
        message.id,
        message.sent,
        message.board,
        Author(author.id, author.name, author.active),
        message.text,
        list(message.mentions),
        [
            Stroke(
                stroke.color,
                stroke.width,
                [Position(point.x, point.y) for point in stroke.points],
            )
            for stroke in message.strokes
        ],
    )
