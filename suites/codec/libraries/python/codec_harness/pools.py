"""The values of ``shapes/``, in the form in which a contender takes them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from codec_harness.forms import Fold, Form
from wirelab_sdk import SpecError


@dataclass(frozen=True, slots=True)
class Pool:
    """The instances of one shape and their twins, once as the files say them and once as natives.

    A twin is its instance but for one field.
    """

    shape: str
    neutrals: list[Any]
    natives: list[Any]
    neutral_twins: list[Any]
    twins: list[Any]
    fold: Fold
    neutral: Callable[[Any], Any]
    make: Callable[[Any], Any]
    """A native value of a neutral one."""


def suite_folder() -> Path:
    """The folder that ``CODEC_SUITE`` names; SpecError when it is not set."""
    folder = os.environ.get("CODEC_SUITE")
    if not folder:
        raise SpecError("CODEC_SUITE is not set: it names the folder of the suite")
    return Path(folder)


def load_pool(shape: str, form: Form) -> Pool:
    """The pool of a shape; OSError or ValueError when its file cannot be read."""
    # Natives may be what the file gave, and change: what they are held to is read apart.
    natives, twins = (
        [form.make(shape, value) for value in _instances(name)] for name in (shape, _twins(shape))
    )
    neutrals, neutral_twins = _instances(shape), _instances(_twins(shape))
    fold, make = form.folds[shape], partial(form.make, shape)
    return Pool(shape, neutrals, natives, neutral_twins, twins, fold, form.neutral, make)


def _twins(shape: str) -> str:
    return f"twins/{shape}"


def _instances(name: str) -> list[Any]:
    content = json.loads((suite_folder() / "shapes" / f"{name}.json").read_text("utf-8"))
    return list(content["pool"])
