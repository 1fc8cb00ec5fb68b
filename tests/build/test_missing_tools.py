"""Missing packages are installed for root and named, with the command, to everyone else."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from wirelab.build import PartBuilds, Unavailable, debian, packages, tools
from wirelab.build.permission import ALLOWED

_SHELL = ("sh", "cat", "echo", "chmod", "touch")


class Machine:
    """A PATH with a few programs, a dpkg that knows no package, and an apt-get of our own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.calls = folder.parent / "apt-get.calls"
        for name in _SHELL:
            path = shutil.which(name)
            assert path
            (folder / name).symlink_to(path)
        self.program("dpkg-query", "echo 'unknown ok not-installed'; exit 1")
        self.program("apt-cache", 'test "$2" != cargo-web && echo "Package: $2"')

    def program(self, name: str, script: str) -> None:
        """A program on PATH."""
        file = self.folder / name
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)
        tools.ask_again()

    def apt_get(self, provides: dict[str, str], status: int = 0) -> None:
        """An apt-get that puts programs with these versions on PATH when told to install."""
        makes = "".join(
            f"printf '#!/bin/sh\\necho {name} {version}\\n' > {self.folder / name}\n"
            f"chmod 755 {self.folder / name}\n"
            for name, version in provides.items()
        )
        script = f'echo "$DEBIAN_FRONTEND $@" >> {self.calls}\n'
        script += f'case "$*" in *--no-download*)\n{makes}exit {status};; esac'
        self.program("apt-get", script)


@pytest.fixture
def machine(tmp_path, monkeypatch) -> Machine:
    folder = tmp_path / "bin"
    folder.mkdir()
    machine = Machine(folder)
    monkeypatch.setenv("PATH", str(folder))
    return machine


def as_root(monkeypatch: pytest.MonkeyPatch, allowed: str = "yes") -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv(ALLOWED, allowed)


def test_a_user_is_told_the_command(machine, sources, workshop, said):
    machine.program("make", "echo GNU Make 4.3")
    machine.apt_get({})
    part = sources.part("program", "cmake", debian=["cmake", "libfoo-dev"])
    with pytest.raises(Unavailable) as raised:
        workshop.prepare(part)
    for refused in (workshop.lacking(part), raised.value):
        assert refused.reason == "its library greeting: cmake is missing; cc is missing"
        assert refused.remedy == (
            "sudo apt-get install -y --no-install-recommends cmake gcc libc6-dev"
        )
    assert not machine.calls.exists()
    assert said == []


def test_packages_of_the_manifest_are_named_too(machine, sources, workshop):
    part = sources.part("python", "none", debian=["libfoo-dev", "cat"])
    refused = workshop.lacking(part)
    assert refused.reason == "Debian packages are missing: libfoo-dev"
    assert refused.remedy == "sudo apt-get install -y --no-install-recommends libfoo-dev"


