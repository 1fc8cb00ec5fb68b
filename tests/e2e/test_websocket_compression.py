"""Compressed messages as a user has them measured: bytes on the wire, and nothing lost for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from e2e import whole_runs
from e2e.brief_boards import brief_run, delivered

pytestmark = [pytest.mark.e2e, pytest.mark.long(2), pytest.mark.left_to_all]

NODE = ("node-ws", "node-ws-deflate", "node-ws-deflate-fresh")
SERVERS = (*NODE, "spring-stomp", "spring-stomp-deflate")
FRAMED = {
    "short": (130 + 4) / 130,
    "short-letters": (130 + 4) / 130,
    "short-random": (130 + 4) / 130,
    "long-dots": (4096 + 4) / 4096,
    "long-letters": (4096 + 4) / 4096,
}
"""Bytes of a message with its frames, by variant."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("compression")
    # The others are tunings of these, and have their builds.
    return brief_run(here, ["compression"], SERVERS, built=("node-ws", "spring-stomp"))


@pytest.fixture(scope="module")
def cells(folder: Path) -> dict[tuple[str, str], dict[str, Any]]:
    found = whole_runs.cells_of(whole_runs.result_of(folder), "compression")
    return {(cell["contender"], cell["variant"]): cell for cell in found}


def test_what_a_server_delivers_is_right_and_in_order(
    folder: Path, cells: dict[tuple[str, str], dict[str, Any]]
) -> None:
    whole_runs.no_trial_failed(folder)
    assert set(cells) == {(server, variant) for server in SERVERS for variant in FRAMED}
    for of, cell in cells.items():
        told = delivered(cell)
        assert told.expected == 40 * 49, of
        # What a busy machine has not compressed in time is lost.
        assert told.received > 0, of
        assert told.flaws == {}, of


def test_bytes_on_the_wire_tell_what_was_compressed(
    cells: dict[tuple[str, str], dict[str, Any]],
) -> None:
    wire = {of: cell["metrics"]["delivery.wire.ratio"]["value"] for of, cell in cells.items()}
    for variant, framed in FRAMED.items():
        assert wire["node-ws", variant] == pytest.approx(framed, rel=0.01)
    # Strokes resemble each other: only who keeps a window gains by that.
    assert wire["node-ws-deflate", "short"] < 0.5
    # A stroke of 130 B is of its fields: there is hardly any room for letters.
    lettered = wire["node-ws-deflate", "short-letters"]
    assert lettered == pytest.approx(wire["node-ws-deflate", "short"], abs=0.03)
    for variant in ("short", "short-letters"):
        fresh = wire["node-ws-deflate-fresh", variant]
        assert fresh == pytest.approx(FRAMED[variant], rel=0.01)
    for server in ("node-ws-deflate", "node-ws-deflate-fresh"):
        assert wire[server, "long-dots"] < 0.05
        # Six bits of each letter's eight are news.
        assert 0.73 < wire[server, "long-letters"] < 0.8
        # Half of 130 B is letters, of which a window has seen none before.
        assert wire[server, "short-random"] > 0.5
        assert wire[server, "short-random"] > wire[server, "short"] - 0.05


def test_tomcat_compresses_what_is_said_by_stomp(
    cells: dict[tuple[str, str], dict[str, Any]],
) -> None:
    wire = {of: cell["metrics"]["delivery.wire.ratio"]["value"] for of, cell in cells.items()}
    for variant, framed in FRAMED.items():
        assert wire["spring-stomp", variant] > framed, variant
        assert wire["spring-stomp-deflate", variant] < 0.8, variant
    assert wire["spring-stomp-deflate", "short"] < wire["spring-stomp-deflate", "short-random"]
    assert wire["spring-stomp-deflate", "long-dots"] < 0.05


@pytest.mark.parametrize(
    ("language", "title", "proof", "column"),
    [
        ("en", "Compression (permessage-deflate)", "Proof that it was active", "wire : payload"),
        ("ko", "압축(permessage-deflate)", "적용되었다는 근거", "전송량 : 페이로드"),
    ],
)
def test_the_report_tells_mechanism_proof_and_figures(
    folder: Path, language: str, title: str, proof: str, column: str
) -> None:
    text = (folder / f"report-{language}.md").read_text("utf-8")
    assert title in text
    assert proof in text
    assert column in text
