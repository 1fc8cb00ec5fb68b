"""Kinds of heap figures in both languages: those that workers of the tree tell, and strangers'."""

from __future__ import annotations

import re
from pathlib import Path

from wirelab.gates.heap_kind import TOLD
from wirelab.gates.wording import evidence_lines
from wirelab.model.result import Finding, Verdict
from wirelab.words.translation import words

ROOT = Path(__file__).parents[2]
FILES = (
    *("sdk/python/wirelab_sdk/runtime.py", "sdk/node/src/runtime.js", "sdk/go/runtime.go"),
    *("sdk/csharp/src/RuntimeProbe.cs", "sdk/c/wirelab/worker.h"),
    "sdk/java/src/main/java/io/wirelab/sdk/RuntimeProbe.java",
    "suites/websocket/libraries/python/process_reports.py",
)
SAID = re.compile(
    r"""(?:HEAP_KIND|HeapKind|heapKind)\s+?=\s["'](.+?)["']|heap_kind\\":\\"(.+?)\\\""""
)


def test_the_kinds_of_the_tree_have_words() -> None:
    found = [SAID.findall((ROOT / name).read_text("utf-8")) for name in FILES]
    assert [len(kinds) for kinds in found] == [1] * len(FILES)
    assert {one or other for kinds in found for one, other in kinds} == set(TOLD)


def test_they_are_korean_in_a_korean_report_and_strangers_are_quoted() -> None:
    evidence = {"kinds": ["V8 heap in use", "marble in use"]}
    finding = Finding(gate="heap-kind", verdict=Verdict.VALID, evidence=evidence)
    assert evidence_lines(finding, "", words("ko")) == ["사용 중인 V8 힙, marble in use"]
    assert evidence_lines(finding, "", words("en")) == ["V8 heap in use, marble in use"]
