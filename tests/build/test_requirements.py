"""The requirements of a Python part: packages in one version with hashes, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from wirelab.build import Unavailable
from wirelab.build.requirements import names, pinned

HASH = f"--hash=sha256:{'0' * 64}"
OPTIONS = "options of pip have no place there"
NO_PACKAGE = "that is no package in one version"


def test_what_is_pinned_is_read_as_pip_does(tmp_path: Path) -> None:
    lock = tmp_path / "requirements.txt"
    lock.write_text(
        "# two packages\n"
        f"One_Two[extra]==1.0 ; python_version < '4' \\\n    {HASH} \\\n    {HASH}  # why\n\n"
        f"three==2.0.post1 {HASH}\n"
    )
    first, second = pinned(lock)
    assert first.line == f'One_Two[extra]==1.0; python_version < "4" {HASH} {HASH}'
    assert second.line == f"three==2.0.post1 {HASH}"
    assert names(lock) == {"one-two", "three"}
    assert pinned(tmp_path / "nothing") == []


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("--no-binary :all:", OPTIONS),
        ("-r other.txt", OPTIONS),
        ("-e .", OPTIONS),
        ("--index-url http://127.0.0.1/", OPTIONS),
        (f"one==1.0 --no-binary=one {HASH}", OPTIONS),
        (f'one==1.0 --config-settings="x=y" {HASH}', OPTIONS),
        (f"./one-1.0.tar.gz {HASH}", NO_PACKAGE),
        (f"/etc/one {HASH}", NO_PACKAGE),
        (f"http://127.0.0.1/one-1.0.tar.gz {HASH}", NO_PACKAGE),
        (f"one @ http://127.0.0.1/one-1.0.tar.gz {HASH}", NO_PACKAGE),
        (f"git+https://127.0.0.1/one {HASH}", NO_PACKAGE),
        (f"one>=1.0 {HASH}", NO_PACKAGE),
        (f"one==1.* {HASH}", NO_PACKAGE),
        (f"one {HASH}", NO_PACKAGE),
        ("one==1.0", "no hash pins its content"),
        ("one==1.0 --hash=md5:00", OPTIONS),
    ],
)
def test_what_pins_no_package_is_refused(tmp_path: Path, line: str, why: str) -> None:
    lock = tmp_path / "requirements.txt"
    lock.write_text(f"{line}\n")
    with pytest.raises(Unavailable, match=why):
        pinned(lock)
