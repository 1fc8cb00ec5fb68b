"""Kept frames as a file that Wireshark opens."""

from __future__ import annotations

import io
from pathlib import Path

from wirelab.witness.pcapng import FRAME, Comment, Comments, write
from witness import captured

DAY = 1_800_000_000_000_000_000


def frames(*told: tuple[int, int, int, int, bytes]) -> io.BytesIO:
    """Connection, way, side, position and payload of each; a header of ten bytes before it."""
    content = b""
    for at, (connection, way, side, position, payload) in enumerate(told):
        data = b"h" * 10 + (b"" if side else payload)
        length = 10 + len(payload)
        said = (DAY + at, position, connection, length, len(data), len(payload), way, side)
        content += FRAME.pack(*said) + data
    return io.BytesIO(content)


def written(content: io.BytesIO, folder: Path, *comments: Comment) -> list[captured.Captured]:
    path = folder / "packets.pcapng"
    write(content, path, Comments(comments))
    return captured.packets(path.read_bytes())


def test_frames_are_packets_in_their_order(tmp_path: Path) -> None:
    found = written(frames((0, 0, 0, 0, b"abc"), (0, 0, 1, 0, b"abc")), tmp_path)
    assert [(one.stamp_ns - DAY, one.data, one.length, one.outbound) for one in found] == [
        (0, b"h" * 10 + b"abc", 13, True),
        (1, b"h" * 10, 13, False),
    ]


def test_comments_are_where_their_bytes_are(tmp_path: Path) -> None:
    segments = frames(
        (1, 0, 0, 0, b"1234567890"),
        (1, 0, 0, 10, b"1234567890"),
        (1, 0, 0, 20, b""),
        (1, 1, 0, 0, b"1234567890"),
        (2, 0, 0, 0, b"1234567890"),
    )
    found = written(
        segments,
        tmp_path,
        Comment(1, 0, 12, 20, "third"),
        Comment(1, 0, 0, 4, "first"),
        Comment(1, 0, 4, 12, "second \ud55c\uad6d\uc5b4"),
        Comment(1, 1, 0, 10, "answer"),
    )
    assert [one.comments for one in found] == [
        ["first", "second \ud55c\uad6d\uc5b4"],
        ["second \ud55c\uad6d\uc5b4", "third"],
        [],
        ["answer"],
        [],
    ]


def test_a_frame_that_was_cut_off_is_none(tmp_path: Path) -> None:
    whole = frames((0, 0, 0, 0, b"abc"), (0, 0, 0, 3, b"defg")).getvalue()
    for missing in (1, 14, 15, 40):
        found = written(io.BytesIO(whole[:-missing]), tmp_path)
        assert [one.data[10:] for one in found] == [b"abc"]


def test_what_lies_in_its_place_gives_way(tmp_path: Path) -> None:
    (tmp_path / "packets.pcapng").mkdir()
    assert len(written(frames((0, 0, 0, 0, b"abc")), tmp_path)) == 1
