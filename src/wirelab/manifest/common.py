"""Files of a manifest's sources that its list of common ones names: each has to be one of them."""

from __future__ import annotations

import os
from pathlib import Path

from wirelab.manifest.problems import Findings
from wirelab.model.contender import Contender, Library


def of_sources(written: Contender | Library, folder: Path) -> Findings:
    """Names in the list that are no files of the sources; ``folder`` is that of the manifest."""
    # Unlike `resolve`, it fails at no links that lead in a circle.
    sources = Path(os.path.realpath(folder / written.source))
    for number, name in enumerate(written.common):
        file = Path(os.path.realpath(sources / name))
        if not file.is_relative_to(sources):
            yield ("common", number), f"{name} leads out of the sources: name files among them"
        elif not file.is_file():
            yield ("common", number), f"there is no file {name} among the sources"
