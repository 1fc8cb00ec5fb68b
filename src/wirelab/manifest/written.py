"""From a suite as it is written to one in full, which is what runs are planned from and keep.

A scenario may name roles, operations and steps of its suite, steps may stand in a matrix, and
rankings are names of metrics.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wirelab.manifest.matrix import MatrixError, expanded
from wirelab.manifest.names import must_exist
from wirelab.manifest.origins import Origins
from wirelab.manifest.problems import Key
from wirelab.metrics.catalogue import CORE

SHARED = {"roles": "role", "operations": "operation", "steps": "step"}
"""Tables of a suite whose entries scenarios may name, with what an entry is called."""

_WAYS = ("lower", "higher")


class WrittenSuite:
    """A suite as it is written; ``full``, ``origins`` and ``findings`` are what came of it."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.origins = Origins()
        self.findings: list[tuple[Key, str]] = []
        self._data = data
        self._named: set[tuple[str, str]] = set()
        self._shared = {kind: self._table((kind,), data.get(kind, {})) for kind in SHARED}
        self.full = self._in_full()
        self._find_unnamed()

    def _in_full(self) -> dict[str, Any]:
        full = {**self._data, **{kind: self._shared[kind] for kind in SHARED if kind in self._data}}
        if isinstance(scenarios := self._data.get("scenarios"), Mapping):
            full["scenarios"] = {
                name: self._scenario(("scenarios", name), one) for name, one in scenarios.items()
            }
        return full

    def _scenario(self, key: Key, scenario: Any) -> Any:
        if not isinstance(scenario, Mapping):
            return scenario
        full = dict(scenario)
        for kind in SHARED:
            if isinstance(said := scenario.get(kind), list):
                full[kind] = self._chosen((*key, kind), kind, said)
            elif kind in scenario:
                full[kind] = self._table((*key, kind), said)
        if isinstance(said := scenario.get("rankings"), list):
            roles = full.get("roles")
            known = list(roles) if isinstance(roles, Mapping) else []
            full["rankings"] = [
                self._ranking((*key, "rankings", number), one, known)
                for number, one in enumerate(said)
            ]
        return full

    def _table(self, key: Key, table: Any) -> Any:
        """A table of parts with the steps of each matrix in its place."""
        if key[-1] != "steps" or not isinstance(table, Mapping):
            return table
        steps: dict[str, Any] = {}
        try:
            for written, name, step in expanded(key, table):
                if name in steps:
                    raise MatrixError((*key, written), f"there is a step {name} already")
                steps[name] = step
                if name != written:
                    self.origins.note((*key, name), (*key, written), f"step {name}")
        except MatrixError as error:
            self.findings.append((error.key, error.message))
        return steps

    def _chosen(self, key: Key, kind: str, names: list[Any]) -> dict[str, Any]:
        """The parts of the suite that a scenario names, in its order."""
        known = self._shared[kind] if isinstance(self._shared[kind], Mapping) else {}
        chosen: dict[str, Any] = {}
        for number, name in enumerate(names):
            place = (*key, number)
            if not isinstance(name, str):
                self.findings.append((place, f"expected a name of the suite's {kind}"))
            elif name in chosen:
                self.findings.append((place, f"{name} is named twice"))
            elif name not in known:
                self.findings += must_exist(place, f"{SHARED[kind]} of the suite", name, known)
            else:
                chosen[name] = known[name]
                self._named.add((kind, name))
                written, _ = self.origins.of((kind, name))
                self.origins.note((*key, name), written, f"of {'.'.join(map(str, key[:2]))}")
        return chosen

    def _find_unnamed(self) -> None:
        if self.findings:
            return
        for kind, called in SHARED.items():
            table = self._shared[kind]
            for name in table if isinstance(table, Mapping) else ():
                if (kind, name) not in self._named:
                    self.findings.append(((kind, name), f"no scenario names this {called}"))

    def _ranking(self, key: Key, said: Any, roles: list[str]) -> Any:
        """A ranking in full. Whether the scenario has such a metric is checked with the rest."""
        if isinstance(said, Mapping):
            if self._better(said.get("metric"), roles) in _WAYS:
                metric = f'"{said["metric"]}"'
                self.findings.append(
                    (key, f"write rankings = [{metric}, …]: its better way is known")
                )
            return said
        if not isinstance(said, str):
            return said
        self.origins.note((*key, "metric"), key, "")
        better = self._better(said, roles)
        return {"metric": said, "better": better} if better in _WAYS else {"metric": said}

    def _better(self, metric: Any, roles: list[str]) -> Any:
        """The better way of a metric, as the suite or the catalogue says; None where none does."""
        if not isinstance(metric, str):
            return None
        own = self._data.get("metrics")
        if isinstance(own, Mapping) and isinstance(one := own.get(metric), Mapping):
            return one.get("better", "neither")
        named = CORE.named(metric, roles)
        return named.definition.better if named else None
