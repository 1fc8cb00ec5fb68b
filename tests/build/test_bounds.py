"""The bounds of a build: it ends at them, with everything that it has started, and says which."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from build_parts import ends

from wirelab.build import Unavailable, bounds
from wirelab.build.bounds import BuildBounds
from wirelab.build.commands import Log
from wirelab.cgroups.group import NO_BOUNDS, Need, RoleBounds
from wirelab.cgroups.grouping import Grouping
from wirelab.cgroups.hierarchies import hierarchies
from wirelab.cgroups.offer import Offer, offered

MIB = 1 << 20


@pytest.fixture
def offer() -> Offer:
    return offered(hierarchies())


@contextlib.contextmanager
def bounded(folder: Path, offer: Offer | None = None, of: RoleBounds = NO_BOUNDS) -> Iterator[Log]:
    """A log whose commands are held to bounds."""
    output, shared = folder / "output", folder / "shared"
    for made in (output, shared):
        made.mkdir()
    grouping = Grouping(offer, of) if offer is not None else None
    log = output / "build.log"
    held = BuildBounds(f"build {output}", [output], [shared], log, grouping)
    with held, Log(log, bounds=held) as opened:
        yield opened


def test_a_build_in_bounds_is_run_as_it_is(tmp_path: Path, offer: Offer) -> None:
    with bounded(tmp_path, offer, RoleBounds(256 * MIB, 50)) as log:
        assert log.output(["sh", "-c", "cat; echo $# $1", "sh", "a b"]) == "1 a b\n"


def test_a_program_that_is_not_there_is_told(tmp_path: Path, offer: Offer) -> None:
    with bounded(tmp_path, offer) as log, pytest.raises(Unavailable, match="no-such-program"):
        log.run(["no-such-program"])


@pytest.mark.parametrize("place", ["output", "shared"])
def test_what_fills_the_disk_is_ended_and_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.setattr(bounds, "MOST_BYTES", 16 * MIB)
    fills = f"echo begins; echo $$ > {tmp_path}/pid; "
    fills += f"head -c 64M /dev/zero > {tmp_path}/{place}/zeros; sync; exec sleep 1000"
    with bounded(tmp_path) as log:
        with pytest.raises(Unavailable, match=r"the build wrote \d+ bytes, and 16777216 bytes are"):
            log.run(["sh", "-c", fills])
        assert ends(int((tmp_path / "pid").read_text()))
        assert [path.name for path in (tmp_path / "output").iterdir()] == ["build.log"]
        assert "begins" in log.path.read_text()


def test_an_endless_log_is_kept_in_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MOST_BYTES", 16 * MIB)
    with bounded(tmp_path) as log:
        with pytest.raises(Unavailable, match=r"the build wrote \d+ bytes"):
            log.run(["sh", "-c", "yes | head -c 64M; sync; exec sleep 1000"])
        assert log.path.stat().st_size == 8 * MIB


def test_a_hog_and_a_bomb_end_their_build(tmp_path: Path, offer: Offer) -> None:
    if not {Need.MEMORY, Need.PROCESSES} <= offer.places.keys():
        pytest.skip(f"no limits: {offer.reason}")
    hog = [sys.executable, "-S", "-c", "taken = bytearray(200 << 20)"]
    bomb = ["sh", "-c", "bomb() { bomb | bomb & }; bomb; exec sleep 1000"]
    for name, command, told in (
        ("hog", hog, "needed more memory than one may have: 64 MiB"),
        ("bomb", bomb, "started more processes than one may have: 20"),
    ):
        (tmp_path / name).mkdir()
        of = RoleBounds(64 * MIB, 20)
        with bounded(tmp_path / name, offer, of) as log, pytest.raises(Unavailable, match=told):
            log.run(command)
