"""Titles of contenders in Korean: what describes one is Korean, names stay as they are."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from wirelab.model.contender import Contender

ROOT = Path(__file__).parents[2]
NAMES = {
    *("CGD buffer", "asyncio", "asyncio.gather", "bufferutil", "executor", "fsync", "nginx"),
    *("gRPC", "ping", "record", "upb", "ws"),
    *("msgpack-java", "nlohmann/json", "protobuf.js", "redis-rs"),
}
"""Names of things that begin small, besides those of the libraries."""


def english_in(title: str, library: str) -> list[str]:
    """Words of a Korean title that begin small and are in no name."""
    names = {part for name in NAMES for part in name.split()}
    words = re.findall(r"[A-Za-z][\w'+#./-]*", title)
    return [
        word
        for word in words
        if word[0].islower() and word not in names and word.lower() not in library.lower()
    ]


def manifests() -> dict[str, dict[str, Any]]:
    paths = sorted(ROOT.glob("suites/*/contenders/*/contender.toml"))
    return {str(p.relative_to(ROOT)): tomllib.loads(p.read_text("utf-8")) for p in paths}


def test_korean_titles_describe_in_korean() -> None:
    titles = {path: Contender.model_validate(read) for path, read in manifests().items()}
    assert len(titles) > 150
    found = {path: english_in(one.title.of("ko"), one.library.name) for path, one in titles.items()}
    assert {path: words for path, words in found.items() if words} == {}


def test_a_title_is_written_twice_only_where_it_differs() -> None:
    twice = [read["title"] for read in manifests().values() if isinstance(read["title"], dict)]
    assert len(twice) > 50
    assert [title for title in twice if title["en"] == title["ko"]] == []


def test_english_in_a_korean_title_is_found() -> None:
    assert english_in("aerospike-py", "aerospike-py") == []
    assert english_in("Node.js ws 클러스터", "ws") == []
    assert english_in("Npgsql, multiplexed", "Npgsql") == ["multiplexed"]
    assert english_in("Spring STOMP, simple broker", "Spring") == ["simple", "broker"]
