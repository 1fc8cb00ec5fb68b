"""Every contender in the tree keeps the contract, under load and where something breaks.

In suites without a harness a part of them is tried with each commit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from conform.conformance_cache import (
    ANEW,
    PROPERTY,
    TAKEN,
    Verdicts,
    content_of,
    this_machine,
    tools_of,
)
from e2e.building import QUICKLY_BEGUN, behind_others, build_engine_behind_others
from e2e.drawn import drawn, is_built_anywhere
from excused import excused
from programs import NEWCOMERS, PACKAGES
from tree import suites_of_the_tree
from wirelab import conform
from wirelab.build import Part, PartBuilds, Unavailable, contender_part, service_part
from wirelab.build.content import code_lines
from wirelab.catalog import ContenderEntry, SuiteEntry
from wirelab.model.scenario import Kind, Scenario
from wirelab.plan.order import has_part
from wirelab.run.checking import WantedChecks, described

ROOT = Path(__file__).parents[2]
CATALOG = suites_of_the_tree()
ENDS = (conform.check_being_stopped, conform.check_being_a_server)
"""Checks of what depends on the kind of a scenario. Before a start all kinds are alike."""

SERVES = (conform.check_being_a_server,)
"""Checks of a server whose life is that of a harness, and whose serving is its own."""


@dataclass(frozen=True)
class Pair:
    """A contender in a scenario, with the checks that follow its whole life there; of one role,
    where it is named.
    """

    folder: Path
    scenario: str
    parts: tuple[conform.Part, ...]
    role: str = ""


OPEN = ("socket-mesh",)
"""Contenders whose harness drives nothing of theirs but an open loop, to which it has others
join: the harness is tried with another one, and only their servers are."""


def pairs() -> Iterator[Pair]:
    """Every contender with the first scenario of each kind that it takes part in.

    Who is loaded by another is told the same in all of them: one is enough. What keeps the
    contract in batches and closed loops is the harness of a language, in sources that its
    contenders share: of those one is enough, in each kind of them. Of the others the servers are
    checked, which share nothing of how they bear their clients.

    A spec is read before its scenario means anything: bad ones are tried once. Contenders of the
    same sources are one program, with other settings: the second shows that it lives with them.
    """
    for suite in CATALOG.suites.values():
        simple = {entry.name for entry in simplest(suite)}
        checked: set[Path] = set()
        for contender in sorted(suite.contenders.values(), key=borrows_sources):
            if contender.manifest.unavailable.en or contender.name in OPEN:
                continue
            found = list(taking_part(suite, contender))
            shared = [one for one in found if is_driven(one[1])]
            harnessed = bool(harness_of(suite, contender) and shared)
            if harnessed:
                found = shared if contender.name in simple else []
            names = list(one_of_each_kind(found, harnessed=harnessed))
            folder = contender.folder.relative_to(ROOT)
            if (program := program_of(contender)) in checked:
                yield from (Pair(folder, name, ()) for name in names[:1])
                continue
            for name in names:
                yield Pair(folder, name, ENDS if program in checked else conform.PARTS)
                checked.add(program)
        yield from servers(suite, simple)


def servers(suite: SuiteEntry, whole: set[str]) -> Iterator[Pair]:
    """The servers of contenders in a harness, but for those that are checked as a whole.

    What is built on more of its suite than a harness in Java is a broker, whose starts take
    seconds of processor time each: these are left to whole runs.
    """
    known = {program_of(suite.contenders[name]) for name in whole}
    for contender in sorted(suite.contenders.values(), key=borrows_sources):
        manifest = contender.manifest
        is_broker = manifest.language == "Java" and len(manifest.build.needs) > 1
        if is_broker or manifest.unavailable.en:
            continue
        if (program := program_of(contender)) not in known:
            for name, role in own_servers(suite, contender):
                known.add(program)
                yield Pair(contender.folder.relative_to(ROOT), name, SERVES, role)
                break


def own_servers(suite: SuiteEntry, contender: ContenderEntry) -> Iterator[tuple[str, str]]:
    """Driven scenarios in which a contender serves with no other role beside, and that role."""
    for name, scenario in taking_part(suite, contender):
        role, first = next(iter(contender.manifest.cast(scenario.roles).items()))
        driven = is_driven(scenario) or contender.name in OPEN
        if driven and first.is_contenders and not first.measured:
            yield name, role


def program_of(contender: ContenderEntry) -> Path:
    """The folder of the contender's sources: its own, or that of another one."""
    return (contender.folder / contender.manifest.source).resolve()


def borrows_sources(contender: ContenderEntry) -> bool:
    """Whether its program is another contender's."""
    return program_of(contender) != contender.folder.resolve()


def taking_part(suite: SuiteEntry, contender: ContenderEntry) -> Iterator[tuple[str, Scenario]]:
    """The scenarios of a contender."""
    for name, scenario in suite.manifest.scenarios.items():
        if has_part(contender.manifest, name, scenario):
            yield name, scenario


