"""Attacks of a contender on the core, through the command line.

Each ends its own trial at most, with a reason that says what was found and what would be taken;
other trials go on, and what was recorded can be analysed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from e2e.attackers import Attacker, write_suite
from e2e.conftest import SABOTAGED, SuiteRepository

pytestmark = [pytest.mark.e2e, pytest.mark.long(2)]

Json = dict[str, Any]

REASONS = {
    "facts-too-deep": ("garbage-output", "nested deeper than 64 levels"),
    "facts-of-half-a-character": ("garbage-output", "half of a surrogate pair"),
    "facts-of-a-huge-number": ("garbage-output", "a whole number of more than 64 bits"),
    "facts-of-no-number": ("garbage-output", "Infinity, which is no number of JSON"),
    "event-without-a-key": ("garbage-output", "done.records: Field required"),
    "event-too-deep": ("garbage-output", "nested deeper than 64 levels"),
    "event-of-a-huge-number": ("garbage-output", "a whole number of more than 64 bits"),
    "event-of-a-number-too-large": ("garbage-output", "runtime.monotonic_ns"),
    "event-not-in-utf-8": ("garbage-output", "not UTF-8"),
    "fills-the-disk": ("wrote-too-much", "4294967296 bytes are the most"),
    "log-of-traces": ("exited", "exit code 3"),
    "log-without-end": ("exited", "exit code 3"),
    "answer-of-half-a-character": ("wrong-answer", ""),
    "answer-without-a-key": ("rules-failed", "KeyError"),
    "answer-from-the-future": ("wrong-answer", "end_ns lies in the future"),
    "answer-too-deep": ("rules-failed", "TypeError"),
    "answer-of-a-huge-number": ("wrong-answer", ""),
    "samples-are-a-pipe": ("sample-file", "client.samples is no regular file"),
    "samples-are-a-device": ("sample-file", "client.samples is a link, which is not followed"),
    "samples-are-a-folder": ("sample-file", "client.samples is no regular file"),
    "samples-of-the-end-of-time": ("rewritten-records", "that it had ended by then"),
    "samples-of-nothing-but-size": (
        "sample-file",
        "client.samples has 10737418240 bytes, and 2147483648 bytes are the most",
    ),
    "answers-are-a-pipe": ("broken-answers", "client.answers.jsonl is no regular file"),
    "answers-of-nothing-but-size": (
        "broken-answers",
        "client.answers.jsonl has 10737418240 bytes, and 268435456 bytes are the most",
    ),
    "intervals-are-a-pipe": ("sample-file", "client.intervals.jsonl is no regular file"),
    "intervals-of-nothing-but-size": (
        "sample-file",
        "client.intervals.jsonl has 10737418240 bytes, and 268435456 bytes are the most",
    ),
    "intervals-that-inflate": (
        "sample-file",
        "client.intervals.jsonl: an HdrHistogram that inflates to more than 1048576 bytes",
    ),
}
"""Attack: the reason of its trial, and a part of the sentence."""

HARMLESS = {
    "none",
    "many-errors",
    "log-of-20-megabytes",
    "folders-in-the-way",
    "links-in-the-way",
    "another-folder",
    "keeper-that-is-stopped",
    "pipes-for-others",
}
"""Attacks that come to nothing: their trials are carried through, whatever becomes of figures."""

OWN_SERVER = {"keeper-that-is-stopped", "pipes-for-others"}
RESTARTED = {"keeper-that-is-stopped"}
"""Attacks of a server that a fault kills."""

WITH_A_FAULT = """
[scenarios.restarted]
title = { en = "The server is killed and restarted" }
load = { type = "paced", period = "10ms" }
ready_limit = "30s"
stop_limit = "60s"
bounds = { error_ratio = 1.0 }
parameters = { tags = 16, write_every = 4 }

[scenarios.restarted.roles]
server = { provider = "contender" }
client = { provider = "contender", measured = true }

[scenarios.restarted.operations]
read = { code = 1, items = 16, item = "tag", preflight = 1, verify_ratio = 0.2 }

[scenarios.restarted.profiles]
smoke = { trials = 1, count = 60 }

[scenarios.restarted.variants.restart]
title = { en = "Server killed and restarted" }
expects = "recovery"
faults = [{ at = "before-client", action = "restart", role = "server" }]

