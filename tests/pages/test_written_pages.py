"""Pages of reference say what the catalogues say."""

from __future__ import annotations

import re

import pytest

from wirelab.cli import COMMANDS
from wirelab.metrics.catalogue import CORE
from wirelab.reference import commands, manifests, metrics
from wirelab.schema import MANIFESTS, schema_of


@pytest.mark.parametrize("written", [commands, manifests, metrics], ids=lambda page: page.PAGE.stem)
def test_a_page_is_as_its_catalogue_writes_it(written: object) -> None:
    """Else: ``python -m wirelab.reference``."""
    assert written.PAGE.read_text("utf-8") == written.page()  # type: ignore[attr-defined]


def test_every_command_has_its_section_with_its_options() -> None:
    page = commands.page()
    assert re.findall(r"^## `(.+)`$", page, re.M) == list(COMMANDS)
    assert "| `--until SHARE` | Add blocks until each ratio" in page
    assert "    ./wl shell RUN TRIAL ROLE [COMMAND …] [OPTIONS]\n" in page


def test_every_metric_has_its_row() -> None:
    page = metrics.page()
    keys = re.findall(r"^\| `(.+?)` \|", page, re.M)
    assert len(keys) > 50
    assert sorted(keys) == sorted(str(definition.key) for definition in CORE.definitions)


def test_every_key_of_a_manifest_has_its_row() -> None:
    page = manifests.page()
    tables = [schema_of(name) for name in MANIFESTS]
    assert len(tables) == 3
    for table in tables:
        for key in table["properties"]:
            assert f"| `{key}` |" in page
    assert "## Scenario\n" in page
    assert page.count("## Build\n") == 1, "a table that two formats share stands there once"
    assert "[Bound](#bound), a list" in page
