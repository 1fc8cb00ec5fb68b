"""Runs of the sabotaged WebSocket servers, what they leave, and a generator that is held up."""

from __future__ import annotations

import json
import os
import shutil
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from e2e.building import build_engine_behind_others
from e2e.conftest import SABOTAGED, SUITES, SuiteRepository


class Results:
    """Files of a run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        result = json.loads((folder / "result.json").read_text())
        self.cells = {cell["contender"]: cell for cell in result["cells"] if not cell["step"]}
        self.records: dict[str, Any] = {}
        self.done: dict[str, dict[str, int]] = {}
        for path in folder.glob("trials/*/trial.json"):
            record = json.loads(path.read_text())
            contender = record["planned"]["contender"]
            self.records[contender] = record
            said = path.parent / "server/sabotage.json"
            self.done[contender] = json.loads(said.read_text()) if said.exists() else {}
        self.report = (folder / "report-en.md").read_text()

    def findings(self, contender: str) -> dict[str, Any]:
        """Gate to finding."""
        return {finding["gate"]: finding for finding in self.cells[contender]["findings"]}

    def metric(self, contender: str, name: str) -> float | None:
        """Value of a metric."""
        value: float | None = self.cells[contender]["metrics"][name]["value"]
        return value

    def failed(self, contender: str, operation: str) -> dict[str, int]:
        """Failures of operations by status, in the words of the gate."""
        operations = self.findings(contender)["loss-or-error"]["evidence"]["operations"]
        statuses: dict[str, int] = operations[operation]["statuses"]
        return statuses


def a_house(results: Path) -> SuiteRepository:
    """A house for which the engine is built: that takes minutes where it is not kept yet."""
    build_engine_behind_others()
    return SuiteRepository(results, "whiteboard")


def cheating(results: Path, name: str) -> Path:
    """The contender that cheats in the way of this name, made of the honest one."""
    folder = results / "contenders" / name
    whiteboard = SUITES["whiteboard"]
    shutil.copytree(whiteboard / "server", folder)
    honest = (whiteboard / "contenders" / "honest" / "contender.toml").read_text("utf-8")
    said = honest.replace('"honest"', f'"{name}"').replace("/../../server/", "/")
    (folder / "contender.toml").write_text(said, "utf-8")
    return folder


def measured(house: SuiteRepository, *arguments: str) -> Results:
    ended = house.wl("run", "whiteboard", "--profile", "once", *arguments, timeout=1200)
    assert ended.returncode in SABOTAGED, ended.stdout + ended.stderr
    return Results(house.only_run())


def engines(house: SuiteRepository) -> list[int]:
    """Processes of the engine that work for this house."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            command = (folder / "cmdline").read_bytes().split(b"\0")[0]
            inside = (folder / "cwd").readlink().is_relative_to(house.root)
            if inside and command.endswith(b"/wirelab-engine"):
                found.append(int(folder.name))
    return found


@contextmanager
def a_tenth_of_a_core(house: SuiteRepository) -> Iterator[None]:
    """Lets the engine run for 10 of every 100 ms, as cpulimit does."""
    over = threading.Event()

    def throttle() -> None:
        while not over.is_set():
            pids = engines(house)
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGSTOP)
            time.sleep(0.09)
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)
            time.sleep(0.01)

    thread = threading.Thread(target=throttle)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