[scenarios.own-server]
"""

SHORT = {
    'ready_limit = "3s"': 'ready_limit = "30s"',
    'stop_limit = "3s"': 'stop_limit = "60s"',
    "smoke = { trials = 2, count = 130": "smoke = { trials = 1, count = 60",
    "[scenarios.own-server]\n": WITH_A_FAULT,
}


def hostile_suite(folder: Path) -> None:
    """Every attack as a contender, and short trials."""
    names = sorted({*REASONS, *HARMLESS})
    attackers = {
        name: Attacker("hostile", name in OWN_SERVER, "restarted" if name in RESTARTED else "")
        for name in names
    }
    write_suite(folder, attackers, SHORT)


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> SuiteRepository:
    root = tmp_path_factory.mktemp("attacked")
    hostile_suite(root / "suites" / "hostile")
    house = SuiteRepository(root, "loopback")
    (root / "suites" / "loopback").unlink()
    # A sandbox would refuse some of it: this is what holds without one.
    options = ("--no-sandbox", "--profile", "smoke", "--seed", "1")
    ended = house.wl("run", "hostile", *options, timeout=900)
    assert ended.returncode in SABOTAGED, ended.stdout + ended.stderr
    # One attack says the word itself, in the middle of a line.
    assert "\nTraceback" not in ended.stdout + ended.stderr
    return house


@pytest.fixture(scope="module")
def records(attacked: SuiteRepository) -> dict[str, Json]:
    found = [json.loads(p.read_bytes()) for p in attacked.only_run().glob("trials/*/trial.json")]
    return {record["planned"]["contender"]: record for record in found}


@pytest.mark.parametrize("attack", sorted(REASONS))
def test_an_attack_ends_its_trial_with_what_was_found(
    records: dict[str, Json], attack: str
) -> None:
    reason, sentence = REASONS[attack]
    record = records[attack]
    assert (record["status"], record["reason"]) == ("failed", reason), record["detail"]
    assert sentence in record["detail"] + "".join(record["wrong_answers"])
    assert record["role"] == "client" or reason == "rules-failed"


@pytest.mark.parametrize("attack", sorted(HARMLESS))
def test_an_attack_that_comes_to_nothing(records: dict[str, Json], attack: str) -> None:
    assert (records[attack]["status"], records[attack]["reason"]) == ("ok", "")


def test_what_is_kept_of_many_errors_is_bounded(
    attacked: SuiteRepository, records: dict[str, Json]
) -> None:
    assert len(records["many-errors"]["roles"]["client"]["errors"]) == 10_000
    (log,) = attacked.only_run().glob("trials/*-log-of-20-megabytes/client.stderr")
    assert log.stat().st_size == 8 << 20


def test_what_was_written_beyond_the_bound_is_removed(attacked: SuiteRepository) -> None:
    (trial,) = attacked.only_run().glob("trials/*-fills-the-disk")
    assert (trial / "client.stderr").exists()
    assert not (trial / "client").exists()


def test_nothing_is_written_through_a_link(attacked: SuiteRepository) -> None:
    assert not (attacked.only_run() / "victim").exists()
    (trial,) = attacked.only_run().glob("trials/*-links-in-the-way")
    replaced = ["trial.json", "client.parquet", "monitor.parquet"]
    told = (trial / "client.stderr").read_text().splitlines()
    assert told == [f"a link in the way of {name}" for name in replaced]
    # What lay where the core puts a file together is gone with it.
    assert [path.name for path in trial.iterdir() if path.is_symlink()] == []
    assert {name: (trial / name).is_file() for name in replaced} == dict.fromkeys(replaced, True)


@pytest.mark.parametrize(
    ("attack", "said"),
    [
        ("samples-are-a-pipe", "fail  samples: no sample file: it is a pipe, a device or a folder"),
        ("answers-of-nothing-but-size", "10737418240 bytes, and 268435456 bytes are the most"),
    ],
)
def test_the_checker_reads_within_bounds_too(
    attacked: SuiteRepository, attack: str, said: str
) -> None:
    contender = attacked.root / "suites" / "hostile" / "contenders" / attack
    checked = attacked.here("conform", str(contender))
    assert checked.returncode == 1, checked.stderr
    assert said in checked.stdout


def test_the_run_can_be_analysed_again(attacked: SuiteRepository) -> None:
    run = attacked.only_run()
    (run / "result.json").unlink()
    ended = attacked.here("analyse", str(run))
    assert ended.returncode == 0, ended.stdout + ended.stderr
    cells = {
        cell["contender"]: cell for cell in json.loads((run / "result.json").read_bytes())["cells"]
    }
    assert cells.keys() == {*REASONS, *HARMLESS}
    for attack in REASONS:
        assert cells[attack]["verdict"] == "invalid"
        assert cells[attack]["ranks"] == {}
    assert cells["none"]["metrics"]["read.rate"]["value"] is not None
