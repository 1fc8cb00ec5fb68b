"""Roles of a contender that neutral services play: built where needed, or named as missing."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from wirelab.build import PartBuilds
from wirelab.catalog import SuiteEntry, find_catalog
from wirelab.cli.listing import lacking
from wirelab.plan.order import plan
from wirelab.plan.selection import AskedAccounts, Selection
from wirelab.run.selection import begin
from wirelab.run.setups import TrialSetups

SABOTAGE = Path(__file__).parents[1] / "sabotage"
MISSING = """
[services.absent]
source = "."
build = { kind = "none", debian = ["wirelab-has-no-such-package"] }
run = { command = ["{source}/absent"] }

[scenarios.turns]
"""
OTHERS = {
    "own": 'roles = ["server", "client"]',
    "absent": 'roles = ["client"]\nprovided_by = { server = "service:absent" }',
    "nowhere": 'roles = ["client"]\nprovided_by = { server = "service:absent" }\n'
    'unavailable = { en = "no licence" }',
    "elsewhere": 'roles = ["client"]\nscenarios = ["other"]\n'
    'provided_by = { server = "service:absent" }',
}


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SuiteEntry:
    """The suite of closed loops with a program that is not to be had, and who wants it."""
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    house = tmp_path / "suites"
    shutil.copytree(SABOTAGE / "closed", house / "turns")
    shutil.copytree(SABOTAGE / "workers", house / "workers")
    manifest = house / "turns/suite.toml"
    text = manifest.read_text()
    other = text[text.index("[scenarios.turns]") :].replace("scenarios.turns", "scenarios.other")
    manifest.write_text(text.replace("\n[scenarios.turns]\n", MISSING, 1) + other)
    honest = (house / "turns/contenders/honest/contender.toml").read_text()
    for name, own in OTHERS.items():
        folder = house / "turns/contenders" / name
        folder.mkdir()
        head, _, rest = honest.partition('roles = ["client"]\n')
        tail = rest.partition("\n")[2]
        (folder / "contender.toml").write_text(
            head.replace('"honest"', f'"{name}"') + own + "\n" + tail
        )
    found = find_catalog(tmp_path).suite("turns")
    assert found.broken == {}
    return found


def set_up(suite: SuiteEntry, *names: str, said: list[str] | None = None) -> TrialSetups:
    chosen = [suite.contenders[name] for name in names]
    tell = [] if said is None else said
    return TrialSetups(
        suite, chosen, Selection(["turns"], "once", 1), suite.folder.parents[1], tell.append
    )


def commands(setups: TrialSetups, suite: SuiteEntry, name: str) -> dict[str, str]:
    """The program that each role of the contender is started with."""
    manifest = suite.contenders[name].manifest
    [trial] = plan(suite.manifest, [manifest], Selection(["turns"], "once", 1))
    launches = setups.of(trial, "run").launches
    return {role: Path(launch.command[-1]).name for role, launch in launches.items()}


def test_a_program_fills_the_role_of_those_who_say_so(suite: SuiteEntry) -> None:
    setups = set_up(suite, "honest", "own")
    assert [entry.name for entry in setups.available] == ["honest", "own"]
    assert commands(setups, suite, "honest") == {"server": "reference.py", "client": "turns.py"}
    assert commands(setups, suite, "own") == {"server": "turns.py", "client": "turns.py"}


def test_only_programs_that_take_part_are_told_of(suite: SuiteEntry) -> None:
    assert set(set_up(suite, "honest", "own").services) == {"tags"}
    assert set_up(suite, "own").services == {}


def test_who_cannot_have_its_program_is_unavailable(suite: SuiteEntry) -> None:
    setups = set_up(suite, "honest", "absent")
    assert [entry.name for entry in setups.available] == ["honest"]
    absent = setups.participants["absent"]
    assert absent.unavailable == "Debian packages are missing: wirelab-has-no-such-package"
    assert absent.remedy.endswith("wirelab-has-no-such-package")
    assert absent.manifest.provided_by == {"server": "service:absent"}


@pytest.mark.parametrize(
    ("cores", "has"),
    [([[0], [1]], "1 processor"), ([[0, 1], [2, 3]], "2 processors"), ([[0]], "1 processor")],
)
def test_who_has_too_few_processors_is_unavailable(
    suite: SuiteEntry, monkeypatch: pytest.MonkeyPatch, cores: list[list[int]], has: str
) -> None:
    monkeypatch.setattr("wirelab.processes.pinning.usable_cores", lambda: cores)
    honest = suite.contenders["honest"]
    wants = replace(honest, manifest=honest.manifest.model_copy(update={"processors": 3}))
    found = set_up(replace(suite, contenders={"honest": wants}), "honest").participants["honest"]
    needs = f"it needs 3 processors for its role client, which has {has} here"
    assert found.unavailable == needs
    reason, remedy = found.missing("en")
    assert (reason, remedy) == (needs, found.remedy)
    assert remedy.startswith("measure it on a machine with more than ")
    reason, remedy = found.missing("ko")
    assert reason == f"client 역할에 CPU가 3개 필요하지만 여기서는 {has[0]}개입니다"
    assert "장비에서 측정하십시오" in remedy


@pytest.mark.parametrize("cores", [[[0], [1], [2], [3]], [[0, 1], [2, 3]], [[0, 1]]])
def test_who_has_enough_processors_is_measured(
    suite: SuiteEntry, monkeypatch: pytest.MonkeyPatch, cores: list[list[int]]
) -> None:
    monkeypatch.setattr("wirelab.processes.pinning.usable_cores", lambda: cores)
    honest = suite.contenders["honest"]
    wants = replace(honest, manifest=honest.manifest.model_copy(update={"processors": 2}))
    chosen = replace(suite, contenders={"honest": wants})
    assert [entry.name for entry in set_up(chosen, "honest").available] == ["honest"]


def test_what_nobody_chosen_needs_is_not_built(
    suite: SuiteEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared: list[str] = []
    real = PartBuilds.prepare

    def noted(self: PartBuilds, part):  # type: ignore[no-untyped-def]
        prepared.append(part.name)
        return real(self, part)

    monkeypatch.setattr(PartBuilds, "prepare", noted)
    setups = set_up(suite, "own", "nowhere", "elsewhere")
    assert {"tags", "absent"}.isdisjoint(prepared)
    assert setups.participants["nowhere"].unavailable == "no licence"
    # It does not take part in the scenario whose role the program would fill.
    assert setups.participants["elsewhere"].unavailable == ""


def test_the_list_names_what_the_program_lacks(suite: SuiteEntry) -> None:
    workshop = PartBuilds(suite.folder.parents[1])
    assert lacking(suite, suite.contenders["honest"], workshop) is None
    missing = lacking(suite, suite.contenders["absent"], workshop)
    assert missing is not None
    assert "wirelab-has-no-such-package" in missing.reason


def test_a_run_tells_what_it_was_asked_for(suite: SuiteEntry, tmp_path: Path) -> None:
    selection = Selection(["turns"], "once", 7, {"users": 3}, generators=[], trials=2)
    contenders = [suite.contenders["honest"]]
    setups = TrialSetups(suite, contenders, selection, suite.folder.parents[1], lambda _: None)
    run = begin(setups, tmp_path / "results", tmp_path).read_run()
    assert run.disclosure.accounts is not None
    # What the machine gave to this run, the same run is resumed with.
    accounts = AskedAccounts.of(run.disclosure.accounts)
    assert Selection.of(run) == replace(selection, accounts=accounts)
    assert [trial.parameters["users"] for trial in run.plan] == [3, 3]