def test_root_gets_it_installed(machine, sources, workshop, said, monkeypatch):
    as_root(monkeypatch)
    machine.apt_get({"cargo": "1.96.0", "cc": "12.2.0"})
    part = sources.part("cargo")
    assert workshop.lacking(part) is None
    # Which of its answers is found wanting first is not what is tested.
    with pytest.raises(Unavailable, match=r"names no host|metadata did not answer in JSON"):
        # The cargo of this machine prints its version, whatever it is asked for.
        workshop.prepare(part)
    folder = Path(debian.__file__).parent / "without_services"
    options = (
        "install -y --no-install-recommends --no-remove -o DPkg::Lock::Timeout=600 "
        "-o APT::Cmd::Pattern-Only=true "
        f"-o DPkg::Path={folder}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    )
    assert machine.calls.read_text().splitlines() == [
        "noninteractive update",
        f"noninteractive {options} --download-only cargo gcc libc6-dev",
        f"noninteractive {options} --no-download cargo gcc libc6-dev",
    ]
    assert "installing Debian packages: cargo gcc libc6-dev" in said


def test_who_has_the_package_of_what_is_too_old_is_told_to_get_another(
    machine, sources, workshop, monkeypatch
):
    machine.program("cargo", "echo cargo 1.60.0")
    machine.program("cc", "echo cc 12.2.0")
    here = "".join(f"installed\\t{name}\\t1\\n" for name in ("cargo", "gcc", "libc6-dev"))
    machine.program("dpkg-query", f"printf '{here}'")
    machine.apt_get({})
    part = sources.part("cargo")
    with pytest.raises(Unavailable) as raised:
        workshop.prepare(part)
    for refused in (workshop.lacking(part), raised.value):
        assert refused.reason.startswith("cargo 1.60.0 is too old, ")
        assert refused.remedy.endswith(" or later and put it first on PATH")
    as_root(monkeypatch)
    assert workshop.lacking(part).remedy == raised.value.remedy
    assert not machine.calls.exists()


def test_root_is_asked_nothing_and_gets_nothing_without_a_word(
    machine, sources, workshop, monkeypatch
):
    as_root(monkeypatch, allowed="")
    machine.apt_get({"cargo": "1.96.0", "cc": "12.2.0"})
    part = sources.part("cargo")
    with pytest.raises(Unavailable) as raised:
        workshop.prepare(part)
    for refused in (workshop.lacking(part), raised.value):
        assert refused.reason == "cargo is missing; cc is missing"
        assert refused.remedy == (
            "say --install with run or build, which installs cargo gcc libc6-dev and starts no "
            "service"
        )
    assert not machine.calls.exists()


def test_one_question_is_asked_for_all_parts(machine, sources, said, monkeypatch):
    as_root(monkeypatch, allowed="")
    machine.apt_get({"cargo": "1.96.0", "cc": "12.2.0"})
    asked = []

    def refuse(names):
        asked.append(list(names))
        return False

    workshop = PartBuilds(sources.root, said.append, may_install=refuse)
    parts = [sources.part("cargo"), sources.part("python", "none", debian=["libfoo-dev"])]
    workshop.foresee(parts)
    for part in parts:
        with pytest.raises(Unavailable):
            workshop.prepare(part)
    assert asked == [["cargo", "gcc", "libc6-dev", "libfoo-dev"]]
    assert not machine.calls.exists()


def test_the_newer_package_is_taken_where_there_is_one(machine):
    assert packages.choose("cargo-web|cargo") == "cargo"
    machine.program("apt-cache", 'echo "Package: $2"')
    packages.ask_again()
    assert packages.choose("cargo-web|cargo") == "cargo-web"


def test_an_installation_that_fails_is_told(machine, sources, workshop, monkeypatch):
    as_root(monkeypatch)
    machine.apt_get({}, status=100)
    with pytest.raises(Unavailable, match="apt-get install failed with exit code 100"):
        workshop.prepare(sources.part("cargo"))


@pytest.mark.parametrize(
    ("name", "programs", "reason"),
    [
        ("go", {"go": "go version go1.18.1 linux/amd64"}, "go 1.18.1 is too old, 1.19 is needed"),
        (
            "maven",
            {"javac": "javac 11.0.2", "java": "openjdk 17.0.1", "mvn": "Apache Maven 3.8.7"},
            "javac 11.0.2 is too old, 17 is needed",
        ),
        (
            "npm",
            {"node": "v16.0.0", "npm": "9.2.0"},
            "node 16.0.0 is too old, 18 is needed",
        ),
        (
            "cargo",
            {"cargo": "cargo 1.60.0", "cc": "cc 12.2.0"},
            "cargo 1.60.0 is too old, 1.65 is needed",
        ),
    ],
)
def test_an_old_tool_is_told(machine, sources, monkeypatch, name, programs, reason):  # noqa: PLR0917
    workshop = PartBuilds(sources.root)
    for program, answer in programs.items():
        machine.program(program, f"echo '{answer}'")
    refused = workshop.lacking(sources.part(name))
    assert refused.reason == reason
    assert refused.remedy.startswith("sudo apt-get install")
    as_root(monkeypatch)
    machine.apt_get({})
    with pytest.raises(Unavailable) as raised:
        workshop.prepare(sources.part(name))
    assert raised.value.reason == reason
    assert raised.value.remedy.endswith("or later and put it first on PATH")


def test_a_lock_file_of_a_newer_cargo(machine, sources, workshop):
    machine.program("cargo", "echo 'cargo 1.75.0'")
    machine.program("cc", "echo 'cc 13'")
    part = sources.part("cargo")
    assert workshop.lacking(part) is None
    lock = part.source / "Cargo.lock"
    lock.write_text(lock.read_text().replace("version = 3", "version = 4", 1))
    assert workshop.lacking(part).reason == "cargo 1.75.0 is too old, 1.78 is needed"


def test_a_tool_by_other_means_needs_no_package(machine, sources, workshop):
    """A JDK of the user's own is as good as Debian's."""
    machine.program("javac", "echo 'javac 21'")
    machine.program("java", "echo 'openjdk version \"21\"' >&2")
    machine.program("mvn", "printf '\\033[1mApache Maven 3.9.9\\033[m\\n'")
    part = sources.part("maven", debian=["default-jdk-headless", "maven"])
    assert workshop.lacking(part) is None


@pytest.mark.parametrize("options", ["JAVA_TOOL_OPTIONS", "NOTE: JDK_JAVA_OPTIONS"])
def test_options_that_java_tells_of_are_not_its_version(machine, options):
    note, _, name = options.rpartition(" ")
    said = f"{note} Picked up {name}: -XX:TieredStopAtLevel=1".strip()
    machine.program("java", f"echo '{said}' >&2; echo 'openjdk version \"17.0.1\"' >&2")
    assert tools.JAVA.find().version == "17.0.1"


def test_a_tool_that_does_not_work_is_missing(machine):
    machine.program("go", "exit 1")
    assert tools.GO.find() is None
    machine.program("go", "echo no number")
    assert tools.GO.find() is None


def test_a_tool_is_asked_nothing_in_the_folder_of_the_user(
    machine, sources, workshop, tmp_path, monkeypatch
):
    """cargo and rustup run what files there name."""
    told, here = tmp_path / "told", tmp_path / "here"
    machine.program("cargo", f'echo "$PWD" >> {told}; echo cargo 1.96.0; echo host: x')
    machine.program("cc", "echo cc 12.2.0")
    here.mkdir()
    monkeypatch.chdir(here)
    with pytest.raises(Unavailable, match="JSON"):
        workshop.prepare(sources.part("cargo"))
    folders = told.read_text().splitlines()
    assert len(folders) >= 3
    assert str(here) not in folders