def is_driven(scenario: Scenario) -> bool:
    """Whether a harness says when which operation is due."""
    return scenario.kind == "microbenchmark" or scenario.is_closed


def one_of_each_kind(
    scenarios: Iterable[tuple[str, Scenario]], *, harnessed: bool
) -> Iterator[str]:
    """The first scenario of each kind; of those that count in a harness the fullest one, which has
    the operations and the steps of the others.
    """
    kinds: dict[tuple[str, bool], list[tuple[str, Scenario]]] = {}
    for name, scenario in scenarios:
        kinds.setdefault(kind_of(scenario, harnessed=harnessed), []).append((name, scenario))
    for (_, counted), alike in kinds.items():
        chosen = max(alike, key=lambda one: len(one[1].operations)) if counted else alike[0]
        yield chosen[0]


def kind_of(scenario: Scenario, *, harnessed: bool) -> tuple[str, bool]:
    """Traits told apart: loaded by another role; in a harness, counting. To a harness a load that
    is searched for is one like any other.
    """
    counted = any(operation.record == "intervals" for operation in scenario.operations.values())
    searched = scenario.kind is Kind.CAPACITY
    as_a_load = scenario.has_generator or (harnessed and searched)
    return "load" if as_a_load else scenario.kind, harnessed and counted


def harness_of(suite: SuiteEntry, contender: ContenderEntry) -> str:
    """The language whose contenders share sources with this one; empty where it shares none."""
    needs = (suite.libraries[need].manifest for need in contender.manifest.build.needs)
    # Sources, with packages where they import some, or a library that says what it is.
    shared = any(one.harness or one.build.kind in {"none", "python"} for one in needs)
    return contender.manifest.language if shared else ""


def simplest(suite: SuiteEntry) -> Iterator[ContenderEntry]:
    """The smallest contender of each harness that any machine can build: no broker, little code.

    One that takes part in a few scenarios alone shows the harness in none of the others.
    """
    found: dict[str, list[ContenderEntry]] = {}
    for entry in suite.contenders.values():
        manifest = entry.manifest
        if not manifest.reference and is_built_anywhere(entry) and harness_of(suite, entry):
            found.setdefault(manifest.language, []).append(entry)
    for entries in found.values():
        yield min(
            entries,
            key=lambda entry: (
                len(entry.manifest.provided_by),
                bool(entry.manifest.scenarios),
                len(entry.manifest.build.needs),
                code_lines(entry.folder / entry.manifest.source),
            ),
        )


PAIRS = list(pairs())
"""Made once."""

LANGUAGES_OWN = {
    "opcua": (
        *("async-opcua", "asyncua", "csharp-opcfoundation", "gopcua", "milo", "node-opcua"),
        "open62541",
    ),
    "websocket": ("aspnet", "axum", "fastapi", "gws", "nestjs", "netty", "node-ws", "null"),
}
"""Contenders of suites whose programs have no harness to share: one of each language."""


def drawn_pairs() -> list[Pair]:
    """The pairs that are tried with this commit.

    Who stands for a harness is always tried, and in suites without one a contender of each
    language; of the others a part in turn.
    """
    tried = {pair.folder.name for pair in PAIRS if pair.folder.parts[1] not in LANGUAGES_OWN}
    for suite, always in LANGUAGES_OWN.items():
        names = dict.fromkeys(pair.folder.name for pair in PAIRS if pair.folder.parts[1] == suite)
        tried |= set(drawn(suite, names, always))
    return [pair for pair in PAIRS if pair.folder.name in tried]


def parts_of(suite: SuiteEntry, contender: ContenderEntry, scenario: str) -> list[Part]:
    """Parts to build for a check in ``scenario``: the contender, then services."""
    roles = contender.manifest.cast(suite.manifest.scenarios[scenario].roles).values()
    services = sorted({role.service for role in roles} - {""})
    return [contender_part(suite, contender), *(service_part(suite, name) for name in services)]


def cases() -> Iterator[Any]:
    """The pairs as parameters. A missing toolchain is no reason to skip one: it is installed.

    No package provides dotnet: where it is missing, what it builds is skipped by name.
    """
    for pair in drawn_pairs():
        folder, name = pair.folder, pair.scenario
        suite = CATALOG.suite(folder.parts[1])
        contender = suite.contenders[folder.name]
        parts = parts_of(suite, contender, name)
        needed = set().union(*map(tools_of, parts))
        needed |= {"g++"} if contender.manifest.language == "C++" else set()
        servers = set(PACKAGES.values()) & set().union(*(part.build.debian for part in parts))
        marks = [pytest.mark.left_to_all] if needed - NEWCOMERS or servers else []
        marks += [pytest.mark.needs("dotnet")] if "dotnet" in needed else []
        yield pytest.param(pair, id=f"{suite.name}-{contender.name}-{name}", marks=marks)


