"""Every contender that cheats is told of in ``docs/concepts/adversary.md``, with its test."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

from cli.command_lines import ROOT
from e2e import (
    test_accounts_sabotage,
    test_database_parts,
    test_database_sabotage,
    test_messaging_ledger,
    test_messaging_sabotage,
    test_messaging_shortcuts,
    test_messaging_stores,
    test_opcua_sabotage,
    test_stream_sabotage,
    test_websocket_beside,
    test_websocket_sabotage,
    test_websocket_shortcuts,
)

SABOTAGE = ROOT / "tests" / "sabotage"
PAGE = (ROOT / "docs" / "concepts" / "adversary.md").read_text("utf-8")

FOLDERS = {
    "Codec": ("codec",),
    "OPC UA clients": (),
    "Database clients": ("kv",),
    "Clients of HTTP and WebSocket": ("spoken",),
    "Messaging": ("messaging",),
    "WebSocket servers": ("websocket",),
    "The contract of every worker": ("suite", "refusals"),
    "Time and processors": ("watched", "outage"),
    "Accounts that balance": (),
}
"""Part of the page: folders of ``tests/sabotage`` whose contenders it has."""

MADE = {
    "OPC UA clients": {
        *test_opcua_sabotage.CHEATS,
        *test_opcua_sabotage.ASKED,
        *test_opcua_sabotage.WATCHING,
        *test_opcua_sabotage.CONNECTED,
        *test_opcua_sabotage.OTHERS,
        test_opcua_sabotage.FORETELLS,
        *test_opcua_sabotage.POLLING,
        test_opcua_sabotage.STAGGERS,
        test_opcua_sabotage.IN_STEP,
        *test_opcua_sabotage.SHARING,
    },
    "Database clients": {
        *(name for name, _ in test_database_sabotage.ACCUSED),
        *test_database_sabotage.UNSERVED,
        *test_database_sabotage.OTHERS,
        *test_database_sabotage.APPLICATIONS,
        test_database_sabotage.CACHES,
        *test_database_parts.CHEATS,
        *test_database_sabotage.WRITES_LESS,
        *test_database_sabotage.READS_LESS,
        test_database_sabotage.GIVES_OLD,
        test_database_sabotage.CONNECTS_MORE,
        test_database_sabotage.RECORDS_MORE,
    },
    "Messaging": {
        *test_messaging_ledger.CHEATS,
        *test_messaging_sabotage.CHEATS,
        *test_messaging_shortcuts.CHEATS,
        *test_messaging_stores.CHEATS,
        *test_stream_sabotage.CHEATS,
    },
    "WebSocket servers": {
        *test_websocket_beside.CHEATS,
        *test_websocket_sabotage.CHEATS,
        *test_websocket_shortcuts.CHEATS,
    },
    "Accounts that balance": set(test_accounts_sabotage.CHEATS),
}
"""Contenders that their tests make of one manifest."""

NO_CHEATS = {
    *("accounts", "blocks", "brokers", "capacity", "closed", "databases", "opcua", "spikes"),
    "workers",
}
"""Folders of contenders that differ honestly, of one manifest, or of programs alone."""

HONEST = {"asks", "honest", "raises-as-asked", "unpacks"}
ROW = re.compile(
    r"^\| `([\w-]+)` \| [^|]+ \| [^|]+ \| `(tests/[\w/]+\.py)::(\w+)` \|$", re.MULTILINE
)


def parts() -> dict[str, str]:
    """Text of each part of the page, by its heading."""
    found = re.split(r"^## (.+)$", PAGE, flags=re.MULTILINE)
    return dict(zip(found[1::2], found[2::2], strict=True))


def cheats(part: str) -> Iterator[str]:
    """Names of the contenders that cheat."""
    yield from MADE.get(part, ())
    for folder in FOLDERS[part]:
        for manifest in (SABOTAGE / folder).rglob("contender.toml"):
            name = tomllib.loads(manifest.read_text("utf-8"))["contender"]
            if name not in HONEST:
                yield name


def test_every_cheat_is_told_of_and_no_other() -> None:
    told = {part: {name for name, _, _ in ROW.findall(text)} for part, text in parts().items()}
    assert told.keys() == {*FOLDERS, "What is not caught"}
    assert sum(map(len, told.values())) >= 80
    assert {part: told[part] for part in FOLDERS} == {part: set(cheats(part)) for part in FOLDERS}


def test_every_folder_is_looked_at() -> None:
    known = {folder for folders in FOLDERS.values() for folder in folders} | NO_CHEATS
    assert {path.name for path in SABOTAGE.iterdir() if path.name != "__pycache__"} == known


def test_every_row_names_a_test_that_there_is() -> None:
    rows = ROW.findall(PAGE)
    told = [line for line in PAGE.splitlines() if line.startswith("| `")]
    assert len(rows) == len(told) >= 80
    missing = [
        f"{file}::{name}"
        for _, file, name in rows
        if not (ROOT / file).is_file() or f"def {name}(" not in (ROOT / file).read_text("utf-8")
    ]
    assert missing == []


def test_what_is_not_caught_has_a_reason() -> None:
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", parts()["What is not caught"], re.MULTILINE)
    assert rows[0] == ("what", "why")
    assert len(rows) >= 8
    assert all(len(why.split()) > 5 for _, why in rows[1:])
