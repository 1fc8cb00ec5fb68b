"""Turns of contenders: who is always there, who with which commit, and who never."""

from __future__ import annotations

from collections import Counter

import pytest

from e2e import drawn as turns
from tree import suites_of_the_tree

SCENARIOS = {"codec": "steady", "kv": "client", "messaging": "transfer", "websocket": "ramp"}
"""The main scenario of each suite whose contenders take turns in it."""

ALWAYS = ("node-ws", "axum")
"""Servers that are always there, in another order than the suite's."""

NEVER = {
    "codec": {"cpp-cgd-original", "csharp-cgd-original", "rust-baseline"},
    "kv": {"raw", "aerospike-both"},
    "messaging": {"jms-sonicmq", "socket-mesh"},
    "websocket": {"phoenix", "null", "node-ws-deflate"},
}
"""Contenders that nobody can have, whose users bring a folder, or that no lock file pins;
yardsticks, and contenders of other scenarios."""


@pytest.fixture(autouse=True)
def _in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have turns even where these tests leave nobody out."""
    monkeypatch.delenv(turns.EVERYBODY, raising=False)


def with_commit(
    monkeypatch: pytest.MonkeyPatch, commit: int, suite: str, scenario: str = ""
) -> list[str]:
    """Contenders whose turn it is in a scenario, the main one where none is named."""
    monkeypatch.setattr(turns, "commit", lambda: commit)
    return turns.drawn_of(suite, scenario or SCENARIOS[suite], ())


KINDS = range(30, 30 + turns.ONE_IN)
"""A commit of each kind."""


def everybody(monkeypatch: pytest.MonkeyPatch, suite: str) -> list[str]:
    """Contenders of the main scenario where nobody is left out."""
    with monkeypatch.context() as changed:
        changed.setenv(turns.EVERYBODY, "1")
        return turns.drawn_of(suite, SCENARIOS[suite], ())


@pytest.mark.parametrize("commit", range(turns.ONE_IN))
def test_whoever_is_always_there_is_there_with_every_commit(
    monkeypatch: pytest.MonkeyPatch, commit: int
) -> None:
    others = with_commit(monkeypatch, commit, "websocket")
    found = turns.drawn_of("websocket", "ramp", ALWAYS)
    assert found == sorted({*others, *ALWAYS})
    assert set(ALWAYS) <= set(found)


@pytest.mark.parametrize("suite", SCENARIOS)
def test_each_has_its_turn_with_exactly_one_kind_of_commit(
    monkeypatch: pytest.MonkeyPatch, suite: str
) -> None:
    known = everybody(monkeypatch, suite)
    assert len(known) > 15
    found = [with_commit(monkeypatch, commit, suite) for commit in KINDS]
    assert Counter(name for names in found for name in names) == Counter(known)
    assert min(map(len, found)) >= 1


@pytest.mark.parametrize("suite", NEVER)
def test_who_cannot_be_built_anywhere_has_no_turn(
    monkeypatch: pytest.MonkeyPatch, suite: str
) -> None:
    assert set(suites_of_the_tree().suite(suite).contenders) > NEVER[suite]
    assert not NEVER[suite] & set(everybody(monkeypatch, suite))


def test_whoever_has_a_turn_has_it_in_every_scenario(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = with_commit(monkeypatch, 1, "kv")
    records = with_commit(monkeypatch, 1, "kv", "ycsb")
    assert records
    assert set(records) < set(alone)


def test_the_commit_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    one, next_one, third = (
        with_commit(monkeypatch, n, "websocket") for n in (7, 8, 7 + turns.ONE_IN)
    )
    assert one == third
    assert not {*one} & {*next_one}


@pytest.mark.parametrize("name", ["no-such", "phoenix", "null"])
def test_who_takes_no_turns_is_not_always_there_either(name: str) -> None:
    with pytest.raises(LookupError, match=f"those of websocket that take turns: .'{name}'"):
        turns.drawn_of("websocket", "ramp", ["gws", name])


def test_a_name_that_is_not_among_those_given_is_refused() -> None:
    with pytest.raises(LookupError, match=r"those of opcua that take turns: .'gws'"):
        turns.drawn("opcua", ["gopcua", "node-opcua"], ["gopcua", "gws"])


def test_a_part_of_the_cheats_has_its_turn_with_each_commit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = [f"cheat-{number}" for number in range(turns.ONE_IN + 2)]
    found = []
    for commit in KINDS:
        monkeypatch.setattr(turns, "commit", lambda number=commit: number)
        found.append(turns.having_turn(names))
    assert Counter(name for chosen in found for name in chosen) == Counter(names)
    assert min(map(len, found)) == 1
    monkeypatch.setenv(turns.EVERYBODY, "1")
    assert turns.having_turn(names) == names


def test_of_a_few_each_is_alone_with_its_commits(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["one", "other", "third"]
    found = []
    for commit in range(4):
        monkeypatch.setattr(turns, "commit", lambda number=commit: number)
        found.append(turns.one_in_turn(names))
    assert found == [["one"], ["other"], ["third"], ["one"]]
    monkeypatch.setenv(turns.EVERYBODY, "1")
    assert turns.one_in_turn(names) == names
