"""Tunings of servers: each differs from its unchanged neighbour in one thing, and takes part in the
scenario that holds it against that neighbour."""

from __future__ import annotations

from pathlib import Path

import pytest

from tree import suites_of_the_tree
from wirelab.catalog import ContenderEntry
from wirelab.plan.order import plan
from wirelab.plan.selection import Selection

SUITE = suites_of_the_tree().suite("websocket")
UNTUNED = (
    *("fastapi", "fastapi-workers-redis"),
    *("node-ws", "node-ws-cluster-redis", "node-ws-cluster-redis-global"),
    *("spring-stomp", "spring-websocket"),
)
CHANGED: dict[str, tuple[str, dict[str, object]]] = {
    "fastapi-gather": ("fastapi", {"fan_out": "gather"}),
    "fastapi-max-size": ("fastapi", {"max_message_bytes": 16_777_216}),
    "fastapi-nginx": ("fastapi", {"proxy": "nginx"}),
    "fastapi-pings": ("fastapi", {"ping_interval_ms": 1000, "ping_timeout_ms": 5000}),
    "fastapi-replicas-nginx": ("fastapi-workers-redis", {"replicas": 2, "workers": None}),
    "node-ws-bufferutil": ("node-ws", {"native_masks": True}),
    "node-ws-strings": ("node-ws", {"send_as": "text"}),
    "node-ws-cluster-redis-one": ("node-ws-cluster-redis", {"workers": 1}),
    "node-ws-cluster-redis-four": ("node-ws-cluster-redis", {"workers": 4}),
    "node-ws-cluster-redis-global-one": ("node-ws-cluster-redis-global", {"workers": 1}),
    "node-ws-cluster-redis-global-four": ("node-ws-cluster-redis-global", {"workers": 4}),
    "spring-stomp-channel": ("spring-stomp", {"broker_threads_per_processor": 2}),
    "spring-stomp-sockjs": ("spring-stomp", {"sockjs": True}),
    "spring-websocket-buffers": ("spring-websocket", {"socket_buffer_bytes": 65_536}),
    "spring-websocket-jetty": (
        "spring-websocket",
        {
            "jetty_threads_per_processor": 16,
            "tomcat_threads_per_processor": None,
            "message_limit_bytes": None,
        },
    ),
    "spring-websocket-max-size": ("spring-websocket", {"message_limit_bytes": 65_536}),
    "spring-websocket-parallel": ("spring-websocket", {"collector": "PS Scavenge"}),
    "spring-websocket-threads": (
        "spring-websocket",
        {"tomcat_threads": 200, "tomcat_threads_per_processor": None},
    ),
    "spring-websocket-zgc": ("spring-websocket", {"collector": "ZGC"}),
}
"""Changes of each, beside the server that it is a tuning of."""

WITH_A_BROKER = {"spring-stomp-rabbitmq": "rabbitmq", "spring-stomp-activemq": "activemq"}
"""A program of their own, which is one for both: their difference is the broker, no parameter."""

OPTIONS = {
    "spring-websocket-parallel": ["-XX:+UseParallelGC"],
    "spring-websocket-zgc": ["-XX:+UseZGC"],
}


def entry(name: str) -> ContenderEntry:
    return SUITE.contenders[name]


@pytest.mark.parametrize("name", CHANGED)
def test_a_tuning_differs_in_one_thing(name: str) -> None:
    untuned, expected = CHANGED[name]
    one, other = entry(name), entry(untuned)
    assert (one.folder / one.manifest.source).resolve() == other.folder
    mine, theirs = one.manifest.tuning, other.manifest.tuning
    keys = {key for key in {*mine, *theirs} if mine.get(key) != theirs.get(key)}
    assert {key: mine.get(key) for key in keys} == expected
    command, there = one.manifest.run.command, other.manifest.run.command
    assert [word for word in command if word not in there] == OPTIONS.get(name, [])
    assert [word for word in there if word not in command] == []


def test_tunings_are_planned_beside_the_unchanged_servers_in_six_blocks() -> None:
    manifests = [one.manifest for one in SUITE.contenders.values()]
    trials = plan(SUITE.manifest, manifests, Selection(["tuning"], "quick", 1))
    taking_part = {trial.contender for trial in trials}
    assert taking_part == {*CHANGED, *UNTUNED, *WITH_A_BROKER}
    assert len(trials) == 6 * len(taking_part)
    assert {trial.load.steps[0].users for trial in trials} == {1000}


