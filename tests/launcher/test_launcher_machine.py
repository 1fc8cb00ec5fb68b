"""Missing programs, and the answer of the launcher."""

from __future__ import annotations

import importlib.util
import io
import os
import shutil
import sys
from types import ModuleType

import pytest
from launcher_repository import LAUNCHER, load


@pytest.fixture
def launcher(monkeypatch) -> ModuleType:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    return load(LAUNCHER)


def said_on_exit(capsys: pytest.CaptureFixture[str], call, *arguments: object) -> str:
    with pytest.raises(SystemExit) as stopped:
        call(*arguments)
    assert stopped.value.code == 1
    return capsys.readouterr().err.strip()


def test_an_old_python_without_a_newer_one(launcher, monkeypatch, capsys):
    monkeypatch.setattr(sys, "version_info", (3, 10, 12))
    monkeypatch.setenv("PATH", "/nowhere")
    said = said_on_exit(capsys, launcher.start_with_newer_python, [])
    assert said.startswith("wl: Python 3.11 or later is needed; ")
    assert said.endswith(" is 3.10 and PATH has no newer one")


def test_an_old_python_with_a_newer_one(launcher, monkeypatch, tmp_path):
    for minor in (9, 11, 12):
        (tmp_path / f"python3.{minor}").write_text("")
        (tmp_path / f"python3.{minor}").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    started = []
    monkeypatch.setattr(os, "execv", lambda path, command: started.append(command))
    monkeypatch.setattr(launcher, "fail", lambda text: None)
    launcher.start_with_newer_python(["run", "opcua"])
    newer = str(tmp_path / "python3.12")
    assert started[0] == [newer, str(LAUNCHER), "run", "opcua"]


def without_ensurepip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)


def test_a_user_without_venv_is_told_the_command(launcher, monkeypatch, capsys):
    without_ensurepip(monkeypatch)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    package = f"python3.{sys.version_info[1]}-venv"
    assert said_on_exit(capsys, launcher.provide_venv, True) == (
        "wl: Python's venv is missing: sudo apt-get update && "
        f"sudo apt-get install -y --no-install-recommends {package}"
    )


def test_root_without_venv_gets_it(launcher, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    calls = tmp_path / "calls"
    apt_get = tmp_path / "apt-get"
    apt_get.write_text(f'#!/bin/sh\necho "$@" >> {calls}\n')
    apt_get.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: "there" if calls.exists() else None
    )
    launcher.provide_venv(allowed=True)
    package = f"python3.{sys.version_info[1]}-venv"
    assert calls.read_text().splitlines() == [
        "update",
        f"install -y --no-install-recommends {package}",
    ]
    assert capsys.readouterr().err == f"wl: installing the Debian package {package}\n"


def test_root_is_asked_before_it_gets_it(launcher, monkeypatch, capsys, tmp_path):
    without_ensurepip(monkeypatch)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    started = []
    monkeypatch.setattr(launcher.subprocess, "run", lambda *command, **_: started.append(command))
    assert said_on_exit(capsys, launcher.provide_venv, False).endswith(", or say --install")
    assert started == []


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        (["run", "kv", "--install"], True),
        (["test", "--all", "--no-cache"], True),
        (["test"], False),
        (["run", "--all"], False),
        ([], False),
    ],
)
def test_what_allows_installing(launcher, monkeypatch, arguments, allowed):
    monkeypatch.delenv("WIRELAB_INSTALL", raising=False)
    assert launcher.may_install(arguments) is allowed
    monkeypatch.setenv("WIRELAB_INSTALL", "yes")
    assert launcher.may_install(arguments)


def test_a_machine_without_debian_packages(launcher, monkeypatch, capsys):
    without_ensurepip(monkeypatch)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    said = said_on_exit(capsys, launcher.provide_venv, True)
    assert said == "wl: this Python has no venv (module ensurepip): install it"
