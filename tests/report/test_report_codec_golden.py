"""The whole report of a small run of codecs in English, compared with the file in ``golden/``.

``WIRELAB_UPDATE_GOLDEN=1 pytest tests/report`` writes it anew: read the difference before
keeping it.
"""

from __future__ import annotations

import os
from pathlib import Path

from codec_sample import LIBRARIES, SHAPES, sample, without
from codec_text import report

GOLDEN = Path(__file__).parent / "golden"
UPDATE = os.environ.get("WIRELAB_UPDATE_GOLDEN") == "1"

KEPT = {"cpp-cgd-buffer", "cpp-protobuf", "cpp-protobuf-reuse", "cpp-rapidjson", "python-orjson"}


def test_markdown_is_as_kept(tmp_path: Path) -> None:
    gone = [*(set(LIBRARIES) - KEPT), "java-baseline", "rust-baseline"]
    small = without(sample(), contender=gone, step=set(SHAPES) - {"T1", "T2", "T3"})
    people = {n: p for n, p in small.participants.items() if n not in gone}
    found = report(tmp_path, small.model_copy(update={"participants": people}))
    kept = GOLDEN / "codec-en.md"
    if UPDATE:
        kept.write_text(found, "utf-8")
    assert found == kept.read_text("utf-8")
