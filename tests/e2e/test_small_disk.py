"""Roles that close their files to the core, or use its disk up, through the command line.

The core has no more rights to files than any user, and results lie on a small file system of their
own; both can be arranged by root alone.
"""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

import pytest

from e2e.attackers import Attacker, write_suite
from e2e.conftest import SABOTAGED, SuiteRepository

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs("bwrap"),
    pytest.mark.skipif(os.geteuid() != 0, reason="root alone can mount a file system"),
]

Json = dict[str, Any]

ON_A_SMALL_DISK = """
mount -t tmpfs -o size=64m,nr_inodes=3000 tmpfs results
setpriv --bounding-set=-dac_override,-dac_read_search "$@"
code=$?
cp --parents results/*/trials/*/trial.json kept
exit $code
"""
"""Starts a program as any user, and keeps the records; nobody else sees what it mounts."""

REASONS = {
    "close-samples": ("sample-file", "client.samples may not be opened", "client"),
    "close-intervals": ("sample-file", "client.intervals.jsonl may not be opened", "client"),
    "hold-unlinked": ("wrote-too-much", "bytes are the most", "client"),
    "make-files": ("wrote-too-much", "files are the most", "client"),
    "fill-closed-folder": ("wrote-too-much", "bytes are the most", "client"),
    "fill-deep-folder": ("wrote-too-much", "bytes are the most", "client"),
    "fill-together": ("disk-full", "bytes of the disk were free; client wrote ", "client"),
}
"""Attack: the reason of its trial, a part of the sentence, and the role that is named."""

HARMLESS = {"close-folder"}
"""Attacks that come to nothing."""

SERVING = {"fill-together"}
"""Attacks of a contender's server as well."""

PATIENT = {
    'ready_limit = "3s"': 'ready_limit = "60s"',
    'stop_limit = "3s"': 'stop_limit = "60s"',
    "smoke = { trials = 2, count = 130": "smoke = { trials = 1, count = 60",
}


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Json]:
    root = tmp_path_factory.mktemp("crowded")
    attackers = {
        name: Attacker("hoarding", serves=name in SERVING) for name in (*REASONS, *HARMLESS)
    }
    write_suite(root / "elsewhere" / "crowded", attackers, PATIENT)
    house = SuiteRepository(root, "loopback")
    (root / "suites" / "loopback").unlink()
    (root / "suites" / "crowded").symlink_to(root / "elsewhere" / "crowded")
    for folder in ("results", "kept"):
        (root / folder).mkdir()
    mounts = ["unshare", "--mount", "sh", "-c"]
    if subprocess.run([*mounts, "mount -t tmpfs tmpfs /mnt"], check=False).returncode:
        pytest.skip("a file system of its own cannot be mounted here")
    house.launcher = [*mounts, ON_A_SMALL_DISK, "on-a-small-disk"]
    ended = house.wl("run", "crowded", "--profile", "smoke", "--seed", "1", timeout=600)
    assert ended.returncode in SABOTAGED, ended.stdout + ended.stderr
    assert "in no sandbox" not in ended.stdout
    found = [json.loads(path.read_bytes()) for path in root.glob("kept/results/*/trials/*/*.json")]
    return {record["planned"]["contender"]: record for record in found}


@pytest.mark.parametrize("attack", sorted(REASONS))
def test_an_attack_ends_its_trial_and_names_its_role(records: dict[str, Json], attack: str) -> None:
    reason, sentence, role = REASONS[attack]
    record = records[attack]
    assert (record["status"], record["reason"]) == ("failed", reason), record["detail"]
    assert sentence in record["detail"]
    assert record["role"] == role


@pytest.mark.parametrize("attack", sorted(HARMLESS))
def test_an_attack_that_comes_to_nothing(records: dict[str, Json], attack: str) -> None:
    assert (records[attack]["status"], records[attack]["reason"]) == ("ok", "")
