"""The catalogue of metrics is what the analysis makes: each of its metrics, and no other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from synthetic import (
    Caller,
    Client,
    Coder,
    SyntheticRun,
    closed_run,
    crowd_run,
    faults_run,
    load_run,
    load_scenario,
    loops_run,
)
from synthetic.instructions import FEW, MANY, instructions_run
from synthetic.kinds import kinds_run
from synthetic.wire import wire_run
from wirelab.cells.analysis import analyse
from wirelab.cells.estimate import Estimate, UnknownMetricError, metrics_of
from wirelab.metrics.catalogue import CORE
from wirelab.metrics.definition import Extent
from wirelab.metrics.pattern import KeyPattern, Slot
from wirelab.model.metrics import Disturbed, OwnMetric
from wirelab.model.result import Result

NOT_SYNTHETIC = {
    "capacity.verified": "a search needs probes, which tests/capacity looks at without samples",
    "capacity.failed": "likewise",
    "{op}.disconnected.count": "of probes alone, likewise",
    "{op}.drop.count": "only the engine counts connections that were dropped",
    "{op}.shed.count": "only a server of a scenario that lets it leaves messages out",
    "{op}.shed.ratio": "likewise",
    "{op}.silent.count": "only the engine has users who fall silent",
    "{op}.ended.count": "likewise",
    "{op}.ended.after": "likewise",
    "{op}.ping.quoted.count": "only the engine tries what a server does when nothing is due",
    "{op}.ping.misquoted.count": "likewise",
    "{op}.invalid.named.count": "likewise",
    "{op}.invalid.ended.count": "likewise",
    "{op}.invalid.kept.count": "likewise",
    "{op}.invalid.spread.count": "likewise",
    "{op}.redelivered.count": "only users of a queue that sends again count it",
    "{op}.evenness": "only users who compete count what each of them got",
    "{op}.syncs": "only traced trials count them: tests/cells/test_sync_calls.py",
    "{op}.wire.ratio": "only the engine counts what its sockets bring",
    "{op}.network.in": "likewise",
    "{op}.network.out": "likewise",
}
"""Metrics that no synthetic run has, with the reason."""


def runs() -> Iterator[tuple[str, SyntheticRun]]:
    clients = {"swift": Client(median_ms=2.0, allocated_mb_per_second=3.0)}
    yield "load", load_run(clients)
    yield "hours", load_run(clients, scenario=load_scenario().model_copy(update={"trends": True}))
    yield "wire", wire_run(clients)
    yield "kinds", kinds_run(clients)
    yield "crowd", crowd_run(clients)
    yield "closed", closed_run(clients)
    yield "faults", faults_run({"swift": Caller()})
    yield "loops", loops_run({"swift": Coder()})
    yield "counted", instructions_run([(FEW, 1_000), (MANY, 51_000)] * 2)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Result]:
    folder = tmp_path_factory.mktemp("runs")
    return {name: analyse(run.write(folder / name))[0] for name, run in runs()}


def test_every_metric_that_is_made_is_in_the_catalogue_in_its_unit(
    results: dict[str, Result],
) -> None:
    assert len(results) == 9
    for result in results.values():
        (scenario,) = result.scenarios.values()
        catalogue = CORE.with_own(result.metrics or {})
        known = {key: one.unit_in(scenario) for key, one in catalogue.of(scenario).items()}
        made = {k: m.unit for cell in result.cells for k, m in cell.metrics.items()}
        assert len(made) > 1
        assert made.items() <= known.items()


def test_every_metric_of_the_catalogue_is_made(results: dict[str, Result]) -> None:
    made = {
        str(named.definition.key)
        for result in results.values()
        for scenario in result.scenarios.values()
        for cell in result.cells
        for key in cell.metrics
        if (named := CORE.of(scenario).get(key)) is not None
    }
    every = {str(definition.key) for definition in CORE.definitions}
    assert len(every) == len(CORE.definitions)
    assert every - made == set(NOT_SYNTHETIC)


@pytest.mark.parametrize(
    ("run", "key", "unit"),
    [
        ("load", "read.rate", "tag/s"),
        ("load", "read.latency.p99.9", "ms"),
        ("hours", "rss.slope", "MB/h"),
        ("hours", "read.latency.slope.least", "ms/h"),
        ("wire", "read.wire.bytes", "B"),
        ("kinds", "read.kind.long.p99", "ms"),
        ("crowd", "delivery.per.cpu", "message/CPU-s"),
        ("crowd", "client.per.cpu", "message/CPU-s"),
        ("crowd", "connect.rate", "connection/s"),
        ("closed", "rtt.elapsed.100", "s"),
        ("loops", "encode.time", "ns"),
        ("counted", "encode.instructions", "instr/iteration"),
    ],
)
def test_units(results: dict[str, Result], run: str, key: str, unit: str) -> None:
    (scenario,) = results[run].scenarios.values()
    assert CORE.of(scenario)[key].unit_in(scenario) == unit


@pytest.mark.parametrize("key", ["cpu.men", "read.latency.p5000", "reed.rate", "read.fairness"])
def test_a_figure_that_the_catalogue_does_not_have_is_an_error(
    results: dict[str, Result], key: str
) -> None:
    (scenario,) = results["load"].scenarios.values()
    with pytest.raises(UnknownMetricError, match=key):
        metrics_of({"cpu.mean": Estimate(1.0), key: Estimate(1.0)}, scenario)


def test_a_metric_of_a_suite_is_known_beside_the_others(results: dict[str, Result]) -> None:
    (scenario,) = results["loops"].scenarios.values()
    text = {"en": "size"}
    own = OwnMetric.model_validate(
        {"unit": "B", "disturbed": "nothing", "title": text, "column": text, "meaning": text}
    )
    catalogue = CORE.with_own({"encoded.size": own})
    made = metrics_of({"encoded.size": Estimate(7.0)}, scenario, catalogue)
    assert (made["encoded.size"].value, made["encoded.size"].unit) == (7.0, "B")
    named = catalogue.named("encoded.size")
    assert named is not None
    assert named.definition.disturbed is Disturbed.NOTHING


@pytest.mark.parametrize(
    ("key", "pattern"),
    [
        ("step.elapsed", "step.elapsed"),
        ("total.rss.max", "total.rss.max"),
        ("broker.rss.max", "{role}.rss.{stat}"),
        ("read.latency.p99.9", "{op}.latency.{stat}"),
        ("client.per.cpu", "{role}.per.cpu"),
        ("delivery.per.cpu", "{op}.per.cpu"),
        ("encode.instructions.spread", "{op}.instructions.spread"),
    ],
)
def test_the_definition_with_most_literal_words_counts(key: str, pattern: str) -> None:
    named = CORE.named(key, roles=("client", "broker"))
    assert named is not None
    assert (str(named.definition.key), named.key) == (pattern, key)


def test_what_no_definition_fits_is_unknown() -> None:
    assert [CORE.named(key) for key in ("read.latency.p5000", "read", "cpu.p99")] == [None] * 3


def test_maxima_grow_with_the_length_of_a_trial() -> None:
    grows = {
        key: named.grows_with_length
        for key in ("read.latency.max", "read.latency.p99", "rss.growth", "read.rate", "cpu.max")
        if (named := CORE.named(key)) is not None
    }
    assert [key for key, does in grows.items() if does] == [
        "read.latency.max",
        "rss.growth",
        "cpu.max",
    ]


def test_counts_stand_at_zero_and_times_do_not() -> None:
    disturbed = {str(one.key): one.disturbed for one in CORE.definitions}
    assert {pattern for pattern, how in disturbed.items() if how is Disturbed.NOTHING} == {
        "{op}.expected.count",
        "{op}.wire.bytes",
        "{op}.wire.ratio",
        "{op}.shed.count",
        "{op}.shed.ratio",
        "{op}.silent.count",
        "gc.count",
        "{op}.instructions",
        "{op}.instructions.spread",
        "{op}.syncs",
        "{op}.allocated",
    }
    assert disturbed["{op}.loss.ratio"] is Disturbed.COUNT
    assert disturbed["{op}.latency.{stat}"] is Disturbed.TIME
    assert disturbed["rss.max"] is Disturbed.UPPER_BOUND


def test_every_count_of_an_operation_is_a_sum_over_trials() -> None:
    keys = {str(one.key): one for one in CORE.definitions}
    counts = {key for key in keys if key.startswith("{op}.") and key.endswith(".count")}
    assert len(counts) == 21
    assert {key for key, one in keys.items() if one.extent is Extent.SUM} == counts


def test_a_pattern_needs_its_statistics() -> None:
    with pytest.raises(ValueError, match="come together"):
        KeyPattern.of("{op}.latency.{stat}")
    with pytest.raises(ValueError, match="come together"):
        KeyPattern.of("cpu.mean", ("mean",))
    assert KeyPattern.of("{op}.elapsed.{mark}").read("echo.elapsed.20") == {
        Slot.OPERATION: "echo",
        Slot.MARK: "20",
    }
