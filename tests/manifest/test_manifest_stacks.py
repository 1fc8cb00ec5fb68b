"""Scenarios that sample stacks: what does not fit together is told, with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from wirelab.manifest import ManifestError, load_suite
from wirelab.model.scenario import Kind

SUITE = Path(__file__).parents[2] / "suites" / "opcua" / "suite.toml"
TEXT = SUITE.read_text("utf-8")
ASKED = 'stacks_of = "client"'


def complaints(tmp_path: Path, new: str) -> str:
    """Messages about the suite with another line where stacks are asked for."""
    assert ASKED in TEXT
    path = tmp_path / "suite.toml"
    path.write_text(TEXT.replace(ASKED, new, 1), "utf-8")
    try:
        load_suite(path)
    except ManifestError as error:
        return str(error)
    return ""


def test_the_suite_itself_fits(tmp_path: Path) -> None:
    assert complaints(tmp_path, ASKED) == ""
    assert load_suite(SUITE).scenarios["processor-time"].kind is Kind.STACKS


@pytest.mark.parametrize(
    ("new", "says"),
    [
        ('stacks_of = "server"', "measured role of the contender"),
        ('stacks_of = "nobody"', "measured role of the contender"),
        (f'{ASKED}\nsyncs_of = "server"', "are told of by scenarios of their own"),
        (
            f'{ASKED}\n[scenarios.processor-time.steps.all]\nusers = 1\ntitle.en = "All"',
            "stacks are of whole trials",
        ),
        (f'{ASKED}\nrankings = ["read.error.count"]', "where stacks are sampled nobody is ranked"),
    ],
)
def test_what_does_not_fit_is_said(tmp_path: Path, new: str, says: str) -> None:
    assert says in complaints(tmp_path, new)
