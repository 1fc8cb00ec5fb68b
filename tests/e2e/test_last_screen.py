"""The terminal of 80 columns and 30 lines during a run, and at its end."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from cli.command_lines import on_a_terminal
from e2e.conftest import SABOTAGED, SuiteRepository

pytestmark = pytest.mark.e2e

COLUMNS, LINES = 80, 30
CONTENDERS = {"honest": "Does everything right", "cached": "Asks once, and then answers"}
TITLE = "Sabotaged workers over a loopback protocol"


def on_screen(written: str) -> list[str]:
    """The lines of a terminal: what is longer than it is wide goes on in the next one."""
    return [
        line[start : start + COLUMNS]
        for line in (drawn.rsplit("\r", 1)[-1] for drawn in written.rstrip("\n").split("\n"))
        for start in range(0, max(len(line), 1), COLUMNS)
    ]


def measured(
    house: SuiteRepository, contenders: Iterable[str], profile: str, here: Path | None = None
) -> str:
    """Output of a run that is started ``here``; in the house where nothing else is said."""
    chosen = [argument for name in contenders for argument in ("--contender", name)]
    arguments = ("run", "loopback", "--scenario", "s1", "--profile", profile, *chosen)
    code, written = on_a_terminal(*arguments, cwd=here or house.root, root=house.root)
    assert code in SABOTAGED, written
    return written


@pytest.fixture(scope="module")
def written(shared_house: SuiteRepository) -> str:
    return measured(shared_house, CONTENDERS, "smoke")


def runs(house: SuiteRepository) -> list[Path]:
    return sorted((house.root / "results").iterdir())


def test_the_last_screen_has_the_table_a_caution_the_paths_and_the_next_command(
    shared_house: SuiteRepository, written: str
) -> None:
    last = on_screen(written)[-LINES:]
    title = next(place for place, line in enumerate(last) if line.startswith(TITLE))
    table = "\n".join(last[title:])
    for name in CONTENDERS.values():
        assert name in table
    [caution] = [place for place, line in enumerate(last) if line.startswith("Caution: ")]
    assert title < caution
    assert "cells invalid (" in last[caution]
    assert last[caution].endswith("see report")
    [run] = runs(shared_house)
    after = "".join(last[caution:])
    for form in ("html", "md"):
        for language in ("en", "ko"):
            assert str(run / f"report-{language}.{form}") in after
    assert f"Next: open report-en.html; after another run: ./wl compare results/{run.name}" in after


def test_the_next_command_is_typed_as_one_has_to_where_the_user_stands(
    house: SuiteRepository,
) -> None:
    """The commands after a first and after a second run."""
    elsewhere = house.root / "elsewhere"
    elsewhere.mkdir()
    first = on_screen(measured(house, ["honest"], "once", elsewhere))[-LINES:]
    [old] = (elsewhere / "results").iterdir()
    assert f"after another run: ../wl compare results/{old.name} NEW" in "".join(first)
    second = on_screen(measured(house, ["honest"], "once", elsewhere))[-LINES:]
    [new] = {*(elsewhere / "results").iterdir()} - {old}
    assert f"Next: ../wl compare results/{old.name} results/{new.name}" in "".join(second)


def test_the_live_table_judges_nobody_before_all_trials_are_run(written: str) -> None:
    live, last = written.rsplit(TITLE, 1)
    frames = [frame for frame in live.split(TITLE)[1:] if "trials" in frame]
    assert frames
    assert any("0/2" in frame for frame in frames)
    for frame in frames:
        assert "★" not in frame
        assert "invalid" not in frame
    assert "verdict" in last
    assert "invalid" in last


def test_analyse_keeps_every_finding_with_its_remedy(
    shared_house: SuiteRepository, written: str
) -> None:
    assert "→ " not in written
    [run] = runs(shared_house)
    ended = shared_house.here("analyse", str(run))
    assert ended.returncode == 0, ended.stderr
    assert "→ " in ended.stdout
    assert "Caution" not in ended.stdout
