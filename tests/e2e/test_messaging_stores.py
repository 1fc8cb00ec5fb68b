"""Brokers whose mode says that the disk has what they acknowledge, by their sync calls."""

from __future__ import annotations

import pytest

from e2e.mailboxes import Results, measured
from e2e.whole_runs import left_of

pytestmark = [pytest.mark.e2e, pytest.mark.needs("strace")]

CHEATS = {"stores-later": {"never-synced"}}
"""Contender: all gates that speak of its messages."""

ECHOES = 20


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Results:
    here = tmp_path_factory.mktemp("stores")
    cheats = dict.fromkeys(["stores", *CHEATS], "storing")
    return measured(here, {"storing"}, set(), cheats, mode="stored")


def test_who_acknowledges_before_it_has_synced_is_told_of(run: Results) -> None:
    assert run.done["storing", "stores-later"]["written"] >= ECHOES
    assert run.spoken(("storing", "stores-later")) == CHEATS["stores-later"]
    of = run.finding("storing", "stores-later", "never-synced")["evidence"]["operations"]["echo"]
    assert of == {"calls": 0, "lanes": 1}


def test_who_syncs_is_not(run: Results) -> None:
    assert run.done["storing", "stores"]["stored"] >= ECHOES
    assert run.spoken(("storing", "stores")) == set()
    assert run.cells["storing", "stores"]["metrics"]["echo.syncs"]["value"] >= 1


def test_nothing_is_left(run: Results) -> None:
    assert left_of(run.folder) == set()
