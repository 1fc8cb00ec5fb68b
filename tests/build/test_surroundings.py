"""Environment of build commands: settings for fetching, and nothing that compilers read."""

from __future__ import annotations

from pathlib import Path

import pytest

from wirelab.build.commands import Log

FETCHING = {
    "https_proxy": "http://127.0.0.1:9",
    "GOPROXY": "off",
    "npm_config_registry": "http://x",
}
COMPILING = {"CFLAGS": "-O0", "RUSTFLAGS": "-g", "GOFLAGS": "-race", "JAVA_HOME": "/nowhere"}


def test_compilers_read_nothing_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (FETCHING | COMPILING).items():
        monkeypatch.setenv(name, value)
    said = Log(tmp_path / "build.log").output(["env"]).splitlines()
    its = dict(line.split("=", 1) for line in said if "=" in line)
    assert FETCHING.items() <= its.items()
    assert its.keys() & COMPILING.keys() == set()
    assert "PATH" in its
