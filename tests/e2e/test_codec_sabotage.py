"""Codecs that cheat, through the real core, the real suite and the real harness.

Each is accused of what it does, for the shapes it does it to, and its other shapes keep their
figures. What is only done in loops is caught by their checksums.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from cli.command_lines import said
from reports_of_runs import with_reports

pytestmark = pytest.mark.e2e

REPOSITORY = Path(__file__).parents[2]
CHEATS = REPOSITORY / "tests" / "sabotage" / "codec"
SHAPES = {"T1", "T2", "T3", "T4", "T5", "telemetry", "chat"}

UNHEARD_OF = "values that nobody had seen before did not come back"

ACCUSED_OF = {
    "honest": (set[str](), ""),
    "skips-a-field": ({"T1"}, "decode 0: .u16 is 0, not 32210"),
    "wrong-type": ({"T1"}, ".d is "),
    "constant-result": (SHAPES, "decode 1: "),
    "never-rewinds": (SHAPES, "gave the checksum"),
    "leaks-state": ({"T3"}, "other bytes the second time"),
    "falls-behind": (SHAPES, "gave the checksum"),
    "caches-encodings": (SHAPES, "encode: values that had changed in place gave the checksum"),
    "caches-values": (SHAPES, "gave the checksum"),
    "shares-a-result": (SHAPES, "decode: values that had changed in place gave the checksum"),
    "leaves-middles-out": (
        {"T2", "T4", "chat"},
        "decode: values that had changed in place gave the checksum",
    ),
    "caches-by-identity": (SHAPES, "decode: values that had changed in place gave the checksum"),
    "knows-its-caller": (SHAPES, "decode: values that had changed in place gave the checksum"),
    "knows-the-twins": (SHAPES, f"encode: {UNHEARD_OF}"),
    "rotates-results": (SHAPES, "decode: values that had changed in place gave the checksum"),
    "reads-later": (
        SHAPES - {"T3", "T4"},
        "decode: values that had changed in place gave the checksum",
    ),
    "stops-checking": (SHAPES, "decode: bad inputs that it refused at first"),
    "notes-its-input": (SHAPES, "encode: values that had changed in place gave the checksum"),
    "collects-between": (set(), ""),
    "throws": ({"T5", "chat", "telemetry"}, "threw NotImplementedError: maps of lists"),
    "trusts-texts": ({"T2", "T4", "T5", "chat"}, "values that "),
    "cuts-long-texts": ({"T2", "T4", "T5", "chat"}, "values that "),
    "rounds-fractions": ({"T1", "telemetry", "chat"}, "encode: values that "),
    "loses-low-bits": ({"T1", "telemetry"}, UNHEARD_OF),
    "keyed-by-part": (SHAPES, "encode: values that had changed in place"),
    "writes-elements-in-a-byte": ({"T3", "T5"}, "encode: values that had changed in place"),
    "composes-texts": ({"T2", "T4", "T5", "chat"}, UNHEARD_OF),
    "ends-texts-at-zero": ({"T2", "T4", "T5", "chat"}, UNHEARD_OF),
    "counts-in-a-byte": ({"T3", "T4", "T5", "chat"}, UNHEARD_OF),
    "knows-the-keys": ({"T5"}, UNHEARD_OF),
    "knows-no-unsigned": ({"T1"}, UNHEARD_OF),
}
"""Contender: the shapes that have no figures, and what is said of them."""

IN_LOOPS = {
    *("never-rewinds", "falls-behind"),
    *("caches-encodings", "caches-values", "shares-a-result", "notes-its-input"),
    "leaves-middles-out",
    *("caches-by-identity", "knows-its-caller", "rotates-results", "reads-later"),
    *("stops-checking", "knows-the-twins"),
    *("rounds-fractions", "loses-low-bits", "keyed-by-part"),
}
IN_CPP = "notes-where-it-lies"
"""Notes its input in C++, where the address is enough."""

BY_CHANCE = {
    "loses-low-bits": ("chat",),
    "cuts-long-texts": ("T5",),
    "counts-in-a-byte": ("T5",),
}
"""Shapes with such values in one of eighty fields, or one of eight draws: chance does not choose
them in every run.
"""

AUDITED = """
[scenarios.steady.profiles.audited]
trials = 1
loops = { batch = "2ms", count = 3, warmup = "2ms" }
"""
"""A profile with batches as short as those of ``check``, and as many as ``smoke`` has: after each,
an audit draws values that nobody has seen, few of which show what is wrong; and who works between
batches needs two. No accusation depends on how long a batch takes.
"""

SELDOM = "telemetry"
"""A slow shape: a busy machine may not get to the iteration in which a loop begins to cheat."""


@pytest.fixture(scope="module")
def cells(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Cells of the scenario steady by id, from a house with the real suite."""
    house = furnished(tmp_path_factory.mktemp("codec-sabotage"))
    asked = [f"--contender={copied(name, house)}" for name in ACCUSED_OF]
    with (house / "suites" / "codec" / "suite.toml").open("a", encoding="utf-8") as manifest:
        manifest.write(AUDITED)
    found = judged(house, "audited", asked)
    assert {cell["contender"] for cell in found} >= set(ACCUSED_OF)
    return {cell["id"]: cell for cell in found}


