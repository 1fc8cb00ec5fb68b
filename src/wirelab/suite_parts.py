"""A suite's own Python: its verifier, its report.

Each is loaded as a module of a package whose folder is that of the suite, so that a long one can
import its parts (``from .chapters import …``).
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType


def load_part(package: str, path: Path) -> ModuleType:
    """The module at ``path`` as a part of ``package``; what was loaded by that name is gone."""
    for loaded in [n for n in sys.modules if n == package or n.startswith(f"{package}.")]:
        del sys.modules[loaded]
    folder = ModuleType(package)
    folder.__path__ = [str(path.parent)]
    sys.modules[package] = folder
    importlib.invalidate_caches()
    return importlib.import_module(f"{package}.{path.stem}")
