"""The values of ``shapes/``, in the form in which a contender takes them."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codec_harness.forms import Fold, Form
from wirelab_sdk import SpecError


@dataclass(frozen=True, slots=True)
class Pool:
    """The instances of one shape, once as the file says them and once as natives."""

    shape: str
    neutrals: list[Any]
    natives: list[Any]
    fold: Fold


def suite_folder() -> Path:
    """The folder that ``CODEC_SUITE`` names; SpecError when it is not set."""
    folder = os.environ.get("CODEC_SUITE")
    if not folder:
        raise SpecError("CODEC_SUITE is not set: it names the folder of the suite")
    return Path(folder)


def load_pool(shape: str, form: Form) -> Pool:
    """The pool of a shape; OSError or ValueError when its file cannot be read."""
    content = json.loads((suite_folder() / "shapes" / f"{shape}.json").read_text("utf-8"))
    neutrals = list(content["pool"])
    natives = [form.make(shape, value) for value in neutrals]
    return Pool(shape, neutrals, natives, form.folds[shape])
