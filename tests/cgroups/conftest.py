"""Groups as this machine offers them, and processes to put into them."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import pytest

from cgroups.sleepers import Sleeping
from wirelab.cgroups.group import Need
from wirelab.cgroups.hierarchies import hierarchies
from wirelab.cgroups.offer import Offer, offered


@pytest.fixture(params=[1, 2], ids=["version 1", "version 2"])
def offer(request: pytest.FixtureRequest) -> Offer:
    found = offered([one for one in hierarchies() if one.version == request.param])
    if Need.CPU not in found.places or Need.STOPPING not in found.places:
        pytest.skip(f"no groups of version {request.param}: {found.reason}")
    return found


@pytest.fixture
def anything() -> Offer:
    """Everything that the machine offers."""
    return offered(hierarchies())


@pytest.fixture
def started() -> Iterator[Sleeping]:
    processes: list[subprocess.Popen[bytes]] = []

    def start(script: str) -> subprocess.Popen[bytes]:
        """A shell that waits for a line before it runs ``script``."""
        process = subprocess.Popen(
            ["sh", "-c", f"read line; {script}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        processes.append(process)
        return process

    yield start
    for process in processes:
        process.kill()
        process.communicate()
