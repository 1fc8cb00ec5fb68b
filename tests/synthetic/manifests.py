"""Scenarios and contenders of synthetic runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from synthetic.behaviour import HOST_CPUS, Client
from wirelab.model.contender import Contender
from wirelab.model.disclosure import Disclosure
from wirelab.model.participant import Participant
from wirelab.model.planned import PlannedTrial
from wirelab.model.run import Run
from wirelab.model.scenario import Scenario


def load_scenario(**changes: Any) -> Scenario:
    """A paced read each 100 ms and a write each tenth tick; keys of ``changes`` replace."""
    return Scenario.model_validate(
        {
            "title": {"en": "Concurrent read and write", "ko": "읽기·쓰기 동시성"},
            "load": {"type": "paced", "period": "100ms"},
            "drift_target": "5ms",
            "operation_limit": "5s",
            "roles": {
                "server": {"provider": "service:server"},
                "client": {"provider": "contender", "measured": True},
            },
            "operations": {
                "read": {"code": 1, "items": 2000, "item": "tag", "deadline": "100ms"},
                "write": {"code": 2, "every": 10, "items": 200, "item": "tag", "deadline": "1s"},
            },
            "parameters": {"tags": 2000, "write_tags": 200, "security": "None"},
            "profiles": {
                "smoke": {"trials": 2, "count": 50, "warmup": 10},
                "quick": {"trials": 3, "discard": 1, "count": 600, "warmup": 30, "reruns": 3},
            },
            "bounds": {"cv_operation": "read"},
            "rankings": [
                {"metric": "read.latency.p50"},
                {"metric": "read.latency.p95"},
                {"metric": "tick.drift.p95"},
                {"metric": "cpu.mean"},
                {"metric": "rss.max"},
            ],
            **changes,
        }
    )


def faults_scenario() -> Scenario:
    """Small reads on a slow tick while the server is stopped, killed and restarted."""
    return Scenario.model_validate(
        {
            "title": {"en": "Faults: what the caller sees", "ko": "장애: 호출자에게 보이는 것"},
            "load": {"type": "paced", "period": "200ms"},
            "operation_limit": "4s",
            "call_timeout": "request_timeout_ns",
            "parameters": {"request_timeout_ns": 1_000_000_000},
            "rankings": [{"metric": "fault.outage.time"}],
            "roles": {
                "server": {"provider": "service:server"},
                "client": {"provider": "contender", "measured": True},
            },
            "operations": {
                "read": {"code": 1, "items": 10, "item": "tag", "answered_by": "server"},
                "connect": {"code": 3, "answered_by": "server"},
            },
            "profiles": {"quick": {"trials": 1, "count": 60}},
            "bounds": {"error_ratio": 1.0},
            "variants": {
                "server-down": {
                    "title": {"en": "Server down", "ko": "서버 다운"},
                    "expects": "call-error",
                    "operations": ["connect"],
                    "count": 10,
                    "faults": [{"at": "before-client", "action": "kill", "role": "server"}],
                },
                "bad-item": {
                    "title": {"en": "Bad item in a batch", "ko": "배치 안의 잘못된 항목"},
                    "expects": "item-error",
                    "operations": ["read"],
                    "count": 10,
                },
                "server-stopped": {
                    "title": {"en": "Server stopped for 3 s", "ko": "서버 3초 정지"},
                    "expects": "recovery",
                    "operations": ["read"],
                    "faults": [
                        {"at": "1s", "action": "stop", "role": "server"},
                        {"at": "4s", "action": "continue", "role": "server"},
                    ],
                },
                "server-restart": {
                    "title": {"en": "Server killed and restarted", "ko": "서버 종료 후 재시작"},
                    "expects": "recovery",
                    "operations": ["read"],
                    "faults": [
                        {"at": "1s", "action": "kill", "role": "server"},
                        {"at": "3s", "action": "restart", "role": "server"},
                    ],
                },
            },
        }
    )


def participant(name: str, client: Client) -> Participant:
    """A contender with a full manifest and what it costs to own."""
    library = client.library or f"{name}-lib"
    manifest = Contender.model_validate(
        {
            "contender": name,
            "title": client.title or f"{name} ({client.language})",
            "language": client.language,
            "library": {"name": library, "version": "1.2.3", "licence": "MIT"},
            "mode": client.mode,
            "roles": ["server", "client"],
            "unavailable": "",
            "notes": "",
            "security": {"en": f"{name}: a parameter", "ko": f"{name}: 매개변수"},
            "build": {"kind": "none"},
            "run": {"command": [f"./{name}"]},
        }
    )
    ownership = {
        "install_bytes": 12_000_000 + 1000 * len(name),
        "dependencies": [
            {"name": library, "version": "1.2.3", "licence": "MIT", "direct": True},
            {"name": "transitive", "version": "0.9", "licence": "Apache-2.0", "direct": False},
        ],
        "lines": 120 + len(name),
        "toolchain": {client.language.lower(): "1.0"},
    }
    return Participant.model_validate(
        {"manifest": manifest, "folder_hash": "0" * 16, "ownership": ownership}
    )


def run_of(
    suite: str,
    profile: str,
    *,
    scenarios: dict[str, Scenario],
    clients: Mapping[str, Client],
    plan: list[PlannedTrial],
    seed: int,
) -> Run:
    """``run.json`` of a plan."""
    return Run.model_validate(
        {
            "id": f"20260102-030405-{suite}-{profile}",
            "suite": suite,
            "suite_title": {"en": "Demonstration", "ko": "시연"},
            "profile": profile,
            "scenarios": {name: s.model_dump() for name, s in scenarios.items()},
            "services": {"server": {"name": "demo-server", "version": "1.0", "licence": "MIT"}},
            "participants": {n: participant(n, c).model_dump() for n, c in clients.items()},
            "plan": [planned.model_dump() for planned in plan],
            "disclosure": Disclosure(
                started_at="2026-01-02T03:04:05+00:00",
                wirelab="0.1.0",
                git_revision="0" * 40,
                host={"kernel": "6.1", "cpu": "synthetic", "cpus": HOST_CPUS, "memory_bytes": 8e9},
                command_line=["wl", "run", suite],
                seed=seed,
                load_before=[0.1, 0.1, 0.1],
            ).model_dump(),
        }
    )
