"""Removal of folders that others have written to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from wirelab.samples.removal import remove

DEEP = 3000


def nested(folder: Path) -> None:
    """Folders in folders, deeper than Python recurses and longer than a path may be."""
    before = Path.cwd()
    os.chdir(folder)
    for _ in range(DEEP):
        os.mkdir("x")  # noqa: PTH102 - a whole path would be too long
        os.chdir("x")
    os.chdir(before)


def test_a_deep_folder_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / "role"
    folder.mkdir()
    nested(folder)
    remove(folder)
    assert list(tmp_path.iterdir()) == []


def test_modes_keep_nobody_out_of_what_is_theirs(tmp_path: Path) -> None:
    inner = tmp_path / "role" / "a" / "b"
    inner.mkdir(parents=True)
    (inner / "file").write_text("kept from view")
    for folder in (inner, inner.parent, inner.parent.parent):
        folder.chmod(0)
    remove(tmp_path / "role")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("of_a_folder", [True, False])
def test_what_a_link_leads_to_stays(tmp_path: Path, of_a_folder: bool) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").write_text("mine")
    link = tmp_path / "role" if of_a_folder else tmp_path / "role" / "link"
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(precious)
    remove(tmp_path / "role")
    assert not (tmp_path / "role").exists()
    assert (precious / "file").read_text() == "mine"


def test_what_is_not_there_cannot_be_removed(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        remove(tmp_path / "nothing")
