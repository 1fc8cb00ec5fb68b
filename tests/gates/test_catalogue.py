"""The catalogue of gates: who is asked of which load, and what follows from a finding."""

from __future__ import annotations

from typing import Any

import pytest

from synthetic import load_scenario
from wirelab.gates.catalogue import READ_FIRST, every_gate, gate_of, gravest
from wirelab.gates.gate import Blame, Concern
from wirelab.gates.loads import ORDINARY, LoadKind, load_of
from wirelab.model.result import Verdict

MEASURED = {
    *("trial-failed", "wrong-answer", "fast-not-found", "generator-ceiling", "clock"),
    *("too-few-samples", "steal", "noisy-neighbour", "not-pinned", "resource-sanity"),
    *("harness-cost", "heap-kind", "unverified", "unwatched", "lost-trials"),
    *("own-scheduling", "another-version", "free-syncs"),
}
ANY_LOAD = MEASURED | {
    *("loss-or-error", "duplicated", "reordered", "held-back", "generator-saturated"),
    *("rate-missed", "unstable", "order-bias", "not-steady", "stood-still", "less-traffic"),
}
WIRE = {
    *("not-on-the-wire", "sent-before-start", "unwitnessed", "not-served", "asked-too-often"),
    *("more-connections", "shared-connection"),
}
DISTURBED = {"host-disturbed", "disturbed-seconds"}
ASKED = {
    LoadKind.PACED: ANY_LOAD
    | {"late-start", "left-out", "between-ticks", "made-when-asked"}
    | DISTURBED
    | WIRE,
    LoadKind.OPEN: ANY_LOAD | {"late-start", "left-out"} | DISTURBED | WIRE,
    LoadKind.CLOSED: ANY_LOAD | {"between-operations"} | DISTURBED | WIRE,
    LoadKind.FAULTS: MEASURED | {"answered-while-down"},
    LoadKind.CEILING: MEASURED | DISTURBED,
    LoadKind.MICROBENCHMARK: MEASURED
    | {"loop-failed", "below-floor", "between-batches"}
    | {"never-settled", "still-compiling", "batch-outliers"},
    LoadKind.INSTRUCTIONS: {
        *(
            "trial-failed",
            "wrong-answer",
            "loop-failed",
            "not-repeating",
            "heap-kind",
            "unverified",
            "another-version",
        ),
    },
    LoadKind.SYNC_CALLS: {
        *("trial-failed", "wrong-answer", "unverified", "another-version", "heap-kind"),
        *("loss-or-error", "never-synced"),
    },
    LoadKind.STACKS: {
        *("trial-failed", "wrong-answer", "unverified", "another-version", "heap-kind"),
        "loss-or-error",
    },
    LoadKind.SEARCH: {
        *("wrong-answer", "fast-not-found", "no-load-held", "at-least", "search-unfinished"),
        *("noisy-neighbour", "not-pinned", "harness-cost", "heap-kind", "unverified"),
        *("another-version", "free-syncs"),
    },
}


def test_codes_are_unique() -> None:
    codes = [gate.code for gate in every_gate()]
    assert len(codes) == len(set(codes)) == 55


def test_gates_are_read_in_the_order_of_the_catalogue() -> None:
    codes = [gate.code for gate in every_gate()]
    assert codes[:3] == ["trial-failed", "wrong-answer", "unverified"]
    assert list(READ_FIRST) == codes[: len(READ_FIRST)]


@pytest.mark.parametrize("load", LoadKind)
def test_which_gates_are_asked_of_a_load(load: LoadKind) -> None:
    assert {gate.code for gate in every_gate() if load in gate.loads} == ASKED[load]


LOOPS = {"type": "microbenchmark", "about": "1s"}
SEARCH = {
    "load": {"type": "open", "period": "1s"},
    "parameter": "rate",
    "lowest": 10,
    "highest": 20,
    "bounds": [{"metric": "read.attainment", "at_least": 99}],
}
EXPECTING = {"down": {"title": {"en": "Down"}, "expects": "call-error"}}


