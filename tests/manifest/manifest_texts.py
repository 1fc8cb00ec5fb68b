"""Good manifests for tests to spoil, and what is then said of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from wirelab.manifest import ManifestError, load_suite

SUITE = """\
suite = "demo"
title = { en = "Demonstration" }

[services.server]
source = "server"
build = { kind = "none" }
run = { command = ["{source}/serve"] }

[scenarios.echo]
title = { en = "Echo" }
load.type = "paced"
load.period = "100ms"
rankings = ["read.latency.p50", "cpu.mean"]
[scenarios.echo.roles]
server = { provider = "service:server" }
client = { provider = "contender", measured = true }

[scenarios.echo.operations]
read = { code = 1, deadline = "50ms" }
write = { code = 2, every = 10 }

[scenarios.echo.profiles]
smoke = { trials = 1, count = 20 }

[scenarios.echo.variants.lost]
title = { en = "Lost" }
operations = ["read"]
faults = [
  { at = "500ms", action = "stop", role = "server" },
]
"""

CONTENDER = """\
contender = "swift"
title = "Swift"
language = "C"

[library]
name = "swift"
version = "1"
licence = "MIT"

[build]
kind = "none"

[run]
command = ["{source}/run"]
"""


def complaints(
    path: Path, text: str | bytes, load: Callable[[Path], object] = load_suite
) -> list[str]:
    """Messages about ``text``, without the name of the file."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ManifestError) as raised:
        load(path)
    lines = str(raised.value).splitlines()
    assert all(line.startswith(str(path)) for line in lines)
    return [line.removeprefix(str(path)).removeprefix(":") for line in lines]
