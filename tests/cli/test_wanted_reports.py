"""A run writes the reports that are asked for; others are made of it at any time."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.command_lines import said
from e2e.conftest import MEASURED, SuiteRepository

EVERY = ["report-en.html", "report-en.md", "report-ko.html", "report-ko.md"]


def reports_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("report*"))


def next_of(output: str) -> str:
    """The command that the last line suggests."""
    last = output.replace("\n", " ").rpartition("Next: ")[2]
    assert last, output
    return last.partition(";")[0]


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (["de"], "--report de: say none, a language (en, ko) or a file (en.html, en.md, ko.html"),
        (["en.pdf"], "--report en.pdf: say none, a language (en, ko) or a file (en.html"),
        (["en", "none"], "--report none goes with no other --report"),
    ],
)
def test_what_is_no_report_is_said_before_anything_is_measured(
    tmp_path: Path, asked: list[str], says: str
) -> None:
    options = [word for name in asked for word in ("--report", name)]
    ended = said("run", "opcua", *options, cwd=tmp_path)
    assert ended.returncode == 2
    assert says in " ".join(ended.stderr.replace("│", " ").split())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.e2e
def test_a_run_writes_the_reports_that_are_asked_for_and_no_other(tmp_path: Path) -> None:
    house = SuiteRepository(tmp_path, "metronome")
    chosen = ("metronome", "--profile", "once", "--contender", "steady")
    first = house.here("run", *chosen, "--report", "ko.md", "--report", "en")
    assert first.returncode in MEASURED, first.stdout + first.stderr
    folder = house.only_run()
    assert reports_in(folder) == ["report-en.html", "report-en.md", "report-ko.md"]
    for name in reports_in(folder):
        assert str(folder / name) in first.stdout.splitlines()
    assert next_of(first.stdout) == "open report-en.html"

    # What is there was written of an earlier state of the run: nobody is to read that.
    (folder / "report-ko.md").write_text("old")
    for page in folder.glob("report-en.*"):
        page.unlink()
    again = house.here("run", "--resume", str(folder), "--report", "none")
    assert again.returncode in MEASURED, again.stdout + again.stderr
    assert reports_in(folder) == ["report-ko.md"]
    assert "steady" in (folder / "report-ko.md").read_text("utf-8")

    (folder / "report-ko.md").unlink()
    none = house.here("run", "--resume", str(folder), "--report", "none")
    assert none.returncode in MEASURED, none.stdout + none.stderr
    assert reports_in(folder) == []
    told = next_of(none.stdout)
    assert told == f"./wl report results/{folder.name}"
    written = house.here(*told.split()[1:])
    assert written.returncode == 0, written.stderr
    assert reports_in(folder) == EVERY
    assert sorted(written.stdout.splitlines()) == [
        f"results/{folder.name}/{name}" for name in EVERY
    ]