def test_a_tuning_is_no_choice_elsewhere() -> None:
    for name in (*CHANGED, *WITH_A_BROKER):
        scenarios = {*entry(name).manifest.scenarios}
        assert "tuning" in scenarios, name
        # What happens to users, which is ranked nowhere.
        unranked = {"silent-peers", "slow-readers", "connection-limit"}
        # What SockJS by HTTP alone is held against.
        beside = {"streams"} if name == "spring-stomp-sockjs" else set()
        assert scenarios <= {"tuning", "faults", *unranked, *beside}, name


LIMITED = {
    "fastapi-nginx-limit": ("fastapi-nginx", None),
    "node-ws-limit": ("node-ws", None),
    "spring-websocket-limit": ("spring-websocket", 20_000),
}
"""By server with a limit of connections: the one without, and the limit that this one has."""


@pytest.mark.parametrize("name", LIMITED)
def test_a_limit_of_connections_is_all_that_differs(name: str) -> None:
    base, limit = LIMITED[name]
    one, other = entry(name), entry(base)
    sources = [(it.folder / it.manifest.source).resolve() for it in (one, other)]
    assert sources[0] == sources[1]
    mine, theirs = one.manifest.tuning, other.manifest.tuning
    assert (mine["max_connections"], theirs.get("max_connections")) == (500, limit)
    assert {**mine, "max_connections": limit} == {"max_connections": None, **theirs}
    assert one.manifest.run == other.manifest.run
    assert {*one.manifest.scenarios} == {"connection-limit"}


def test_each_limit_is_planned_beside_the_server_without() -> None:
    manifests = [one.manifest for one in SUITE.contenders.values()]
    trials = plan(SUITE.manifest, manifests, Selection(["connection-limit"], "quick", 1))
    taking_part = {trial.contender for trial in trials}
    assert taking_part == {*LIMITED, *(base for base, _limit in LIMITED.values())}
    assert {step.users for trial in trials for step in trial.load.steps} == {500, 3000}


def test_a_sensor_is_alone_on_its_board() -> None:
    manifests = [entry("node-ws").manifest]
    (*_, trial) = plan(SUITE.manifest, manifests, Selection(["sensors"], "quick", 1))
    assert trial.parameters["board_size"] == 1
    assert trial.load.steps[0].lanes == trial.load.steps[0].users == 2000


def test_the_folder_of_every_tuning_is_a_manifest_alone() -> None:
    found = {name: sorted(p.name for p in Path(entry(name).folder).iterdir()) for name in CHANGED}
    # Another container has other jars.
    locked = {"spring-websocket-jetty": ["contender.toml", "dependencies.sha256"]}
    assert found == {name: locked.get(name, ["contender.toml"]) for name in CHANGED}


@pytest.mark.parametrize("name", WITH_A_BROKER)
def test_the_one_with_a_broker_differs_in_the_broker_alone(name: str) -> None:
    one, other = entry(name).manifest, entry("spring-stomp").manifest
    assert one.tuning == other.tuning
    assert (one.uses, other.uses) == ([WITH_A_BROKER[name]], [])
    trials = plan(SUITE.manifest, [one, other], Selection(["tuning"], "brief", 1))
    assert {trial.contender for trial in trials} == {name, "spring-stomp"}


def test_both_brokers_are_behind_the_same_program() -> None:
    one, other = map(entry, WITH_A_BROKER)
    assert (other.folder / other.manifest.source).resolve() == one.folder
    assert other.manifest.run == one.manifest.run
    assert other.manifest.build == one.manifest.build
    assert sorted(file.name for file in other.folder.iterdir()) == ["contender.toml"]


def test_whoever_falls_silent_never_draws_and_is_one_of_each_board() -> None:
    names = ("silent-peers", "slow-readers")
    profiles = {name: [*SUITE.manifest.scenarios[name].profiles] for name in names}
    assert profiles == {name: ["check", "brief", "quick", "publish"] for name in names}
    for name in names:
        for profile in profiles[name]:
            (trial, *_) = plan(
                SUITE.manifest, [entry("fastapi").manifest], Selection([name], profile, 1)
            )
            has, (step,) = trial.parameters, trial.load.steps
            silent = int(has["silent_users"])
            assert step.users - step.lanes == silent, (name, profile)
            assert has["placement"] == "spread"
            assert step.users // int(has["board_size"]) == silent, (name, profile)
