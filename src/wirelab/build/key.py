"""The key of a build: a hash of everything that decides what the build gives."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterable, Mapping
from pathlib import Path

from wirelab.build.builder import Builder, BuiltLibrary
from wirelab.build.content import content_hash
from wirelab.build.packages import versions
from wirelab.build.part import Part
from wirelab.build.recipe import recipe_hash
from wirelab.build.tools import FoundTool
from wirelab.model.builds import BROUGHT, DISCLOSED, JAVA_PACKAGES

_FORMAT = 2
_DIGITS = 12


def key_of(
    part: Part,
    builder: Builder,
    tools: Mapping[str, FoundTool],
    needs: Iterable[BuiltLibrary],
    *,
    sdks: Path,
    store: Path,
) -> str:
    """The key of ``part``, built by ``builder`` with ``tools`` and libraries that it ``needs``.

    ``sdks`` is the folder of the SDKs, ``store`` the place where builds are kept.
    """
    material = {
        "format": _FORMAT,
        "recipe": recipe_hash(type(builder).__module__),
        # Builds know their place: a cache that was moved builds again.
        "store": str(store),
        "machine": platform.machine(),
        # What packages a POM is written from is in that POM, which is an input of its build; what
        # pins those of .NET is one too. What a user brings is among the options.
        "build": part.build.model_dump(exclude={*JAVA_PACKAGES, *DISCLOSED, *BROUGHT}),
        "source": builder.inputs(part),
        "sdk": content_hash(sdks / builder.sdk) if builder.sdk else "",
        "needs": [need.key for need in needs],
        "tools": {name: tool.version for name, tool in tools.items()},
        "debian": versions(part.build.debian),
    }
    return _hash(material)[:_DIGITS]


def code_of(part: Part, builder: Builder, tools: Mapping[str, FoundTool], sdks: Path) -> str:
    """Hash of everything that runs as ``part``, wherever it was built: its sources and those of its
    libraries, the SDKs, and the tools it was made and is run with.
    """
    folders = [part.source, *(need.source for need in part.all_needs())]
    languages = sorted({builder.sdk, "python" if part.is_run_by_python else ""} - {""})
    return _hash(
        {
            "sources": [content_hash(folder) for folder in folders],
            # Those of Python name the place of its interpreter.
            "inputs": "" if part.build.kind == "python" else builder.inputs(part),
            "sdks": [content_hash(sdks / language) for language in languages],
            "tools": {name: tool.version for name, tool in tools.items()},
        }
    )


def _hash(material: Mapping[str, object]) -> str:
    return hashlib.sha256(json.dumps(material, sort_keys=True).encode()).hexdigest()
