"""Lines of the interval file as the harnesses in Python and Java write them.

``interval_lines.json`` holds what they, and the one in Go, wrote while the HdrHistogram of their
languages did it; but the harness in Go raised what is below 1 us to it, and no longer does. It is
held to it by its own tests.
"""

from __future__ import annotations

import base64
import json
import re
import subprocess
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from test_messaging_verify import loaded

from tree import suites_of_the_tree
from wirelab.build import PartBuilds, contender_part
from wirelab.build.tools import JAVAC

ROOT = Path(__file__).parents[2]
COUNTED = ("expected", "received", "duplicates", "reordered", "held", "wrong", "bytes")
PATIENCE_S = 60
HISTOGRAM = re.compile(r'(?<="service":")[^"]+|(?<="response":")[^"]+')


@dataclass(frozen=True)
class Given:
    """The second, step, counts and durations of a line, and how it was written in each language."""

    second: int
    step: str
    counts: dict[str, int]
    durations: list[tuple[int, int]]
    """Each with how often it was found."""
    python: str
    java: str
    go: str

    def each(self) -> Iterator[int]:
        """All durations."""
        for ns, times in self.durations:
            yield from [ns] * times


KEPT = json.loads(Path(__file__).with_name("interval_lines.json").read_text("utf-8"))
LINES = [Given(**one) for one in KEPT]
"""A line with a step is of a closed loop."""


def packed(line: str) -> str:
    """A line whose histograms are compressed by the zlib of this machine."""

    def again(found: re.Match[str]) -> str:
        data = base64.b64decode(found[0])
        assert int.from_bytes(data[4:8], "big") == len(data) - 8
        compressed = zlib.compress(zlib.decompress(data[8:]))
        return base64.b64encode(data[:4] + len(compressed).to_bytes(4, "big") + compressed).decode()

    return HISTOGRAM.sub(again, line)


def by_python(lines: Sequence[Given]) -> list[str]:
    harness = loaded("messaging_tally", "python/messaging_harness/tally.py")
    found = []
    for one in lines:
        tally = harness.Tally(**one.counts)
        for ns in one.each():
            tally.service.add(ns)
            if not one.step:
                tally.response.add(ns)
        found.append(tally.interval(one.second, one.step).line())
    return found


@pytest.fixture(scope="module", name="by_java")
def _by_java(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Sequence[Given]], list[str]]:
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

    def by_java(lines: Sequence[Given]) -> list[str]:
        asked = [
            f"{one.second};{one.step};{' '.join(str(one.counts.get(name, 0)) for name in COUNTED)};"
            f"{' '.join(map(str, one.each()))}\n"
            for one in lines
        ]
        told, file = "".join(asked), folder / "intervals"
        subprocess.run([*started, file], input=told, text=True, check=True, timeout=PATIENCE_S)
        return file.read_text("utf-8").splitlines(keepends=True)

    return by_java


def test_what_is_in_the_lines() -> None:
    durations = [sum(times for _, times in one.durations) for one in LINES]
    assert durations == [0, 6, 9, 8, 20_300, 400]
    assert [len(HISTOGRAM.findall(one.java)) for one in LINES] == [0, 1, 2, 2, 1, 2]
    assert [len(HISTOGRAM.findall(one.go)) for one in LINES] == [0, 1, 2, 2, 1, 2]
    assert set(COUNTED) == {name for one in LINES for name in one.counts}


def test_the_harness_in_python_writes_as_it_always_did() -> None:
    assert by_python(LINES) == [packed(one.python) + "\n" for one in LINES]


@pytest.mark.e2e
@pytest.mark.needs("java", "javac", "mvn")
def test_the_harness_in_java_writes_as_it_always_did(
    by_java: Callable[[Sequence[Given]], list[str]],
) -> None:
    found = [packed(line) for line in by_java(LINES)]
    assert found == [packed(one.java) + "\n" for one in LINES]
