"""pip, which fetches wheels with a network and installs them without one.

A wheel is unpacked: nothing of it is run. A source package would run what builds it, so that
nothing which could have pip take one reaches it: it is given requirements that we have written, and
of the user's configuration only what says where packages are.
"""

from __future__ import annotations

import ast
import functools
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from wirelab.build import surroundings
from wirelab.build.builder import Job

_WHERE = (
    *("index-url", "extra-index-url", "find-links", "no-index", "trusted-host"),
    *("cert", "client-cert", "proxy", "timeout", "default-timeout", "retries"),
    *("keyring-provider", "cache-dir", "no-cache-dir"),
)
"""Settings of pip that say where packages are, and how they are reached."""

_SECTIONS = ("global", "install", "download", ":env:")
"""Sections of its configuration, of which a later one is stronger."""

_NO_CONFIGURATION = {"PIP_CONFIG_FILE": os.devnull}
"""With this one, pip reads no configuration file at all."""

_ANSWER_LIMIT_S = 60


def fetch(job: Job, venv: Path, requirements: Path) -> Path:
    """The folder with wheels of what ``requirements`` pin, for the interpreter of ``venv``."""
    wheels = job.work / "wheels"
    wheels.mkdir()
    environment = {"PIP_CACHE_DIR": str(job.downloads), **_where(_said()), **_NO_CONFIGURATION}
    asked = ["download", *_only_wheels(requirements), "--no-deps", "--dest", str(wheels)]
    with job.fetching():
        job.log.run(_pip(venv, asked), environment=environment, cwd=wheels)
    return wheels


def install(job: Job, venv: Path, requirements: Path, wheels: Path) -> None:
    """Install them, in the sandbox of the build."""
    asked = ["--isolated", "install", "--no-index", "--find-links", str(wheels), "--no-cache-dir"]
    command = _pip(venv, [*asked, *_only_wheels(requirements)])
    job.log.compile(command, environment=_NO_CONFIGURATION, cwd=wheels)


def _pip(venv: Path, asked: Sequence[str]) -> list[str]:
    # Not from the folder that it starts in (-P).
    pip = [sys.executable, "-P", "-m", "pip", "--python", str(venv / "bin" / "python")]
    return [*pip, "--no-input", "--disable-pip-version-check", *asked]


def _only_wheels(requirements: Path) -> list[str]:
    only = ["--require-hashes", "--only-binary", ":all:"]
    return [*only, "--requirement", str(requirements)]


def _said() -> tuple[tuple[str, str], ...]:
    """The user's variables for pip."""
    return tuple(sorted(one for one in os.environ.items() if one[0].startswith("PIP_")))


@functools.cache
def _where(said: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Variables that say where packages are, as pip itself reads the user's configuration."""
    found: dict[str, dict[str, str]] = {section: {} for section in _SECTIONS}
    for line in _configuration(said).splitlines():
        key, _, value = line.partition("=")
        section, _, name = key.rpartition(".")
        if section in found and name in _WHERE:
            found[section][name] = str(ast.literal_eval(value))
    known = {name: value for section in _SECTIONS for name, value in found[section].items()}
    return {f"PIP_{name.upper().replace('-', '_')}": value for name, value in known.items()}


def _configuration(said: tuple[tuple[str, str], ...]) -> str:
    asked = [sys.executable, "-P", "-m", "pip", "--disable-pip-version-check", "config", "list"]
    return subprocess.run(
        asked,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_ANSWER_LIMIT_S,
        check=False,
        env={**surroundings.environment(), **dict(said)},
    ).stdout
