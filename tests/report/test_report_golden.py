"""Whole reports of one sample in English, compared with the files in ``golden/``.

``WIRELAB_UPDATE_GOLDEN=1 pytest tests/report`` writes them anew: read the difference before
keeping it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from report_sample import SUITE, sample

from wirelab.report import write

GOLDEN = Path(__file__).parent / "golden"
UPDATE = os.environ.get("WIRELAB_UPDATE_GOLDEN") == "1"


@pytest.fixture
def run_dir(tmp_path: Path) -> Path:
    """A run folder with the golden result and series."""
    if UPDATE:
        result, series = sample()
        GOLDEN.mkdir(exist_ok=True)
        (GOLDEN / "result.json").write_text(result.model_dump_json(indent=1) + "\n", "utf-8")
        (GOLDEN / "series.json").write_text(series.model_dump_json() + "\n", "utf-8")
    for name in ("result.json", "series.json"):
        (tmp_path / name).write_bytes((GOLDEN / name).read_bytes())
    return tmp_path


def test_markdown_is_as_kept(run_dir: Path) -> None:
    (path,) = write(run_dir, "en", ["md"], SUITE)
    _compare(path.read_text("utf-8"), GOLDEN / "report-en.md")


def test_html_is_as_kept(run_dir: Path) -> None:
    (path,) = write(run_dir, "en", ["html"], SUITE)
    _compare(_normalised(path.read_text("utf-8")), GOLDEN / "report-en.html")


def _compare(found: str, kept: Path) -> None:
    if UPDATE:
        kept.write_text(found, "utf-8")
    assert found == kept.read_text("utf-8")


def _normalised(html: str) -> str:
    """The page without drawings, which depend on installed fonts, without style and indentation."""
    html = re.sub(r"<style>.*?</style>", "<style/>", html, flags=re.S)
    html = re.sub(r"<svg xmlns.*?</svg>", "<svg/>", html, flags=re.S)
    return "\n".join(line.strip() for line in html.splitlines() if line.strip()) + "\n"