@pytest.mark.parametrize(
    ("changes", "load"),
    [
        ({}, LoadKind.PACED),
        ({"load": {"type": "open", "period": "1s"}}, LoadKind.OPEN),
        ({"load": {"type": "closed", "at_most": "1s"}}, LoadKind.CLOSED),
        ({"variants": EXPECTING}, LoadKind.FAULTS),
        ({"reference_only": True}, LoadKind.CEILING),
        ({"load": LOOPS}, LoadKind.MICROBENCHMARK),
        ({"load": LOOPS | {"instrument": "callgrind"}}, LoadKind.INSTRUCTIONS),
        ({"syncs_of": "client"}, LoadKind.SYNC_CALLS),
        ({"stacks_of": "client"}, LoadKind.STACKS),
        ({"load": None, "capacity": SEARCH}, LoadKind.SEARCH),
    ],
)
def test_the_load_of_a_scenario(changes: dict[str, Any], load: LoadKind) -> None:
    assert load_of(load_scenario(**changes)) is load


def test_a_gate_that_may_blame_several_decides_by_its_evidence() -> None:
    undecided = {
        gate.code for gate in every_gate() if (len(gate.blames) > 1) != (gate.whom is not None)
    }
    assert undecided == set()
    assert {gate.code for gate in every_gate() if gate.whom} == {
        "trial-failed",
        "clock",
        "at-least",
        "not-on-the-wire",
        "sent-before-start",
    }


def test_whoever_blames_nobody_concerns_no_metric() -> None:
    explained = {gate.code for gate in every_gate() if gate.concerns is Concern.NOTHING}
    assert explained == {gate.code for gate in every_gate() if not gate.blames}
    assert explained == {"heap-kind"}


def test_evidence_names_the_metrics_it_is_said_to_name() -> None:
    naming = [gate for gate in every_gate() if gate.concerns is Concern.NAMED]
    assert len(naming) == 9
    assert all({"operations", "metrics"} & gate.evidence.model_fields.keys() for gate in naming)


def test_grounds_on_which_a_probe_fails_whatever_its_bounds_say() -> None:
    """None of the others can invalidate one trial of an ordinary load and blame its contender."""
    grounds = {
        gate.code
        for gate in every_gate()
        if gate.loads & ORDINARY
        and gate.blames[:1] == (Blame.CONTENDER,)
        and Verdict.INVALID in gate.verdicts
        and not gate.has_bounds
    }
    answers = {"wrong-answer", "fast-not-found", "duplicated", "less-traffic"}
    answers |= {"between-operations"} | WIRE
    # A trial that was measured is counted, so that a probe's own can only be warned about.
    assert grounds == answers | {"clock", "trial-failed", "own-scheduling", "left-out"}


def test_outcomes_that_can_be_compared_although_there_are_no_figures() -> None:
    outcomes = {gate.code for gate in every_gate() if gate.is_outcome}
    assert outcomes == {
        *("trial-failed", "wrong-answer", "fast-not-found", "loss-or-error", "duplicated"),
        *("below-floor", "between-batches", "between-operations", "less-traffic"),
        *("not-on-the-wire", "sent-before-start", "not-served", "asked-too-often", "left-out"),
        *("never-synced", "more-connections", "shared-connection", "answered-while-down"),
    }
    assert {gate.code for gate in every_gate() if gate.withholds} == {"wrong-answer"}


def test_the_gravest_finding_decides() -> None:
    assert gravest([Verdict.VALID, Verdict.INVALID, Verdict.WARN]) is Verdict.INVALID
    assert gravest([]) is Verdict.VALID


def test_a_gate_of_another_version_is_not_known() -> None:
    assert gate_of("moon-phase") is None
    assert gate_of("steal") in every_gate()
