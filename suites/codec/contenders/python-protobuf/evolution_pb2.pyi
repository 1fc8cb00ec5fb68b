from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Level(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LEVEL_NONE: _ClassVar[Level]
    LEVEL_LOW: _ClassVar[Level]
    LEVEL_HIGH: _ClassVar[Level]

class WiderLevel(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WIDER_LEVEL_NONE: _ClassVar[WiderLevel]
    WIDER_LEVEL_LOW: _ClassVar[WiderLevel]
    WIDER_LEVEL_HIGH: _ClassVar[WiderLevel]
    WIDER_LEVEL_CRITICAL: _ClassVar[WiderLevel]
LEVEL_NONE: Level
LEVEL_LOW: Level
LEVEL_HIGH: Level
WIDER_LEVEL_NONE: WiderLevel
WIDER_LEVEL_LOW: WiderLevel
WIDER_LEVEL_HIGH: WiderLevel
WIDER_LEVEL_CRITICAL: WiderLevel

class Base(_message.Message):
    __slots__ = ("sensor", "name", "note", "count", "level")
    SENSOR_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    sensor: int
    name: str
    note: str
    count: int
    level: Level
    def __init__(self, sensor: _Optional[int] = ..., name: _Optional[str] = ..., note: _Optional[str] = ..., count: _Optional[int] = ..., level: _Optional[_Union[Level, str]] = ...) -> None: ...

class Added(_message.Message):
    __slots__ = ("sensor", "name", "note", "count", "level", "unit")
    SENSOR_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    sensor: int
    name: str
    note: str
    count: int
    level: Level
    unit: str
    def __init__(self, sensor: _Optional[int] = ..., name: _Optional[str] = ..., note: _Optional[str] = ..., count: _Optional[int] = ..., level: _Optional[_Union[Level, str]] = ..., unit: _Optional[str] = ...) -> None: ...

class Removed(_message.Message):
    __slots__ = ("sensor", "name", "count", "level")
    SENSOR_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    sensor: int
    name: str
    count: int
    level: Level
    def __init__(self, sensor: _Optional[int] = ..., name: _Optional[str] = ..., count: _Optional[int] = ..., level: _Optional[_Union[Level, str]] = ...) -> None: ...

class Reordered(_message.Message):
    __slots__ = ("count", "name", "note", "sensor", "level")
    COUNT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    SENSOR_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    count: int
    name: str
    note: str
    sensor: int
    level: Level
    def __init__(self, count: _Optional[int] = ..., name: _Optional[str] = ..., note: _Optional[str] = ..., sensor: _Optional[int] = ..., level: _Optional[_Union[Level, str]] = ...) -> None: ...

class Renamed(_message.Message):
    __slots__ = ("sensor", "title", "note", "count", "level")
    SENSOR_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    sensor: int
    title: str
    note: str
    count: int
    level: Level
    def __init__(self, sensor: _Optional[int] = ..., title: _Optional[str] = ..., note: _Optional[str] = ..., count: _Optional[int] = ..., level: _Optional[_Union[Level, str]] = ...) -> None: ...

class Widened(_message.Message):
    __slots__ = ("sensor", "name", "note", "count", "level")
    SENSOR_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    sensor: int
    name: str
    note: str
    count: int
    level: Level
    def __init__(self, sensor: _Optional[int] = ..., name: _Optional[str] = ..., note: _Optional[str] = ..., count: _Optional[int] = ..., level: _Optional[_Union[Level, str]] = ...) -> None: ...

class Retyped(_message.Message):
    __slots__ = ("sensor", "name", "note", "count", "level")
    SENSOR_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    sensor: int
    name: str
    note: str
    count: str
    level: Level
    def __init__(self, sensor: _Optional[int] = ..., name: _Optional[str] = ..., note: _Optional[str] = ..., count: _Optional[str] = ..., level: _Optional[_Union[Level, str]] = ...) -> None: ...

class Enumeration(_message.Message):
    __slots__ = ("sensor", "name", "note", "count", "level")
    SENSOR_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    sensor: int
    name: str
    note: str
    count: int
    level: WiderLevel
    def __init__(self, sensor: _Optional[int] = ..., name: _Optional[str] = ..., note: _Optional[str] = ..., count: _Optional[int] = ..., level: _Optional[_Union[WiderLevel, str]] = ...) -> None: ...

class Required(_message.Message):
    __slots__ = ("sensor", "name", "note", "count", "level", "zone")
    SENSOR_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    ZONE_FIELD_NUMBER: _ClassVar[int]
    sensor: int
    name: str
    note: str
    count: int
    level: Level
    zone: str
    def __init__(self, sensor: _Optional[int] = ..., name: _Optional[str] = ..., note: _Optional[str] = ..., count: _Optional[int] = ..., level: _Optional[_Union[Level, str]] = ..., zone: _Optional[str] = ...) -> None: ...
