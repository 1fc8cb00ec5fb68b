"""JSON Schemas of the public formats, generated from the models.

``suite``, ``contender`` and ``library`` describe what people write; ``run``, ``trial``,
``result`` and ``series`` what wirelab writes. ``python -m wirelab.schema`` writes them anew.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from wirelab.model.contender import Contender, Library
from wirelab.model.result import Result, Series
from wirelab.model.run import Run
from wirelab.model.suite import Suite
from wirelab.model.trial import TrialRecord
from wirelab.model.units import Text, parse_duration, parse_size

MANIFESTS: dict[str, type[BaseModel]] = {
    "suite": Suite,
    "contender": Contender,
    "library": Library,
}
RESULTS: dict[str, type[BaseModel]] = {
    "run": Run,
    "trial": TrialRecord,
    "result": Result,
    "series": Series,
}

_DURATION: JsonSchemaValue = {
    "title": "a duration",
    "type": ["string", "integer"],
    "pattern": r"^\s*\d+(\.\d+)?\s*(ns|us|ms|s|min)\s*$",
    "examples": ["100ms", "1.5s", "2min"],
}

_SIZE: JsonSchemaValue = {
    "title": "a size",
    "type": ["string", "integer"],
    "pattern": r"^\s*\d{1,7}(\.\d+)?\s*(KiB|MiB|GiB)\s*$",
    "examples": ["128MiB", "4GiB"],
}


class _Generator(GenerateJsonSchema):
    """Describes manifests as people write them, and leaves out titles that repeat the key."""

    def generate(self, schema: CoreSchema, mode: JsonSchemaMode = "validation") -> JsonSchemaValue:
        return {"$schema": self.schema_dialect, **super().generate(schema, mode)}

    def field_title_should_be_set(self, schema: object) -> bool:  # noqa: ARG002
        return False

    def function_before_schema(
        self, schema: core_schema.BeforeValidatorFunctionSchema
    ) -> JsonSchemaValue:
        # A validator that reads another form than its model's is invisible to pydantic.
        inner = super().function_before_schema(schema)
        if self.mode == "serialization":
            return inner
        if schema["function"]["function"] is parse_duration:
            return dict(_DURATION)
        if schema["function"]["function"] is parse_size:
            return dict(_SIZE)
        if _is_wording(schema["schema"]):
            return {"title": "a text", "anyOf": [{"type": "string"}, inner]}
        return inner

    def dict_schema(self, schema: core_schema.DictSchema) -> JsonSchemaValue:
        described = super().dict_schema(schema)
        if "patternProperties" in described:
            # The pattern is what keys must look like, not one kind of key among others.
            described["additionalProperties"] = False
        return described


def _is_wording(inner: CoreSchema) -> bool:
    if inner["type"] == "definition-ref":
        return str(inner["schema_ref"]).startswith(f"{Text.__module__}.{Text.__qualname__}:")
    return inner["type"] == "model" and inner["cls"] is Text


@cache
def schema_of(name: str) -> JsonSchemaValue:
    """The schema called ``name``; a KeyError when there is none of that name."""
    if name in MANIFESTS:
        return MANIFESTS[name].model_json_schema(schema_generator=_Generator)
    return RESULTS[name].model_json_schema(schema_generator=_Generator, mode="serialization")


def schema_file(name: str) -> str:
    """Name of the file that holds the schema ``name``."""
    return f"{name}.schema.json"


def schema_text(name: str) -> str:
    """The schema as it stands in its file: the same models always give the same text."""
    return json.dumps(schema_of(name), indent=2, ensure_ascii=False) + "\n"


def write_schemas(folder: Path) -> list[Path]:
    """Write every schema below ``folder``; the files written."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name in (*MANIFESTS, *RESULTS):
        path = folder / schema_file(name)
        path.write_text(schema_text(name), encoding="utf-8")
        written.append(path)
    return written


if __name__ == "__main__":
    write_schemas(Path(__file__).resolve().parents[2] / "schema")
