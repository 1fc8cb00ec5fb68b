"""Scenarios under a counter: what does not fit together is told, with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from wirelab.manifest import ManifestError, load_suite

SUITE = Path(__file__).parents[2] / "suites" / "codec" / "suite.toml"
TEXT = SUITE.read_text("utf-8")
BRIEF = "loops = { rounds = 160, more = 8000, count = 1 }"
TELEMETRY = "fewer = { telemetry = 40 }"


def complaints(tmp_path: Path, old: str, new: str) -> str:
    """Messages about the codec suite with ``old``, which it has, made ``new`` once."""
    assert old in TEXT
    path = tmp_path / "suite.toml"
    path.write_text(TEXT.replace(old, new, 1), "utf-8")
    try:
        load_suite(path)
    except ManifestError as error:
        return str(error)
    return ""


def test_the_suite_itself_fits(tmp_path: Path) -> None:
    assert complaints(tmp_path, BRIEF, BRIEF) == ""


def test_counting_has_to_be_asked_for() -> None:
    counted = load_suite(SUITE).scenarios["instructions"]
    assert counted.counts_instructions
    assert set(counted.profiles) == {"brief", "publish"}
    assert counted.rankings == []


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (BRIEF, "loops = { rounds = 160, count = 1 }", "profiles.brief.loops: a count is the diff"),
        (BRIEF, "loops = { more = 8000, count = 1 }", "profiles.brief.loops: a count is the diff"),
        (BRIEF, BRIEF.replace("count = 1", "count = 2"), "one batch each"),
        (TELEMETRY, "fewer = { telemetry = 7 }", "fewer.telemetry: expected a divisor of 160"),
        (TELEMETRY, "fewer = { telemetry = 0 }", "fewer.telemetry: expected a divisor of 160"),
        (TELEMETRY, "fewer = { telemtry = 4 }", 'no step "telemtry", did you mean "telemetry"?'),
        ('operations = ["round_trip"]', 'operations = ["trip"]', 'no operation "trip"'),
        (BRIEF, f"{BRIEF}\ncount = 5", "has no count to set, only: trials, discard, loops, reruns"),
        (
            "rounds = 1000000",
            "rounds = 1000000, more = 9",
            "loops.more: only loops under a counter",
        ),
        (
            'instrument = "callgrind" }',
            'instrument = "callgrind" }\nrankings = ["encode.time"]',
            "rankings[0]: encode.time is no metric here: it is told of operations in "
            "batches that are timed",
        ),
        ('"callgrind"', '"perf"', 'load.instrument: expected one of "clock", "callgrind"'),
    ],
)
def test_what_does_not_fit_is_told(tmp_path: Path, old: str, new: str, says: str) -> None:
    assert says in complaints(tmp_path, old, new)