def judged(house: Path, profile: str, asked: list[str]) -> list[dict[str, Any]]:
    """Cells of a run of the real suite in a house of its own."""
    words = ["run", "codec", "--scenario", "steady", "--profile", profile, "--seed", "3", *asked]
    ended = said(*with_reports(words), cwd=house, root=house)
    results = list((house / "results").glob("*/result.json"))
    assert len(results) == 1, ended.stdout + ended.stderr
    found: list[dict[str, Any]] = json.loads(results[0].read_text("utf-8"))["cells"]
    return found


def furnished(house: Path) -> Path:
    """A folder with all that a run of the suite needs."""
    (house / "suites").mkdir()
    left = shutil.ignore_patterns("__pycache__")
    shutil.copytree(REPOSITORY / "suites" / "codec", house / "suites" / "codec", ignore=left)
    for shared in ("sdk", "crates"):
        (house / shared).symlink_to(REPOSITORY / shared)
    return house


def copied(name: str, house: Path) -> Path:
    """A contender with its worker in its own folder, where its sandbox shows it."""
    folder = house / name
    shutil.copytree(CHEATS / name, folder)
    for file in CHEATS.glob("*.py"):
        shutil.copy(file, folder)
    return folder


def accusations(cell: dict[str, Any]) -> list[str]:
    """Findings of the gate for wrong answers."""
    return [
        text
        for finding in cell["findings"]
        if finding["gate"] == "wrong-answer"
        for text in finding["evidence"]["findings"]
    ]


@pytest.mark.parametrize("contender", ACCUSED_OF)
def test_a_codec_is_accused_for_the_shapes_it_gets_wrong(
    cells: dict[str, dict[str, Any]], contender: str
) -> None:
    shapes, told = ACCUSED_OF[contender]
    assert {c["step"] for c in cells.values() if c["contender"] == contender} >= SHAPES
    for shape in SHAPES:
        cell = cells[f"codec/steady/{shape}/{contender}"]
        said = accusations(cell)
        if shape in BY_CHANCE.get(contender, ()) or (contender in IN_LOOPS and shape == SELDOM):
            continue
        assert bool(said) == (shape in shapes), (shape, said)
        if said:
            assert any(told in text for text in said), said
            assert cell["verdict"] == "invalid"
            figures = [m["value"] for n, m in cell["metrics"].items() if n.endswith(".time")]
            assert set(figures) == {None}
        else:
            assert cell["metrics"]["round_trip.time"]["value"] > 0


def test_work_between_batches_is_told_from_none(cells: dict[str, dict[str, Any]]) -> None:
    for shape in SHAPES:
        cell = cells[f"codec/steady/{shape}/collects-between"]
        (finding,) = (f for f in cell["findings"] if f["gate"] == "between-batches")
        assert finding["evidence"]["operations"].keys() == {"encode", "decode", "round_trip"}
        assert cell["verdict"] == "invalid"
        honest = cells[f"codec/steady/{shape}/honest"]
        assert "between-batches" not in {f["gate"] for f in honest["findings"]}


@pytest.mark.needs("cmake", "g++")
def test_bytes_that_say_where_a_value_lies_are_read_when_another_one_lies_there(
    tmp_path: Path,
) -> None:
    house = furnished(tmp_path)
    cells = judged(house, "check", [f"--contender={copied(IN_CPP, house)}"])
    own = {cell["step"]: cell for cell in cells if cell["contender"] == IN_CPP and cell["step"]}
    assert set(own) == SHAPES
    for told in map(accusations, own.values()):
        assert any("encode: values that had changed in place" in text for text in told), told
        assert any("round_trip: values that had changed in place" in text for text in told), told


def test_an_operation_that_threw_is_named(cells: dict[str, dict[str, Any]]) -> None:
    findings = {f["gate"]: f for f in cells["codec/steady/T5/throws"]["findings"]}
    failed = findings["loop-failed"]["evidence"]["operations"]
    assert failed["encode"] == "NotImplementedError: maps of lists"


def test_yardsticks_of_the_language_come_along(cells: dict[str, dict[str, Any]]) -> None:
    baseline = cells["codec/steady/T1/python-baseline"]
    assert baseline["metrics"]["copy.time"]["value"] > 0
    assert baseline["ranks"] == {}
    assert not any("go-baseline" in name for name in cells)
