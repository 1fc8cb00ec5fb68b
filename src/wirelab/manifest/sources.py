"""Folders of sources: what is hashed, built and run lies with the manifest that names it."""

from __future__ import annotations

from pathlib import Path

from wirelab.manifest.problems import Key, ManifestError, Problem
from wirelab.model.suite import Suite

_TREE = Path(__file__).resolve().parents[3]


def check_sources(file: Path, suite: Suite) -> None:
    """Raise ManifestError where a service or generator of a ``suite.toml`` has other sources."""
    for name, service in suite.services.items():
        check_source(file, service.source, file.parent, ("services", name))
    for name, generator in suite.generators.items():
        check_source(file, generator.source, file.parent, ("generators", name))


def check_source(file: Path, source: str, suite: Path, inside: Key = ()) -> None:
    """Raise ManifestError where a source, links followed, is outside of the folder of the suite.

    A manifest that lies elsewhere has its sources in its own folder. Suites of wirelab's own tree
    share sources with each other, as its harness does with what it measures.
    """
    own = file.parent.resolve()
    within = next((f for f in (_TREE, suite.resolve()) if own.is_relative_to(f)), own)
    if not (own / source).resolve().is_relative_to(within):
        message = f'"{source}" leads out of {within}: sources lie in that folder'
        raise ManifestError([Problem(file, None, (*inside, "source"), message)])
