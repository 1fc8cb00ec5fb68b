"""Every gate and every reason reads well, known or not."""

from __future__ import annotations

import re
from typing import Any

import pytest

from wirelab.gates.registry import GATES
from wirelab.model.result import Finding, Verdict
from wirelab.report.evidence import evidence_lines
from wirelab.report.findings import known_gates, title_of, wording_of
from wirelab.words.failures import failure_words, why_in_words
from wirelab.words.translation import words

EVIDENCE: dict[str, tuple[dict[str, Any], str]] = {
    "trial-failed": (
        {
            "failed": {"0001-a": {"reason": "never-ready", "detail": "client, 30 s"}},
            "missing": ["0002-a"],
            "counted": 1,
        },
        "0001-a: was not ready in time (client, 30 s)|not run or interrupted: 0002-a"
        "|trials left to count: 1",
    ),
    "wrong-answer": (
        {"findings": ["tag 7: 1 instead of 2"], "count": 1, "own_checks": 0, "verified": 40},
        "1 wrong of 40 answers checked in full|tag 7: 1 instead of 2",
    ),
    "loss-or-error": (
        {
            "operations": {"read": {"failed": 3, "sent": 1140, "statuses": {"timeout": 3}}},
            "ratio": 3 / 1140,
            "bound": 0.0,
        },
        "read: 3 of 1,140 failed (0.26 %): timeout 3|allowed: 0 %",
    ),
    "clock": (
        {"0001-a": {"early": 4, "ready_off_by_ns": -12}},
        "0001-a: starts before it was due 4, the worker's clock at ready is off by (ns) -12",
    ),
    "rate-missed": (
        {"trials": {"0001-a": {"read": {"sent": 550, "scheduled": 570}}}, "worst": 0.035},
        "0001-a: read 550 of 570 scheduled",
    ),
    "late-start": (
        {
            "operations": {
                "read": {
                    "p99_ms": 0.31,
                    "service_ms": 2.8,
                    "percentile": "p50",
                    "share": 0.11,
                    "max_ms": 120.0,
                    "stalls": 1,
                    "worst_trial": "0001-a",
                }
            }
        },
        "read: p99 of the lateness 0.31 ms is 11 % of the service time's p50 (2.8 ms); latest "
        "120 ms; 1 stall over 100 ms",
    ),
    "unstable": (
        {
            "operation": "read",
            "cv": 0.21,
            "bound": 0.15,
            "means_ms": {"0001-a": 2.0, "0002-a": 2.7},
            "reruns": 3,
        },
        "cv of the trials' mean read latency 21.0 %, allowed below 15 %; means 2.00, 2.70 ms; "
        "reruns 3",
    ),
    "order-bias": (
        {"tau": 0.8, "p": 0.004, "trials": 9, "first": 0.91, "last": 1.12},
        "means of 9 trials against their place in the run: Kendall's tau 0.80, p = 0.004; the "
        "first is 91.0 % of its cell's mean, the last 112 %",
    ),
    "not-steady": (
        {
            "operation": "read",
            "trials": {"0001-a": {"seconds": 57, "steady_seconds": 20, "levels_ms": [4.0, 2.0]}},
        },
        "0001-a: the last level of read held for 20 of 57 s; levels 4.0 → 2.0 ms",
    ),
    "too-few-samples": (
        {"metrics": {"write.latency.p95": {"has": 113.6, "needs": 130}}},
        "write latency p95: 113 effective samples of 130 needed",
    ),
    "steal": (
        {"steal": {"0001-a": 0.07}, "worst": 0.07},
        "up to 7.0 % of the processor time (trials: 1)",
    ),
    "noisy-neighbour": (
        {"trials": {"0001-a": {"foreign_cores": 0.12}, "0002-a": {"canary_change": -0.08}}},
        "other programs used up to 12 % of a core (trials: 1)"
        "|a fixed loop took up to 8.0 % longer or shorter (trials: 1)",
    ),
    "resource-sanity": (
        {"trials": {"0001-a": {"rss_max_mb": 37.98, "heap_max_mb": 35790, "server.socket": "x"}}},
        "0001-a: RSS 38.0 MB is below the heap of 35,800 MB, the socket of the server belongs to "
        "another process",
    ),
    "not-pinned": (
        {"refused": {"0001-a": {"client": "not permitted"}, "0002-a": {"client": "not permitted"}}},
        "client: not permitted (trials: 2)",
    ),
    "harness-cost": (
        {"cores": {"0001-a": 0.02}, "worst": 0.02},
        "up to 2.0 % of a core (trials: 1)",
    ),
    "duplicated": (
        {"operations": {"delivery": {"count": 12, "received": 49000}}},
        "delivery: 12 of 49,000 received",
    ),
    "less-traffic": (
        {"trials": {"0001-a": {"payload": 24_000_000, "received": 300_000}}},
        "0001-a: payload 24.0\u00a0MB, received on the loopback 0.3\u00a0MB",
    ),
    "fast-not-found": (
        {
            "operations": {
                "read": {"compared": 5_000, "unlike": 4_100, "recorded": 0, "expected": 168_000}
            }
        },
        "read: 4,100 of 5,000 sizes differ, 0 in all instead of 168,000",
    ),
    "reordered": (
        {"operations": {"delivery": {"count": 3, "received": 49000}}},
        "delivery: 3 of 49,000 received",
    ),
    "stood-still": (
        {
            "trials": {
                "0001-a": {"pauses": 2, "longest_ms": 212.0, "total_ms": 330.0, "seconds": 55.0}
            }
        },
        "0001-a: pauses 2, longest 210\u00a0ms, 330\u00a0ms of 55.0 s in all",
    ),
    "generator-saturated": (
        {"trials": {"0001-a": {"cpu_share": 0.97, "delay_share": 0.021, "lag_p99_ms": 83.0}}},
        "0001-a: its CPU was 97.0 % of what it can use, it waited for a processor 2.10 % of the "
        "time, p99 of its send lag was 83\u00a0ms",
    ),
    "generator-ceiling": (
        {"metric": "delivery.rate", "value": 98_000.0, "ceiling": 171_000.0, "share": 0.573},
        "delivery throughput 98,000 is 57 % of the set-up's ceiling of 171,000",
    ),
    "loop-failed": (
        {"operations": {"decode": "ValueError: too deep"}},
        "decode threw ValueError: too deep",
    ),
    "below-floor": (
        {"operations": {"encode": {"ns": 3.14, "floor_ns": 8.25}}},
        "encode: 3.14\u00a0ns a round, and the floor alone takes 8.25\u00a0ns",
    ),
    "never-settled": (
        {"operations": {"decode": {"trials": 2, "of": 5}}},
        "decode: in 2 of 5 processes",
    ),
    "batch-outliers": (
        {"operations": {"round_trip": {"outliers": 7, "batches": 25}}},
        "round_trip: 7 of 25 batches (28 %)",
    ),
    "not-repeating": (
        {"operations": {"decode": {"values": [50.0, 50.25], "share": 0.005}}, "bound": 0.001},
        "decode: 50.0, 50.2 instructions a round, 0.50 % apart",
    ),
    "heap-kind": ({"kinds": ["used"]}, "used"),
}
METHOD = """
generator-saturated generator-ceiling rate-missed late-start not-steady too-few-samples unstable
order-bias steal noisy-neighbour clock wrong-answer fast-not-found loss-or-error resource-sanity
trial-failed harness-cost duplicated reordered stood-still
"""


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("gate", METHOD.split())
def test_every_gate_of_the_method_has_words(gate: str, language: str) -> None:
    spoken = words(language)
    wording = wording_of(gate)
    said = [spoken.gettext(text) for text in (wording.title, wording.meaning, wording.remedy)]
    assert gate in known_gates()
    assert all(said)
    if language == "ko":
        assert all(re.search("[가-힣]", text) for text in said)


