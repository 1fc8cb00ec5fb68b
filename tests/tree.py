"""The suites of this repository, for tests that only read them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from wirelab.catalog import Catalog, find_catalog

ROOT = Path(__file__).parents[1]


@cache
def suites_of_the_tree() -> Catalog:
    """All of them, read once a process: their manifests are two hundred files."""
    return find_catalog(ROOT)
