"""The whole report of a small run of codecs, compared with the files in ``golden/``.

``WIRELAB_UPDATE_GOLDEN=1 pytest tests/report`` writes them anew: read the difference before
keeping it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from codec_sample import LIBRARIES, SHAPES, sample, without
from codec_text import report

GOLDEN = Path(__file__).parent / "golden"
UPDATE = os.environ.get("WIRELAB_UPDATE_GOLDEN") == "1"

KEPT = {"cpp-cgd-buffer", "cpp-protobuf", "cpp-protobuf-reuse", "cpp-rapidjson", "python-orjson"}


@pytest.mark.parametrize("language", ["en", "ko"])
def test_markdown_is_as_kept(tmp_path: Path, language: str) -> None:
    gone = [*(set(LIBRARIES) - KEPT), "java-baseline", "rust-baseline"]
    small = without(sample(), contender=gone, step=set(SHAPES) - {"T1", "T2", "T3"})
    people = {n: p for n, p in small.participants.items() if n not in gone}
    found = report(tmp_path, small.model_copy(update={"participants": people}), language)
    kept = GOLDEN / f"codec-{language}.md"
    if UPDATE:
        kept.write_text(found, "utf-8")
    assert found == kept.read_text("utf-8")
