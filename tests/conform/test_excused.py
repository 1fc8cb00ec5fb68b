"""Tests of contenders are skipped for what only the user can bring, and for nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import pytest
from test_contenders import PAIRS, breaches

from excused import excused
from tree import suites_of_the_tree
from wirelab.build import Part, PartBuilds, Unavailable, nuget_sources
from wirelab.build.debian import Debian
from wirelab.build.failures import failure, failure_within
from wirelab.build.permission import ALLOWED
from wirelab.build.tools import Tool

LOG = Path("/log")
NOBODY_S = Tool("no-such-program", ("no-such-package",))


def not_found(package: str) -> Unavailable:
    """The failure of NuGet where no source has a package."""
    said = f"error NU1101: Unable to find package {package}. No packages exist with this id"
    absent = nuget_sources.refused(failure(["dotnet"], 1, said, LOG), [f"{package}:1.0"])
    assert absent is not None
    return absent


BROUGHT = {
    "package": not_found("Foo.Bar"),
    "library": Unavailable(f"its library csharp: {not_found('Foo')}"),
    "dotnet": Unavailable("dotnet is missing"),
    "old dotnet": Unavailable("its library csharp: dotnet 6.0.1 is too old, 10.0 is needed"),
    "folder": Unavailable(
        "the variable CGD names no folder outside of the clone that has a.h: it is not set"
    ),
    "processors": Unavailable("it needs 4 processors, and may use 2 processors here"),
}
OURS = {
    "compiler": failure_within(["cc", "-c"], 1, "a.c:1: error: dotnet is missing", LOG),
    "library": Unavailable("its library java: mvn package failed with exit code 1:\nno"),
    "network": failure(["cargo", "fetch"], 101, "Could not resolve host", LOG),
    "lock": Unavailable("Cargo.lock is missing: nothing pins the packages"),
    "folder": Unavailable("there is no folder /src"),
    "installation": failure(["apt-get", "install"], 100, "Unable to locate package", LOG),
}


@pytest.mark.parametrize("what", BROUGHT)
def test_what_only_the_user_can_bring_is_excused(what: str) -> None:
    assert excused(BROUGHT[what])


@pytest.mark.parametrize("what", OURS)
def test_a_build_that_fails_is_not(what: str) -> None:
    assert not excused(OURS[what])


def test_a_missing_package_is_excused_where_nobody_may_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ALLOWED, "no")
    debian = Debian(tmp_path, print)
    lacking = [debian.refusal([NOBODY_S, NOBODY_S], ()), debian.refusal((), ["no-such-package"])]
    reasons = [missing.reason for missing in lacking if missing and excused(missing)]
    assert reasons == [
        "no-such-program is missing; no-such-program is missing",
        "Debian packages are missing: no-such-package",
    ]
    monkeypatch.setenv(ALLOWED, "yes")
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    assert not any(excused(Unavailable(reason)) for reason in reasons)


def test_a_contender_that_does_not_compile_fails_its_check(monkeypatch: pytest.MonkeyPatch) -> None:
    suite = suites_of_the_tree().suite("opcua")
    pair = next(pair for pair in PAIRS if pair.folder.name == "open62541")
    workshop = PartBuilds(Path(), print)

    def prepare(_: Part) -> NoReturn:
        raise OURS["compiler"]

    monkeypatch.setattr(workshop, "prepare", prepare)
    with pytest.raises((Unavailable, pytest.skip.Exception)) as told:
        breaches(workshop, suite, suite.contenders["open62541"], pair)
    assert told.value is OURS["compiler"]
