"""Files of a manifest's sources that its list of common ones names: each has to be there."""

from __future__ import annotations

from pathlib import Path

from wirelab.manifest.problems import Findings
from wirelab.model.contender import Contender, Library


def of_sources(written: Contender | Library, folder: Path) -> Findings:
    """Names in the list that are no files; ``folder`` is that of the manifest."""
    for number, name in enumerate(written.common):
        if not (folder / written.source / name).is_file():
            yield ("common", number), f"there is no file {name} among the sources"
