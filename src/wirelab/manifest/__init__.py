"""Manifests: ``suite.toml``, ``contender.toml`` and ``library.toml``, read and checked."""

from wirelab.manifest.load import check_published, load_contender, load_library, load_suite
from wirelab.manifest.problems import ManifestError, Problem

__all__ = [
    "ManifestError",
    "Problem",
    "check_published",
    "load_contender",
    "load_library",
    "load_suite",
]
