"""Units of what a suite counts, in the language of the report."""

from __future__ import annotations

from pathlib import Path

import pytest
from suite_sample import sample_of, write_run
from typer.testing import CliRunner

from wirelab.cli import app
from wirelab.report.units import unit_in_words
from wirelab.words.translation import words

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("suite", "english", "korean"),
    [("opcua", "tag/s", "태그/s"), ("websocket", "message/s", "메시지/s")],
)
def test_a_korean_report_counts_in_korean(
    tmp_path: Path, suite: str, english: str, korean: str
) -> None:
    run = write_run(tmp_path / "run", sample_of(suite))
    done = CliRunner().invoke(app, ["report", str(run), "--form", "md"])
    assert done.exit_code == 0, done.output
    told, said = ((run / f"report-{which}.md").read_text("utf-8") for which in ("ko", "en"))
    assert f"({korean})" in told
    assert f"({english})" not in told
    assert f"({english})" in said
    assert korean not in said


@pytest.mark.parametrize(
    ("unit", "said"),
    [("message/s", "메시지/s"), ("MB/s", "MB/s"), ("ms", "ms"), ("marble/s", "marble/s")],
)
def test_other_units_stay_as_they_are(unit: str, said: str) -> None:
    own = words("ko", ROOT / "suites/websocket/locale")
    assert unit_in_words(unit, own) == said
    assert unit_in_words(unit, words("en")) == unit
