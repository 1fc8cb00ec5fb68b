"""A run of any suite of the tree.

Reports that need answers, searches or counts have a sample of their own; others get a full run.
"""

from __future__ import annotations

import json
from pathlib import Path

from codec_sample import sample as codec
from full_run import full_run
from messaging_sample import sample as messaging
from report_sample import sample as opcua
from websocket_sample import sample as websocket

from synthetic.judged import judged
from tree import suites_of_the_tree
from wirelab.cells.ranks import ranked
from wirelab.model.result import Result
from wirelab.model.run import Run


def suites() -> list[str]:
    """Every suite of the tree."""
    return sorted(suites_of_the_tree().suites)


def sample_of(suite: str) -> Result:
    """The sample of a suite: its own where it has one, or one made from its manifests."""
    own = {
        "codec": codec,
        "messaging": messaging,
        "opcua": lambda: opcua()[0],
        "websocket": websocket,
    }
    return own[suite]() if suite in own else from_manifests(suite)


def from_manifests(suite: str) -> Result:
    """A full run of the suite, ranked: of contenders that are alike in it, two."""
    found = full_run(suite)
    manifests = {name: person.manifest for name, person in found.participants.items()}
    scenarios: dict[str, set[str]] = {}
    for cell in found.cells:
        scenarios.setdefault(cell.contender, set()).add(cell.scenario)
    alike: dict[tuple[str, frozenset[str]], list[str]] = {}
    for name, taken in scenarios.items():
        alike.setdefault((manifests[name].language, frozenset(taken)), []).append(name)
    chosen = {name for names in alike.values() for name in names[:2]}
    people = {name: person for name, person in found.participants.items() if name in chosen}
    cells = [cell for cell in found.cells if cell.contender in chosen]
    return found.model_copy(
        update={"cells": ranked(cells, found.scenarios, manifests), "participants": people}
    )


def write_run(folder: Path, found: Result) -> Path:
    """The folder of a run as the command line reads it: the plan, and the result."""
    run = Run(
        id=found.run,
        suite=found.suite,
        suite_title=found.suite_title,
        profile=found.profile,
        scenarios=found.scenarios,
        services=found.services,
        participants=found.participants,
        plan=[],
        disclosure=found.disclosure,
    )
    folder.mkdir(exist_ok=True)
    (folder / "run.json").write_text(run.model_dump_json(), "utf-8")
    (folder / "result.json").write_text(judged(found).model_dump_json(), "utf-8")
    (folder / "series.json").write_text(json.dumps({"cells": {}}), "utf-8")
    return folder
