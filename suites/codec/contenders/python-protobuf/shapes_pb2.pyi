from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class T1(_message.Message):
    __slots__ = ("c", "uc", "i16", "u16", "i32", "u32", "i64", "u64", "f", "d")
    C_FIELD_NUMBER: _ClassVar[int]
    UC_FIELD_NUMBER: _ClassVar[int]
    I16_FIELD_NUMBER: _ClassVar[int]
    U16_FIELD_NUMBER: _ClassVar[int]
    I32_FIELD_NUMBER: _ClassVar[int]
    U32_FIELD_NUMBER: _ClassVar[int]
    I64_FIELD_NUMBER: _ClassVar[int]
    U64_FIELD_NUMBER: _ClassVar[int]
    F_FIELD_NUMBER: _ClassVar[int]
    D_FIELD_NUMBER: _ClassVar[int]
    c: int
    uc: int
    i16: int
    u16: int
    i32: int
    u32: int
    i64: int
    u64: int
    f: float
    d: float
    def __init__(self, c: _Optional[int] = ..., uc: _Optional[int] = ..., i16: _Optional[int] = ..., u16: _Optional[int] = ..., i32: _Optional[int] = ..., u32: _Optional[int] = ..., i64: _Optional[int] = ..., u64: _Optional[int] = ..., f: _Optional[float] = ..., d: _Optional[float] = ...) -> None: ...

class T2(_message.Message):
    __slots__ = ("s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8")
    S1_FIELD_NUMBER: _ClassVar[int]
    S2_FIELD_NUMBER: _ClassVar[int]
    S3_FIELD_NUMBER: _ClassVar[int]
    S4_FIELD_NUMBER: _ClassVar[int]
    S5_FIELD_NUMBER: _ClassVar[int]
    S6_FIELD_NUMBER: _ClassVar[int]
    S7_FIELD_NUMBER: _ClassVar[int]
    S8_FIELD_NUMBER: _ClassVar[int]
    s1: str
    s2: str
    s3: str
    s4: str
    s5: str
    s6: str
    s7: str
    s8: str
    def __init__(self, s1: _Optional[str] = ..., s2: _Optional[str] = ..., s3: _Optional[str] = ..., s4: _Optional[str] = ..., s5: _Optional[str] = ..., s6: _Optional[str] = ..., s7: _Optional[str] = ..., s8: _Optional[str] = ...) -> None: ...

class T3(_message.Message):
    __slots__ = ("v",)
    V_FIELD_NUMBER: _ClassVar[int]
    v: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, v: _Optional[_Iterable[int]] = ...) -> None: ...

class T4(_message.Message):
    __slots__ = ("v",)
    V_FIELD_NUMBER: _ClassVar[int]
    v: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, v: _Optional[_Iterable[str]] = ...) -> None: ...

class IntList(_message.Message):
    __slots__ = ("v",)
    V_FIELD_NUMBER: _ClassVar[int]
    v: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, v: _Optional[_Iterable[int]] = ...) -> None: ...

class T5(_message.Message):
    __slots__ = ("m",)
    class MEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: IntList
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[IntList, _Mapping]] = ...) -> None: ...
    M_FIELD_NUMBER: _ClassVar[int]
    m: _containers.MessageMap[str, IntList]
    def __init__(self, m: _Optional[_Mapping[str, IntList]] = ...) -> None: ...

class TelemetryPoint(_message.Message):
    __slots__ = ("time", "value", "quality")
    TIME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    QUALITY_FIELD_NUMBER: _ClassVar[int]
    time: int
    value: float
    quality: int
    def __init__(self, time: _Optional[int] = ..., value: _Optional[float] = ..., quality: _Optional[int] = ...) -> None: ...

class Telemetry(_message.Message):
    __slots__ = ("points",)
    POINTS_FIELD_NUMBER: _ClassVar[int]
    points: _containers.RepeatedCompositeFieldContainer[TelemetryPoint]
    def __init__(self, points: _Optional[_Iterable[_Union[TelemetryPoint, _Mapping]]] = ...) -> None: ...

class Author(_message.Message):
    __slots__ = ("id", "name", "active")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ACTIVE_FIELD_NUMBER: _ClassVar[int]
    id: int
    name: str
    active: bool
    def __init__(self, id: _Optional[int] = ..., name: _Optional[str] = ..., active: _Optional[bool] = ...) -> None: ...

class Position(_message.Message):
    __slots__ = ("x", "y")
    X_FIELD_NUMBER: _ClassVar[int]
    Y_FIELD_NUMBER: _ClassVar[int]
    x: int
    y: int
    def __init__(self, x: _Optional[int] = ..., y: _Optional[int] = ...) -> None: ...

class Stroke(_message.Message):
    __slots__ = ("color", "width", "points")
    COLOR_FIELD_NUMBER: _ClassVar[int]
    WIDTH_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    color: str
    width: float
    points: _containers.RepeatedCompositeFieldContainer[Position]
    def __init__(self, color: _Optional[str] = ..., width: _Optional[float] = ..., points: _Optional[_Iterable[_Union[Position, _Mapping]]] = ...) -> None: ...

class Chat(_message.Message):
    __slots__ = ("id", "sent", "board", "author", "text", "mentions", "strokes")
    ID_FIELD_NUMBER: _ClassVar[int]
    SENT_FIELD_NUMBER: _ClassVar[int]
    BOARD_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    MENTIONS_FIELD_NUMBER: _ClassVar[int]
    STROKES_FIELD_NUMBER: _ClassVar[int]
    id: str
    sent: int
    board: str
    author: Author
    text: str
    mentions: _containers.RepeatedScalarFieldContainer[str]
    strokes: _containers.RepeatedCompositeFieldContainer[Stroke]
    def __init__(self, id: _Optional[str] = ..., sent: _Optional[int] = ..., board: _Optional[str] = ..., author: _Optional[_Union[Author, _Mapping]] = ..., text: _Optional[str] = ..., mentions: _Optional[_Iterable[str]] = ..., strokes: _Optional[_Iterable[_Union[Stroke, _Mapping]]] = ...) -> None: ...
