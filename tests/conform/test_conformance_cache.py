"""Verdicts are taken from the cache for exactly the same content, and only where there is one."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from conform.conformance_cache import Machine, Verdicts, content_of, this_machine
from wirelab.build.tools import CMAKE, JAVA, MAVEN, Tool
from wirelab.catalog import suite_at

ROOT = Path(__file__).parents[2]

SUITE = """
suite = "letters"
title = { en = "Letters", ko = "편지" }
summary = { en = "Letters.", ko = "편지." }

[services.office]
source = "office"
build = { kind = "none", debian = ["stamps"] }
run = { command = ["{python}", "{source}/office.py"] }

[services.rival]
source = "rival"
build = { kind = "none" }
run = { command = ["{source}/rival"] }

[scenarios.s1]
title = { en = "Sending", ko = "보내기" }
load = { type = "paced", period = "10ms" }
roles.office = { provider = "service:office" }
roles.client = { provider = "contender", measured = true }
operations.send = { code = 1 }
profiles.smoke = { trials = 1, count = 20, warmup = 2 }
"""

CONTENDER = """
contender = "pigeon"
title = "Pigeon"
language = "Java"
roles = ["client"]
library = { name = "pigeon", version = "1.0", licence = "Apache-2.0" }
build = { kind = "maven", needs = ["wings"] }
run = { command = ["{java}", "-jar", "{build}/pigeon.jar"] }
"""

LIBRARY = """
library = "wings"
version = "1.0"
licence = "Apache-2.0"
build = { kind = "cmake", needs = ["feathers"] }
"""

FILES = {
    "requirements.txt": "stamps==1",
    "sdk/c/wirelab.c": "",
    "sdk/java/Wirelab.java": "",
    "sdk/go/wirelab.go": "",
    "sdk/python/wirelab_sdk.py": "",
    "src/wirelab/conform/checks.py": "",
    "src/wirelab/build/cmake.py": "",
    "src/wirelab/run/checking.py": "",
    "src/wirelab/report/compose.py": "",
    "suites/letters/suite.toml": SUITE,
    "suites/letters/verify.py": "",
    "suites/letters/rules/weights.json": "",
    "suites/letters/report.py": "",
    "suites/letters/README.md": "",
    "suites/letters/office/office.py": "",
    "suites/letters/rival/rival": "",
    "suites/letters/contenders/pigeon/contender.toml": CONTENDER,
    "suites/letters/contenders/pigeon/Pigeon.java": "",
    "suites/letters/contenders/owl/owl.c": "",
    "suites/letters/libraries/wings/library.toml": LIBRARY,
    "suites/letters/libraries/wings/wings.c": "",
    "suites/letters/libraries/feathers/library.toml": LIBRARY.replace("wings", "feathers").replace(
        'needs = ["feathers"]', "needs = []"
    ),
    "suites/letters/libraries/feathers/feathers.c": "",
    "suites/letters/libraries/beak/library.toml": LIBRARY.replace("wings", "beak"),
}

Say = Callable[[Tool], str]


def versions(of: Tool | None = None) -> Say:
    """Every tool is of version 1, and one of version 2."""
    return lambda tool: "2" if of and tool.name == of.name else "1"


MACHINE = Machine("Linux 6.1", "3.11", versions(), lambda package: "1")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        file = tmp_path / "repository" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return tmp_path / "repository"


def content(
    repository: Path,
    scenario: str = "s1",
    programs: Sequence[str] = ("office",),
    machine: Machine = MACHINE,
    **environment: str,
) -> dict[str, str]:
    suite = suite_at(repository / "suites/letters/suite.toml")
    assert set(suite.broken) <= {"owl"}
    pigeon = suite.contenders["pigeon"]
    return content_of(repository, suite, pigeon, scenario, programs, environment, machine)


def test_the_same_content_is_the_same_verdict(repository: Path, tmp_path: Path) -> None:
    first = content(repository)
    assert {"contender", "suite", "kernel", "sdk/c", "program office: sources"} <= set(first)
    assert content(repository) == first
    # Verdicts are shared between clones.
    moved = repository.rename(tmp_path / "elsewhere")
    assert content(moved) == first


@pytest.mark.parametrize(
    ("file", "changed"),
    [
        ("requirements.txt", {"packages of wirelab"}),
        ("sdk/c/wirelab.c", {"sdk/c"}),
        ("sdk/java/Wirelab.java", {"sdk/java"}),
        ("sdk/python/wirelab_sdk.py", {"sdk/python"}),
        ("src/wirelab/conform/checks.py", {"src/wirelab/conform"}),
        ("src/wirelab/build/cmake.py", {"src/wirelab/build"}),
        ("src/wirelab/run/checking.py", {"src/wirelab/run/checking.py"}),
        ("suites/letters/suite.toml", {"suite"}),
        ("suites/letters/verify.py", {"suite"}),
        ("suites/letters/rules/weights.json", {"suite"}),
        ("suites/letters/office/office.py", {"program office: sources"}),
        (
            "suites/letters/contenders/pigeon/contender.toml",
            {"contender", "contender: sources"},
        ),
        ("suites/letters/contenders/pigeon/Pigeon.java", {"contender", "contender: sources"}),
        (
            "suites/letters/libraries/wings/library.toml",
            {"library wings: folder", "library wings: sources"},
        ),
        (
            "suites/letters/libraries/wings/wings.c",
            {"library wings: folder", "library wings: sources"},
        ),
        (
            "suites/letters/libraries/feathers/feathers.c",
            {"library feathers: folder", "library feathers: sources"},
        ),
    ],
)
def test_a_file_that_counts_changes_what_it_is_of(
    repository: Path, file: str, changed: set[str]
) -> None:
    before = content(repository)
    (repository / file).write_text(FILES[file] + "\n# changed\n", "utf-8")
    after = content(repository)
    assert set(after) == set(before)
    assert {name for name in before if after[name] != before[name]} == changed


@pytest.mark.parametrize(
    "file",
    [
        "sdk/go/wirelab.go",
        "src/wirelab/report/compose.py",
        "suites/letters/report.py",
        "suites/letters/README.md",
        "suites/letters/rival/rival",
        "suites/letters/contenders/owl/owl.c",
        "suites/letters/libraries/beak/library.toml",
    ],
)
def test_a_file_that_does_not_count_changes_nothing(repository: Path, file: str) -> None:
    before = content(repository)
    (repository / file).write_text(FILES[file] + "\n# changed\n", "utf-8")
    assert content(repository) == before


@pytest.mark.parametrize(
    ("machine", "changed"),
    [
        (replace(MACHINE, kernel="Linux 6.2"), {"kernel"}),
        (replace(MACHINE, python="3.12"), {"python"}),
        (replace(MACHINE, tool=versions(CMAKE)), {"tool cmake"}),
        (replace(MACHINE, tool=versions(MAVEN)), {"tool mvn"}),
        (replace(MACHINE, tool=versions(JAVA)), {"tool java"}),
        (replace(MACHINE, package=lambda package: f"{package} 2"), {"package stamps"}),
    ],
    ids=["kernel", "python", "library's tool", "tool", "runtime", "package"],
)
def test_another_machine_has_other_verdicts(
    repository: Path, machine: Machine, changed: set[str]
) -> None:
    before, after = content(repository), content(repository, machine=machine)
    assert {name for name in before if after[name] != before[name]} == changed


def test_another_scenario_partner_or_environment_has_another_verdict(repository: Path) -> None:
    before = content(repository)
    assert content(repository, "s2") != before
    assert content(repository, JAVA_TOOL_OPTIONS="-Xint") != before
    both = content(repository, programs=["office", "rival"])
    # It does not say in which language it is.
    assert {"program rival: sources", "sdk/"} == set(both) - set(before)


def test_this_machine_says_versions() -> None:
    here = this_machine()
    assert os.uname().release in here.kernel
    assert here.python == sys.version
    assert here.tool(Tool("no-such-tool", ())) == here.package("no-such-package") == ""


# ------------------------------------------------------------------------------- the files
CONTENT = {"scenario": "s1", "kernel": "Linux 6.1"}


@pytest.fixture
def _developer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)


@pytest.mark.usefixtures("_developer")
def test_a_verdict_is_taken_for_exactly_its_content(tmp_path: Path) -> None:
    verdicts = Verdicts(fresh=False, folder=tmp_path / "new")
    assert not verdicts.has("pigeon", CONTENT)
    verdicts.keep("pigeon", CONTENT)
    assert verdicts.has("pigeon", CONTENT)
    assert not verdicts.has("owl", CONTENT)
    assert not verdicts.has("pigeon", {**CONTENT, "kernel": "Linux 6.2"})
    assert not verdicts.has("pigeon", {**CONTENT, "sdk/c": "new"})
    assert not verdicts.has("pigeon", {"scenario": "s1"})
    [file] = (tmp_path / "new").iterdir()
    assert json.loads(file.read_text()) == CONTENT
    file.write_text("{")
    assert not verdicts.has("pigeon", CONTENT)


@pytest.mark.usefixtures("_developer")
def test_they_are_in_the_user_s_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    Verdicts(fresh=False).keep("pigeon", CONTENT)
    assert [path.name for path in tmp_path.glob("wirelab/conformance/*")] == ["pigeon.json"]
    assert Verdicts(fresh=False).has("pigeon", CONTENT)


@pytest.mark.usefixtures("_developer")
def test_who_wants_none_from_the_cache_gets_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Verdicts(fresh=True, folder=tmp_path).keep("pigeon", CONTENT)
    assert not Verdicts(fresh=True, folder=tmp_path).has("pigeon", CONTENT)
    assert Verdicts(fresh=False, folder=tmp_path).has("pigeon", CONTENT)
    monkeypatch.setenv("CI", "true")
    assert not Verdicts(fresh=False, folder=tmp_path).has("pigeon", CONTENT)
