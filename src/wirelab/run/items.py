"""Items read at a server of the user's own: a file with an item on each line (``--items``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from wirelab.catalog import SuiteEntry
from wirelab.model.mistake import MistakeError
from wirelab.model.scenario import Scenario

_COMMENT = "#"


class ItemsError(MistakeError):
    """A list that cannot be read, is empty, or names an item twice."""


def items_of(file: Path | None) -> list[str]:
    """The items of a file, in their order; blank lines and those that begin with # are none."""
    if file is None:
        return []
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeError) as error:
        raise ItemsError(f"--items {file}: {error}") from None
    numbered: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        item = line.strip()
        if not item or item.startswith(_COMMENT):
            continue
        if numbered.setdefault(item, number) != number:
            raise ItemsError(f"{file}:{number}: {item} is in line {numbered[item]} already")
    if not numbered:
        raise ItemsError(f"--items {file}: it lists nothing: write an item on each line")
    return list(numbered)


def listing(suite: SuiteEntry, items: Sequence[str]) -> SuiteEntry:
    """The suite whose scenarios for listed items read ``items``."""
    if not items:
        return suite
    scenarios = {
        name: _reading(scenario, len(items)) for name, scenario in suite.manifest.scenarios.items()
    }
    return replace(suite, manifest=suite.manifest.model_copy(update={"scenarios": scenarios}))


def _reading(scenario: Scenario, items: int) -> Scenario:
    if scenario.listed is None:
        return scenario
    reading = scenario.operations[scenario.listed].model_copy(update={"items": items})
    operations = {**scenario.operations, scenario.listed: reading}
    return scenario.model_copy(update={"operations": operations})
