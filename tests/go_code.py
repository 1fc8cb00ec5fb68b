"""Commands of Go on code of our own, by the toolchain of the machine."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

_AS_IT_IS = {"GOTOOLCHAIN": "local", "GOFLAGS": "-mod=readonly"}
"""A newer toolchain would be fetched, and a module that is not pinned written down."""


def sound(module: Path, *arguments: str, offline: bool = False) -> str:
    """Run ``go`` in a module and hold it to its exit code, and tests to there being some; what it
    printed. ``offline``: for modules that need none from elsewhere.
    """
    ended = subprocess.run(
        ["go", *arguments],
        cwd=module,
        env={**os.environ, **_AS_IT_IS, **({"GOPROXY": "off"} if offline else {})},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    if arguments[0] == "test":
        assert re.search(r"^ok\s", ended.stdout, re.MULTILINE), ended.stdout
    return ended.stdout
