"""own-scheduling, between-ticks, another-version: what a client was given, beside what it took."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from gates_support import Judge, spoken

from synthetic import MS, Client, SyntheticRun, Trial, load_run, load_scenario, spoil
from wirelab.gates.another_version import agrees, packages_of
from wirelab.gates.catalogue import gate_of
from wirelab.model.participant import Dependency, Ownership
from wirelab.model.result import Verdict


def deviating(how: str, threads: int, *, role: str = "client") -> Callable[[Trial], None]:
    """Have the monitor see threads of a role that deviate, at every second look."""

    def change(trial: Trial) -> None:
        for rows in trial.probe.values():
            rows[f"threads_{how}"] = np.zeros(len(rows["monotonic_ns"]))
        trial.probe[role][f"threads_{how}"][::2] = threads

    return change


@pytest.mark.parametrize(
    ("how", "verdict"),
    [
        ("raised", Verdict.INVALID),
        ("elsewhere", Verdict.INVALID),
        ("lowered", Verdict.VALID),
        ("narrowed", Verdict.VALID),
    ],
)
def test_scheduling_of_its_own(run: SyntheticRun, judge: Judge, how: str, verdict: Verdict) -> None:
    cell = judge(spoil(run, "swift", deviating(how, 3)))
    found = spoken(cell)["own-scheduling"]
    assert found.verdict is verdict
    assert cell.verdict is verdict
    seen = found.evidence["trials"][found.trials[0]]["client"][how]
    assert seen["threads"] == 3
    assert seen["share"] == pytest.approx(0.5, abs=0.01)


def test_a_server_that_somebody_moved_is_told_of(run: SyntheticRun, judge: Judge) -> None:
    found = spoken(judge(spoil(run, "swift", deviating("elsewhere", 1, role="server"))))
    assert list(found["own-scheduling"].evidence["trials"].popitem()[1]) == ["server"]


def test_nothing_is_said_of_what_was_not_looked_at(run: SyntheticRun, judge: Judge) -> None:
    """Stored runs have no such columns; and wirelab's own processes are nobody's role."""
    assert "own-scheduling" not in spoken(judge(run))
    assert "own-scheduling" not in spoken(judge(spoil(run, "swift", deviating("raised", 0))))
    of_core = spoil(run, "swift", deviating("raised", 2, role="core"))
    assert "own-scheduling" not in spoken(judge(of_core))


@pytest.mark.parametrize(("cores", "fires"), [(0.05, False), (0.2, True)])
def test_work_between_ticks(judge: Judge, cores: float, *, fires: bool) -> None:
    found = spoken(judge(load_run({"swift": Client(cpu=cores)}))).get("between-ticks")
    assert (found is not None) == fires
    if found:
        assert found.verdict is Verdict.WARN
        least = found.evidence["least"]
        assert least["cores"] == pytest.approx(cores, rel=0.2)
        assert 0 < least["under_way"] < 0.1


def test_who_needs_its_time_in_operations_has_no_work_between_them(judge: Judge) -> None:
    slow = load_run({"swift": Client(cpu=0.4, median_ms=45.0)})
    assert "between-ticks" not in spoken(judge(slow))


def test_who_asks_until_something_has_changed_works_between_its_ticks(judge: Judge) -> None:
    read = {"code": 1, "items": 2000, "item": "tag", "deadline": "100ms", "wire": "opc-tcp:poll"}
    scenario = load_scenario(operations={"read": read})
    polling = load_run({"swift": Client(cpu=0.2)}, scenario=scenario)
    assert "between-ticks" not in spoken(judge(polling))


def test_a_burst_is_no_habit(judge: Judge) -> None:
    run = load_run({"swift": Client(cpu=0.0)})

    def burst(trial: Trial) -> None:
        rows = trial.probe["client"]
        at = rows["monotonic_ns"] - trial.record["tick0_ns"]
        rows["cpu_ns"] = np.clip(at, 0, 20_000 * MS)

    assert "between-ticks" not in spoken(judge(spoil(run, "swift", burst)))


def test_time_in_which_answers_are_given_is_no_work_between_ticks(judge: Judge) -> None:
    run = load_run({"swift": Client(cpu=0.2)})

    def answering(trial: Trial) -> None:
        begins = [int(one) + 50 * MS for one in np.unique(trial.samples["intended_ns"])]
        trial.record["pauses"] = [(begin, begin + 20 * MS) for begin in begins]

    assert "between-ticks" not in spoken(judge(spoil(run, "swift", answering)))


@pytest.mark.parametrize(("took_ms", "fires"), [(1.8, False), (20, True)])
def test_answers_that_are_made_when_asked_for(
    run: SyntheticRun, judge: Judge, took_ms: float, *, fires: bool
) -> None:
    def change(trial: Trial) -> None:
        trial.record["answering_ns"] = {"read": round(took_ms * MS)}

    found = spoken(judge(spoil(run, "swift", change))).get("made-when-asked")
    assert (found is not None) == fires
    if found:
        assert found.verdict is Verdict.WARN
        assert found.evidence["operations"]["read"]["answer_ms"] == took_ms


def package(name: str, version: str, *, direct: bool = True) -> Dependency:
    return Dependency(name=name, version=version, licence="MIT", direct=direct)


REDIS = package("redis", "8.1.0")


def owning(run: SyntheticRun, *packages: Dependency, name: str, version: str) -> SyntheticRun:
    """The run with a library of this name and version in its manifest, and these packages built."""
    participant = run.run.participants["swift"]
    library = participant.manifest.library.model_copy(update={"name": name, "version": version})
    manifest = participant.manifest.model_copy(update={"library": library})
    owned = Ownership(install_bytes=1, dependencies=list(packages), lines=1)
    changed = participant.model_copy(update={"manifest": manifest, "ownership": owned})
    run.run = run.run.model_copy(update={"participants": {"swift": changed}})
    return run


def saying(run: SyntheticRun, version: str) -> SyntheticRun:
    """The run with workers that say this version, in each trial."""
    for trial in run.trials:
        ready = trial.record["roles"]["client"]["ready"]
        ready["library"] = {"name": "anything", "version": version}
    return run


@pytest.mark.parametrize(
    ("said", "declared", "evidence"),
    [
        ("8.1.0", "8.1.0", None),
        ("", "8.1", None),
        ("v8.1.0+build.3", "8.1.0", None),
        ("9.0.0", "8.1.0", {"said": "9.0.0"}),
        ("8.1.0", "8.2.0", {"declared": "8.2.0"}),
    ],
)
def test_another_version(
    run: SyntheticRun, judge: Judge, said: str, declared: str, evidence: dict[str, str] | None
) -> None:
    owned = owning(run, REDIS, name="redis-py", version=declared)
    found = spoken(judge(saying(owned, said))).get("another-version")
    assert (found is None) == (evidence is None)
    if found:
        assert found.verdict is Verdict.WARN
        assert found.evidence == {"built": {"redis": "8.1.0"}, **(evidence or {})}


def test_packages_of_another_name_say_nothing(run: SyntheticRun, judge: Judge) -> None:
    owned = owning(run, package("hdrhistogram", "2.1.0"), name="plain sockets", version="0.1.0")
    assert "another-version" not in spoken(judge(saying(owned, "0.1.0")))


@pytest.mark.parametrize(
    ("library", "built", "found"),
    [
        ("Eclipse Milo", ["org.eclipse.milo:milo-sdk-client", "org.slf4j:slf4j-simple"], 1),
        ("redis-py", ["redis", "hiredis"], 1),
        ("aerospike-client-go", ["github.com/aerospike/aerospike-client-go/v8"], 1),
        ("Go", ["github.com/HdrHistogram/hdrhistogram-go"], 0),
        ("Node.js", ["hdr-histogram-js"], 0),
        ("grpc-java", ["io.grpc:grpc-netty-shaded"], 0),
        ("aerospike, aerospike-py", ["aerospike", "aerospike-py"], 2),
    ],
)
def test_packages_are_known_by_the_words_of_their_names(
    library: str, built: list[str], found: int
) -> None:
    packages = [package(name, "1.0.0") for name in built]
    assert len(packages_of(library, packages)) == found
    assert packages_of(library, [package(name, "1", direct=False) for name in built]) == []


@pytest.mark.parametrize(
    ("said", "versions", "same"),
    [
        ("7.7.0.RELEASE", ["7.7.0"], True),
        ("19.3.0, 0.14.4", ["0.14.4", "19.3.0"], True),
        ("19.3.0, 0.14.5", ["0.14.4", "19.3.0"], False),
        ("27.3.0 (libzmq 4.3.5)", ["27.3.0"], True),
        ("10.0.0.0", ["10.0.0"], True),
        ("1.51.0", ["1.51.1"], False),
        ("8", ["8.1.0"], False),
        ("7", ["7"], True),
    ],
)
def test_versions_agree_as_far_as_both_are_told(
    said: str, versions: list[str], *, same: bool
) -> None:
    assert agrees(said, versions) is same


def test_it_is_the_contender_that_is_blamed() -> None:
    codes = ("own-scheduling", "between-ticks", "made-when-asked", "another-version")
    gates = [gate_of(code) for code in codes]
    assert [gate.blames[0].value for gate in gates if gate] == ["contender"] * 4
