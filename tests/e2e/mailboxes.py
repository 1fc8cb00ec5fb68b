"""Runs of the sabotaged mailboxes, and what they leave."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from e2e.conftest import SABOTAGED, SUITES, SuiteRepository
from e2e.whole_runs import only
from wirelab.samples import intervals


class Results:
    """Files of the run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        result = json.loads((folder / "result.json").read_text())
        self.cells = {
            (cell["scenario"], cell["contender"]): cell for cell in result["cells"] if cell["step"]
        }
        self.records: dict[tuple[str, str], Any] = {}
        self.done: dict[tuple[str, str], dict[str, int]] = {}
        for path in folder.glob("trials/*/trial.json"):
            record = json.loads(path.read_text())
            key = record["planned"]["scenario"], record["planned"]["contender"]
            self.records[key] = record
            said = path.parent / "server/sabotage.json"
            self.done[key] = json.loads(said.read_text()) if said.exists() else {}
        self.report = (folder / "report-en.md").read_text()

    def spoken(self, key: tuple[str, str]) -> set[str]:
        """Gates that found something."""
        return {f["gate"] for f in self.cells[key]["findings"] if f["verdict"] != "valid"}

    def finding(self, scenario: str, contender: str, gate: str) -> Any:
        """The finding of a gate."""
        found = self.cells[scenario, contender]["findings"]
        return next(one for one in found if one["gate"] == gate)

    def deliveries(self, scenario: str, contender: str) -> Iterator[intervals.Interval]:
        """Deliveries, as the client counted them by the second."""
        trial = self.records[scenario, contender]["planned"]["id"]
        yield from intervals.read(self.folder / "trials" / trial / "client.intervals.jsonl")

    def metric(self, contender: str, name: str) -> float | None:
        """Value of a metric of the broadcasts."""
        value: float | None = self.cells["telling", contender]["metrics"][name]["value"]
        return value


def cheating(results: Path, name: str, scenario: str, mode: str = "") -> Path:
    """The contender that cheats in the way of this name, made of the honest one."""
    folder = results / "contenders" / name
    shutil.copytree(SUITES["mailbox"] / "workers", folder / "workers")
    honest = (SUITES["mailbox"] / "contenders" / "honest" / "contender.toml").read_text("utf-8")
    said = (
        honest.replace('"honest"', f'"{name}"')
        .replace('"../../workers"', f'"workers"\nscenarios = ["{scenario}"]')
        .rstrip()
    )
    if mode:
        said = said.replace("\nroles = ", f'\nmode = "{mode}"\nroles = ')
    (folder / "contender.toml").write_text(f'{said}\n\n[tuning]\nsabotage = "{name}"\n', "utf-8")
    return folder


def measured(
    here: Path, scenarios: set[str], named: set[str], cheats: Mapping[str, str], mode: str = ""
) -> Results:
    """A run of contenders that have a manifest, and of cheats, each in its scenario."""
    house = SuiteRepository(here, "mailbox")
    made = [str(cheating(here, name, scenario, mode)) for name, scenario in cheats.items()]
    chosen = only("--scenario", sorted(scenarios)) + only("--contender", [*sorted(named), *made])
    ended = house.here("run", "mailbox", "--profile", "once", "--seed", "1", *chosen)
    assert ended.returncode in SABOTAGED, ended.stdout + ended.stderr
    return Results(house.only_run())
