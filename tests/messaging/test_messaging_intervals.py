"""Lines of the interval file as harnesses without an SDK for them write them, by the vectors."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from test_messaging_verify import loaded

from sdk.vectors import read
from tree import suites_of_the_tree
from wirelab.build import PartBuilds, contender_part
from wirelab.build.tools import JAVAC
from wirelab.samples.intervals import decoded

ROOT = Path(__file__).parents[2]
COUNTED = ("expected", "received", "bytes")
PATIENCE_S = 60


@dataclass(frozen=True)
class Given:
    """The second, step, counts and durations of a line, and the histogram of these."""

    second: int
    step: str
    counts: dict[str, int]
    durations: list[int]
    histogram: str


def given() -> Iterator[Given]:
    """A line for each histogram of the vectors, and one for none."""
    for case in read("intervals.json")["intervals"]:
        fields = case["fields"]
        for kind in ("service", "response"):
            step, counts = fields.get("step", ""), fields["counts"]
            yield Given(fields["second"], step, counts, case[f"{kind}_ns"], case[kind])


LINES = list(given())
"""The lines of all vectors; one with a step is of a closed loop."""


def by_python(lines: Sequence[Given]) -> list[Any]:
    harness = loaded("messaging_tally", "python/messaging_harness/tally.py")
    found = []
    for one in lines:
        tally = harness.Tally(**one.counts)
        for ns in one.durations:
            tally.service[harness.bucket(ns)] += 1
            tally.response[harness.bucket(ns)] += 1
        found.append(json.loads(tally.line(one.second, one.step or None)))
    return found


@pytest.fixture(scope="module", name="by_java")
def _by_java(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Sequence[Given]], list[Any]]:
    """The harness of a contender that was built, with a program beside it."""
    suite = suites_of_the_tree().suite("messaging")
    built = PartBuilds(ROOT).prepare(contender_part(suite, suite.contenders["rmi"]))
    compiler, folder = JAVAC.find(), tmp_path_factory.mktemp("tally")
    assert compiler is not None
    harness = built.filled(["{build}/app.jar:{build}/lib/*"], "client")[0]
    source = Path(__file__).with_name("TallyVectors.java")
    command = [str(compiler.path), "-d", str(folder), "-cp", harness, str(source)]
    subprocess.run(command, check=True, timeout=PATIENCE_S)
    program = ["{java}", "-XX:TieredStopAtLevel=1", "-cp", f"{folder}:{harness}"]
    started = built.filled([*program, "io.wirelab.messaging.TallyVectors"], "client")

    def by_java(lines: Sequence[Given]) -> list[Any]:
        asked = [
            f"{one.second};{one.step};{' '.join(str(one.counts.get(name, 0)) for name in COUNTED)};"
            f"{' '.join(map(str, one.durations))}\n"
            for one in lines
        ]
        ended = subprocess.run(
            started,
            input="".join(asked),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            timeout=PATIENCE_S,
        )
        return [json.loads(line) for line in ended.stdout.splitlines()]

    return by_java


def check(found: list[Any]) -> None:
    """Lines are those of the vectors: the second, the step of a closed loop, counts, durations."""
    assert len(found) == len(LINES) == 6
    for one, line in zip(LINES, found, strict=True):
        response = {} if one.step else {"response": line.pop("response", "")}
        texts = {"service": line.pop("service", ""), **response}
        assert {name: count for name, count in line.pop("counts").items() if count} == one.counts
        step = {"step": one.step} if one.step else {}
        assert line == {"second": one.second, "operation": "delivery", **step}
        for text in texts.values():
            assert bool(text) == bool(one.durations)
            if text:
                wanted, said = decoded(one.histogram), decoded(text)
                assert said.lows.tolist() == wanted.lows.tolist()
                assert said.counts.tolist() == wanted.counts.tolist()
    assert sum(bool(one.durations) for one in LINES) == 3


def test_the_harness_in_python_writes_the_vectors() -> None:
    check(by_python(LINES))


@pytest.mark.e2e
@pytest.mark.needs("java", "javac", "mvn")
def test_the_harness_in_java_writes_the_vectors(
    by_java: Callable[[Sequence[Given]], list[Any]],
) -> None:
    check(by_java(LINES))
