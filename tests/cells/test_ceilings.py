"""The ceiling's cells that a cell is compared with."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from synthetic.behaviour import Client
from synthetic.crowd import crowd_run, crowd_scenario
from synthetic.manifests import participant
from wirelab.cells.ceilings import ceiling_of
from wirelab.gates.facts import CeilingFacts
from wirelab.model.run import Run

BENCH = {"server": "service:bench"}
REDIS = {"server": "service:redis"}
REACHED = {"few": 40.0, "more": 80.0}
KEYS = {"few": 50, "more": 200}
"""Rates that the reference reached in its steps, and the parameter that they differ in."""

Cell = Any


class Measured:
    """A crowd (`swift`) and the ceiling of it (`plain`), with figures that nobody measured."""

    def __init__(self, alike: list[str], provided: Mapping[str, Mapping[str, str]]) -> None:
        ceiling = {"scenario": "limit", "metric": "delivery.rate", "alike": alike}
        crowd = crowd_scenario(ceiling=ceiling)
        synthetic = crowd_run({"swift": Client(), "plain": Client()}, scenario=crowd)
        plan = []
        for trial in synthetic.trials:
            planned = trial.planned
            steps = [
                step.model_copy(update={"parameters": {"keys": KEYS[step.name]}})
                for step in planned.load.steps
            ]
            scenario = "limit" if planned.contender == "plain" else "crowd"
            load = planned.load.model_copy(update={"steps": steps})
            plan.append(planned.model_copy(update={"load": load, "scenario": scenario}))
        participants = {}
        for name in ("swift", "plain"):
            found = participant(name, Client())
            manifest = found.manifest.model_copy(
                update={"provided_by": dict(provided.get(name, {}))}
            )
            participants[name] = found.model_copy(update={"manifest": manifest})
        scenarios = {"limit": crowd_scenario(reference_only=True), "crowd": crowd}
        changes = {"scenarios": scenarios, "participants": participants, "plan": plan}
        self.run: Run = synthetic.run.model_copy(update=changes)
        self._planned = {planned.contender: planned for planned in plan}
        self.reached: list[Cell] = [
            self.cell("plain", step, rate) for step, rate in REACHED.items()
        ]

    def cell(self, contender: str, step: str, rate: float, median_ms: float = 1.0) -> Cell:
        """A cell with this rate."""
        operation = SimpleNamespace(median_ms=median_ms, failed=0)
        facts = SimpleNamespace(operations=dict.fromkeys(("rtt", "delivery"), operation))
        recorded = SimpleNamespace(planned=self._planned[contender], step=step)
        metrics = {"delivery.rate": SimpleNamespace(value=rate)}
        return SimpleNamespace(recorded=[recorded], facts=(facts,), metrics=metrics)

    def ceiling(self, step: str) -> CeilingFacts | None:
        """Ceiling of a step of the crowd; empty: that of the whole trial."""
        return ceiling_of(self.cell("swift", step, 30.0), self.reached, self.run)


def reached(found: CeilingFacts | None) -> float | None:
    assert found is not None
    assert found.metric == "delivery.rate"
    return found.reached


def test_the_highest_of_all_cells_where_nothing_has_to_be_alike() -> None:
    measured = Measured([], {})
    assert [reached(measured.ceiling(step)) for step in ("", "few", "more")] == [80.0] * 3


def test_a_step_is_compared_with_cells_of_the_same_parameters() -> None:
    measured = Measured(["keys"], {})
    assert reached(measured.ceiling("few")) == 40.0
    assert reached(measured.ceiling("more")) == 80.0
    # The whole trial has both sorts.
    assert measured.ceiling("") is None


def test_a_cell_that_only_let_its_queue_grow_is_none() -> None:
    measured = Measured(["keys"], {})
    measured.reached.append(measured.cell("plain", "few", 60.0, median_ms=1_500.0))
    assert reached(measured.ceiling("few")) == 40.0


def test_nothing_was_reached_where_no_cell_is_alike() -> None:
    measured = Measured(["keys"], {})
    measured.reached = measured.reached[1:]
    assert reached(measured.ceiling("few")) is None


@pytest.mark.parametrize(
    ("provided", "of_reference", "compared"),
    [(BENCH, BENCH, True), (REDIS, BENCH, False), ({}, BENCH, False)],
)
def test_what_another_program_serves_has_another_ceiling(
    provided: dict[str, str], of_reference: dict[str, str], compared: bool
) -> None:
    measured = Measured(["keys"], {"swift": provided, "plain": of_reference})
    assert (measured.ceiling("few") is not None) is compared


def test_a_scenario_without_a_ceiling() -> None:
    measured = Measured([], {})
    crowd = measured.run.scenarios["crowd"].model_copy(update={"ceiling": None})
    scenarios = {**measured.run.scenarios, "crowd": crowd}
    measured.run = measured.run.model_copy(update={"scenarios": scenarios})
    assert measured.ceiling("few") is None
