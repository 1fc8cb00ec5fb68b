"""The JSON Schemas are those of the models, and say the same of a file as the models do."""

from __future__ import annotations

import tomllib
from pathlib import Path

import jsonschema
import pytest
from manifest_texts import CONTENDER, SUITE

from wirelab import schema

REPOSITORY = Path(__file__).parents[2]
FORMATS = [*schema.MANIFESTS, *schema.RESULTS]


@pytest.mark.parametrize("name", FORMATS)
def test_the_schema_in_the_repository_is_the_current_one(name):
    stored = (REPOSITORY / "schema" / schema.schema_file(name)).read_text("utf-8")
    assert stored == schema.schema_text(name), "run: python -m wirelab.schema"


@pytest.mark.parametrize("name", FORMATS)
def test_a_schema_is_one(name):
    jsonschema.Draft202012Validator.check_schema(schema.schema_of(name))


def test_all_are_written_and_nothing_else(tmp_path):
    written = schema.write_schemas(tmp_path / "new")
    assert sorted(written) == sorted((tmp_path / "new").iterdir())
    assert {path.name for path in written} == {schema.schema_file(name) for name in FORMATS}


def problems(name: str, text: str) -> list[str]:
    validator = jsonschema.Draft202012Validator(schema.schema_of(name))
    return [error.json_path for error in validator.iter_errors(tomllib.loads(text))]


def test_good_manifests_are_valid():
    assert problems("suite", SUITE) == []
    assert problems("contender", CONTENDER) == []
    for file in (REPOSITORY / "suites").glob("*/suite.toml"):
        assert problems("suite", file.read_text("utf-8")) == []
    for file in (REPOSITORY / "suites").glob("*/contenders/*/contender.toml"):
        assert problems("contender", file.read_text("utf-8")) == []
    for file in (REPOSITORY / "suites").glob("*/libraries/*/library.toml"):
        assert problems("library", file.read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('load.period = "100ms"', 'load.period = "100 msec"'),
        ('load.type = "paced"', 'load.type = "pace"'),
        ('load.type = "paced"', 'load.type = "paced"\nload.lop = 1'),
        ("code = 2,", "code = 300,"),
        ("client = {", "Client = {"),
        ('suite = "demo"', ""),
    ],
)
def test_what_the_models_refuse_is_not_valid(old, new):
    assert problems("suite", SUITE.replace(old, new, 1))