def test_every_gate_that_runs_has_words_and_a_formatter() -> None:
    names = {gate.__name__.replace("_", "-") for gate in GATES}
    assert len(names) == 26
    assert names - set(known_gates()) == set()
    assert names - set(EVIDENCE) == set()


@pytest.mark.parametrize("gate", EVIDENCE)
def test_evidence_in_words(gate: str) -> None:
    evidence, said = EVIDENCE[gate]
    finding = Finding(gate=gate, verdict=Verdict.WARN, evidence=evidence)
    assert evidence_lines(finding, words("en")) == said.split("|")


@pytest.mark.parametrize("gate", EVIDENCE)
def test_evidence_in_korean_keeps_the_figures(gate: str) -> None:
    finding = Finding(gate=gate, verdict=Verdict.WARN, evidence=EVIDENCE[gate][0])
    english, korean = ("|".join(evidence_lines(finding, words(x))) for x in ("en", "ko"))
    assert sorted(re.findall(r"\d+\.\d+", english)) == sorted(re.findall(r"\d+\.\d+", korean))


# The clock's evidence has trials and stamps for its keys, so that no shape of it is foreign.
@pytest.mark.parametrize("gate", [*sorted(EVIDENCE.keys() - {"clock"}), "never-heard-of"])
def test_evidence_of_another_shape_is_still_said(gate: str) -> None:
    evidence = {"some_thing": {"deep": [1, 2.5]}, "flag": True, "word": "x"}
    finding = Finding(gate=gate, verdict=Verdict.WARN, evidence=evidence)
    said = " | ".join(evidence_lines(finding, words("en")))
    for piece in ("2.5", "True", "x"):
        assert piece in said


def test_an_unknown_gate_reads_by_its_code() -> None:
    assert title_of("moon-phase", words("ko")) == "moon phase"
    assert wording_of("moon-phase").remedy


def test_reasons_of_trials_read_well() -> None:
    english, korean = words("en"), words("ko")
    assert failure_words("never-ready", english) == "was not ready in time"
    assert failure_words("brand-new", english) == "brand new"
    assert why_in_words("session-warm-up", korean) == "세션 웜업(계획에 따라 집계 제외)"
    assert why_in_words("exited: client ended: oh", english) == (
        "ended before its time (client ended: oh)"
    )


def test_every_reason_of_the_trial_code_has_words() -> None:
    from pathlib import Path

    import wirelab.trial

    code = "\n".join(p.read_text() for p in Path(wirelab.trial.__file__).parent.glob("*.py"))
    reasons = set(re.findall(r'TrialError\(\s*"([a-z-]+)"', code))
    assert len(reasons) > 10
    unknown = {r for r in reasons if failure_words(r, words("en")) == r.replace("-", " ")}
    assert not unknown
