"""Fixtures of all tests of reports."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from altair.vegalite.v6.schema.core import load_schema
from jsonschema import Draft7Validator
from own_reports import OwnReport, own_report_of

from wirelab.report.charts import theme

WORD = re.compile(r"[a-z-]{1,20}")
"""A word that a schema may have listed."""


@pytest.fixture(autouse=True, scope="session")
def _panels_are_checked() -> Iterator[None]:
    """Panels that a test composes are held against the schema of Vega-Lite: one of each kind."""
    validator = Draft7Validator(load_schema())
    plain, seen = theme.finished, set[str]()

    def checked(*arguments: Any, **named: Any) -> dict[str, Any]:
        spec = plain(*arguments, **named)
        kind = json.dumps(kind_of(spec), sort_keys=True)
        if kind not in seen:
            validator.validate(spec)
            seen.add(kind)
        return spec

    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(theme, "finished", checked)
        yield


def kind_of(spec: Any) -> Any:
    """The keys, the types and the listed words of a specification, which a schema is about."""
    if isinstance(spec, dict):
        return {key: kind_of(value) for key, value in spec.items()}
    if isinstance(spec, list):
        return sorted({json.dumps(kind_of(value), sort_keys=True) for value in spec})
    if isinstance(spec, str) and WORD.fullmatch(spec):
        return spec
    return type(spec).__name__


@pytest.fixture(scope="session")
def own_report(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], OwnReport]:
    """The report of a suite's sample, the same for all processes of the tests: that of a large
    suite takes half a minute."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    return lambda suite: own_report_of(suite, shared / "own-reports" / suite)
