"""The two forms of native values, mappings and objects: made from the pools, folded, written."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from codec_harness import folds_of_mappings, folds_of_objects, natives

Fold = Callable[[Any], int]


@dataclass(frozen=True, slots=True)
class Classes:
    """The classes of objects; their constructors take the fields as keywords."""

    t1: Callable[..., Any]
    t2: Callable[..., Any]
    telemetry: Callable[..., Any]
    point: Callable[..., Any]
    chat: Callable[..., Any]
    author: Callable[..., Any]
    stroke: Callable[..., Any]
    position: Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Form:
    """Form in which a library's user holds values.

    ``make`` takes a shape and its value from the pool; ``folds`` has a fold by shape;
    ``neutral`` turns anything a decoder returned into what JSON can say.
    """

    make: Callable[[str, Any], Any]
    folds: Mapping[str, Fold]
    neutral: Callable[[Any], Any]


def objects(classes: Classes) -> Form:
    """Objects of these classes, with attributes."""

    def make(shape: str, value: Any) -> Any:
        return _object(classes, shape, value)

    return Form(make, folds_of_objects.FOLDS, _neutral)


def _object(classes: Classes, shape: str, value: Any) -> Any:
    if shape == "T1":
        return classes.t1(**value)
    if shape == "T2":
        return classes.t2(**value)
    if shape == "telemetry":
        return classes.telemetry(points=[classes.point(**point) for point in value["points"]])
    if shape == "chat":
        strokes = [
            classes.stroke(
                color=stroke["color"],
                width=stroke["width"],
                points=[classes.position(**point) for point in stroke["points"]],
            )
            for stroke in value["strokes"]
        ]
        author = classes.author(**value["author"])
        return classes.chat(**{**value, "author": author, "strokes": strokes})
    return value


def _neutral(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)  # JSON has no word for it
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {
            key if isinstance(key, str) else repr(key): _neutral(one) for key, one in value.items()
        }
    if isinstance(value, list | tuple):
        return [_neutral(one) for one in value]
    if names := field_names(value):
        return {name: _neutral(getattr(value, name)) for name in names}
    return repr(value)


def field_names(value: Any) -> tuple[str, ...]:
    """Names of the fields of a dataclass, or of a class that keeps them in a tuple (msgspec)."""
    for attribute in ("__dataclass_fields__", "__struct_fields__"):
        if fields := getattr(value, attribute, ()):
            return tuple(fields)
    return ()


MAPPINGS = Form(lambda _shape, value: value, folds_of_mappings.FOLDS, _neutral)
"""Dictionaries and lists, as libraries without a schema take and give them."""

DATACLASSES = objects(
    Classes(
        t1=natives.T1,
        t2=natives.T2,
        telemetry=natives.Telemetry,
        point=natives.Point,
        chat=natives.Chat,
        author=natives.Author,
        stroke=natives.Stroke,
        position=natives.Position,
    )
)
