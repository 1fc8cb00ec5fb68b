"""The usual speed of a machine is kept in the user's cache, and told with each run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from wirelab.doctor.canaries import MOST_KEPT, fastest_ns
from wirelab.doctor.examine import disclosure

HOST = {"cpu": "Processor 3000", "kernel": "6.1"}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of this test alone."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "wirelab" / "canaries.json"


def test_what_a_quiet_hour_has_shown_is_known_in_a_noisy_one() -> None:
    quiet = [1000 + n for n in range(20)]
    assert fastest_ns(HOST, quiet) == pytest.approx(1002, abs=1)
    assert fastest_ns(HOST, [2000] * 20) < 1010


def test_another_processor_or_kernel_is_another_machine() -> None:
    fastest_ns(HOST, [1000] * 20)
    assert fastest_ns({**HOST, "kernel": "6.2"}, [2000]) == 2000
    assert fastest_ns({**HOST, "cpu": "Processor 4000"}, [3000]) == 3000
    assert fastest_ns(HOST, [1000]) == 1000


def test_so_many_are_kept(home: Path) -> None:
    fastest_ns(HOST, [500])
    fastest_ns(HOST, [1000] * MOST_KEPT)
    (kept,) = json.loads(home.read_text("utf-8")).values()
    assert kept == [1000] * MOST_KEPT


@pytest.mark.parametrize("content", ["", "{", "[]", '{"a": 1}', '{"a": [0]}', '{"a": ["x"]}'])
def test_a_cache_of_another_form_is_none(home: Path, content: str) -> None:
    home.parent.mkdir()
    home.write_text(content, "utf-8")
    assert fastest_ns(HOST, [1000]) == 1000
    assert len(json.loads(home.read_text("utf-8"))) == 1


def test_a_cache_that_cannot_be_written_is_none(home: Path) -> None:
    home.parent.write_text("no folder", "utf-8")
    assert fastest_ns(HOST, [1000]) == 1000


def test_a_run_discloses_it(home: Path) -> None:
    told = disclosure()
    assert 0 < told["canary_fastest_ns"] <= told["canary_ns"]
    assert home.is_file()
