"""The file system that the roles of a trial write to, as the kernel names it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from wirelab.disk.file_system import file_system_of, mounted
from wirelab.model.file_system import FileSystem

MOUNTS = (
    "27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard",
    "28 27 0:25 / /with\\040space rw - tmpfs a\\040source rw,size=4k",
    "29 27 0:26 / /work rw,relatime - overlay overlay rw,lowerdir=/a,upperdir=/b,volatile",
    "30 27 0:27 / /other rw,relatime - overlay overlay rw,lowerdir=/a,upperdir=/volatile",
)


@pytest.mark.parametrize("folder", ["/proc", "/dev", "here"])
def test_it_is_named_as_df_names_it(folder: str, tmp_path: Path) -> None:
    place = tmp_path if folder == "here" else Path(folder)
    asked = ("df", "--output=fstype", str(place))
    named = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split()
    found = file_system_of(place)
    assert found is not None
    assert named == ["Type", found.type]


@pytest.mark.parametrize(
    ("mount", "expected"),
    [
        ("27", FileSystem(type="ext4")),
        ("28", FileSystem(type="tmpfs", syncs_nothing=True)),
        ("29", FileSystem(type="overlay", syncs_nothing=True)),
        ("30", FileSystem(type="overlay")),
        ("31", None),
    ],
)
def test_syncs_are_free_in_memory_and_where_a_mount_leaves_them_out(
    mount: str, expected: FileSystem | None
) -> None:
    assert mounted(mount, "\n".join(MOUNTS)) == expected


def test_a_folder_that_is_gone_lies_on_none(tmp_path: Path) -> None:
    assert file_system_of(tmp_path / "gone") is None