def test_every_contender_is_tried_in_turn() -> None:
    assert CATALOG.broken == {}
    assert [suite.broken for suite in CATALOG.suites.values() if suite.broken] == []
    tried: dict[str, dict[str, set[str]]] = {}
    programs: Counter[Path] = Counter()
    for pair in PAIRS:
        suite = CATALOG.suite(pair.folder.parts[1])
        tried.setdefault(suite.name, {}).setdefault(pair.folder.name, set()).add(pair.scenario)
        if not pair.role:
            program = program_of(suite.contenders[pair.folder.name])
            programs[program] += pair.parts == conform.PARTS
    # Nobody is let off by a program that was never given a bad spec.
    assert set(programs.values()) == {1}
    assert {(pair.folder.name, pair.role) for pair in PAIRS if pair.role} == {
        (name, "server")
        for name in (
            *("aeron", "go-nats-jetstream", "grpc", "rmi", "rsocket", "socket-mesh", "socket-nio"),
            *("socket-udp", "zeromq"),
        )
    }
    for suite in CATALOG.suites.values():
        # A contender whose harness is nobody's who is tried would be missed here.
        harnesses = {harness_of(suite, suite.contenders[n]) for n in tried[suite.name]} - {""}
        for contender in suite.contenders.values():
            known = harness_of(suite, contender) in harnesses
            gone = bool(contender.manifest.unavailable.en)
            assert gone or known or contender.name in tried[suite.name], contender.folder
    scenarios = {suite: set().union(*names.values()) for suite, names in tried.items()}
    assert scenarios["opcua"] == {"s7", "faults", "capacity", "processor-time"}
    # Tunings take part in nothing but their own scenarios.
    own = {"compression", "tuning", "shedding", "silent-peers", "slow-readers", "streams"}
    own |= {"overload", "connection-limit"}
    assert scenarios["websocket"] == {"ramp", *own}
    assert scenarios["codec"] == {"steady"}
    assert scenarios["messaging"] == {"transfer", "clients", "applications"}
    assert scenarios["kv"] == {"client"}


@pytest.mark.parametrize(
    ("suite", "languages"),
    [
        ("opcua", {"C", "C#", "Go", "Java", "JavaScript", "Python", "Rust"}),
        ("websocket", {"C#", "Go", "Java", "JavaScript", "Python", "Rust", "TypeScript"}),
    ],
)
def test_a_contender_of_each_language_is_tried_with_every_commit(
    suite: str, languages: set[str]
) -> None:
    known = {n: one.manifest for n, one in CATALOG.suite(suite).contenders.items()}
    assert {one.language for one in known.values() if not one.unavailable.en} == languages
    assert {known[name].language for name in LANGUAGES_OWN[suite]} == languages
    tried = {pair.folder.name for pair in drawn_pairs() if pair.folder.parts[1] == suite}
    assert tried >= set(LANGUAGES_OWN[suite])


@pytest.fixture(scope="module")
def verdicts(pytestconfig: pytest.Config) -> Verdicts:
    return Verdicts(fresh=pytestconfig.getoption("--no-cache"))


@pytest.fixture(scope="module")
def workshop() -> PartBuilds:
    return PartBuilds(ROOT, print)


@pytest.mark.e2e
@pytest.mark.parametrize("pair", list(cases()))
def test_a_contender_keeps_the_contract(
    *,
    pair: Pair,
    verdicts: Verdicts,
    workshop: PartBuilds,
    record_property: Callable[[str, object], None],
) -> None:
    suite = CATALOG.suite(pair.folder.parts[1])
    contender = suite.contenders[pair.folder.name]
    needed = [part.name for part in parts_of(suite, contender, pair.scenario)[1:]]
    machine = this_machine()
    content = content_of(ROOT, suite, contender, pair.scenario, needed, QUICKLY_BEGUN, machine)
    content["parts"] = " ".join((*(part.__name__ for part in pair.parts), pair.role))
    name = f"{suite.name}-{contender.name}-{pair.scenario}"
    taken = verdicts.has(name, content)
    record_property(PROPERTY, TAKEN if taken else ANEW)
    assert taken or breaches(workshop, suite, contender, pair) == []
    if not taken:
        verdicts.keep(name, content)


def breaches(
    workshop: PartBuilds, suite: SuiteEntry, contender: ContenderEntry, pair: Pair
) -> list[str]:
    """Every check that the contender fails; all of them are shown where one does."""
    if contender.manifest.build.kind == "engine":
        build_engine_behind_others()
    wanted = WantedChecks(scenario=pair.scenario, role=pair.role)
    try:
        document = behind_others(
            lambda: described(suite, contender, wanted, workshop.prepare, ROOT)
        )
    except Unavailable as missing:
        if not excused(missing):
            raise
        pytest.skip(missing.reason)
    failed = []
    for worker in conform.workers(document):
        with pytest.MonkeyPatch.context() as patch:
            for variable, value in QUICKLY_BEGUN.items():
                patch.setenv(variable, value)
            checks = conform.check(worker, parts=pair.parts)
        print(worker.contender, worker.role, worker.scenario, *checks, sep="\n  ")
        assert {"ready", "events", "samples", "leftovers"} <= {check.name for check in checks}
        failed += [f"{worker.role}: {check}" for check in checks if check.outcome == "fail"]
    return failed
