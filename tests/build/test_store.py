"""Builds that clones share: found from everywhere, bounded, and never taken from who uses them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from build_parts import Sources, output_of

from cli import command_lines
from wirelab import cache
from wirelab.build import Part, PartBuilds, packages, store
from wirelab.build.store import Store

SOURCE = Path(__file__).parents[2] / "src"

USE_AND_WAIT = """
import sys
from wirelab.build.store import Store
print(Store().use(sys.argv[1]) is not None, flush=True)
sys.stdin.read()
"""


def c_program(sources: Sources, workshop: PartBuilds) -> Part:
    part = sources.part("program", "cmake")
    if refused := workshop.lacking(part):
        pytest.skip(refused.reason)
    return part


@contextmanager
def another_process_using(name: str) -> Iterator[None]:
    process = subprocess.Popen(
        [sys.executable, "-c", USE_AND_WAIT, name],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "True\n"
        yield
    finally:
        process.stdin.close()
        process.wait()


def made(sources: Sources, workshop: PartBuilds, option: str = "") -> Path:
    """A build that is of no use to this process any longer."""
    part = sources.part("python", "none", options=[option])
    output = workshop.prepare(part).output
    Store().give_back(output.name)
    return output


def weigh(output: Path, size: int) -> None:
    """Have a build take as many bytes."""
    record = output / "build.json"
    changed, times = re.subn(r'"disk_bytes": \d+', f'"disk_bytes": {size}', record.read_text())
    assert times == 1
    record.write_text(changed)


def test_a_second_clone_builds_nothing(sources, workshop, said, tmp_path):
    first = workshop.prepare(c_program(sources, workshop))
    said.clear()
    copy = Sources(tmp_path / "clone")
    second = PartBuilds(copy.root, said.append).prepare(copy.part("program", "cmake"))
    assert second.output == first.output
    assert said == []
    assert second.places["source"] == str(copy.folder("program"))


def test_a_moved_clone_finds_what_it_had_built(sources, workshop, said, tmp_path):
    built = workshop.prepare(sources.part("python"))
    said.clear()
    moved = Sources.__new__(Sources)
    moved.root = sources.root.rename(tmp_path / "elsewhere")
    again = PartBuilds(moved.root, said.append).prepare(moved.part("python"))
    assert again.output == built.output
    assert output_of(again.command("client")) == "IniConfig"
    assert said == []


def test_a_moved_cache_is_built_again(sources, workshop, said, tmp_path, monkeypatch):
    part = c_program(sources, workshop)
    before = workshop.prepare(part)
    said.clear()
    shutil.copytree(tmp_path / "cache", tmp_path / "other")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other"))
    after = PartBuilds(sources.root, said.append).prepare(part)
    assert after.output.is_relative_to(tmp_path / "other")
    assert after.output.name != before.output.name
    assert "building contender program of demo (cmake)" in said


def test_another_version_of_a_system_package_is_another_build(sources, workshop, monkeypatch):
    part = sources.part("python", "none", debian=["some-library"])
    found = []
    for version in ("2.36-9", "2.36-10"):
        monkeypatch.setattr("wirelab.build.debian.missing_packages", lambda *_: [])
        monkeypatch.setattr(
            "wirelab.build.key.versions",
            lambda packages, version=version: dict.fromkeys(packages, version),
        )
        found.append(workshop.prepare(part).output)
    assert found[0] != found[1]


@pytest.mark.skipif(shutil.which("dpkg-query") is None, reason="needs Debian's packages")
def test_the_version_of_an_installed_package_is_known():
    found = packages.versions(["libc6", "a-package-that-is-not-there|libc-bin"])
    assert set(found) == {"libc6", "libc-bin"}
    assert packages.versions([]) == {}


def test_what_was_not_used_for_longest_goes_first(sources, workshop, monkeypatch):
    outputs = [made(sources, workshop, option) for option in ("one", "two", "three")]
    for number, output in enumerate(outputs):
        weigh(output, 1000)
        os.utime(output.with_name(f"{output.name}.lock"), (number, number))
    assert [kept.bytes for kept in Store().kept()] == [1000, 1000, 1000]
    assert made(sources, workshop, "one") == outputs[0]
    monkeypatch.setattr(store, "limit", lambda: 2000)
    Store().trim()
    assert [output.exists() for output in outputs] == [True, False, True]


def test_a_build_takes_the_room_of_others(sources, workshop, monkeypatch):
    first = made(sources, workshop, "one")
    weigh(first, 1000)
    monkeypatch.setattr(store, "limit", lambda: 500)
    second = made(sources, workshop, "two")
    assert not first.exists()
    assert second.exists()


def test_what_makes_builds_quicker_goes_before_any_build(sources, workshop, monkeypatch):
    output = made(sources, workshop)
    with Store().cargo(lambda _: None) as target:
        target.mkdir()
        (target / "crate").write_bytes(b"x" * 10_000)
    monkeypatch.setattr(store, "limit", lambda: 5_000)
    Store().trim()
    assert output.exists()
    assert not target.exists()


def test_what_another_process_uses_stays(sources, workshop):
    output = made(sources, workshop)
    with another_process_using(output.name):
        assert Store().clear() == [output.name]
        assert (output / "build.json").exists()
    assert Store().clear() == []
    assert not output.exists()


def test_what_another_process_has_just_built_is_used_beside_it(
    sources, workshop, said, monkeypatch
):
    """It was not there at the first look, and its maker goes on using it for hours."""
    output = made(sources, workshop)
    said.clear()
    use, looks = Store.use, []

    def late(self: Store, name: str) -> object:
        looks.append(name)
        return use(self, name) if len(looks) > 1 else None

    monkeypatch.setattr(Store, "use", late)
    with another_process_using(output.name):
        assert workshop.prepare(sources.part("python", "none", options=[""])).output == output
    assert len(looks) == 2
    assert said == []


def test_who_looks_at_sizes_does_not_mind_what_a_build_removes(sources, tmp_path, monkeypatch):
    building = tmp_path / "cache" / "wirelab" / "builds" / "demo-one-0123"
    building.mkdir(parents=True)
    (building / "kept").write_bytes(b"x" * 100)
    (building / "removed").write_bytes(b"x" * 100)
    lstat = Path.lstat

    def gone(self: Path) -> os.stat_result:
        if self.name == "removed":
            self.unlink(missing_ok=True)
        return lstat(self)

    monkeypatch.setattr(Path, "lstat", gone)
    assert Store().size() == 100


def test_what_this_process_has_prepared_stays(sources, workshop):
    output = workshop.prepare(sources.part("python", "none")).output
    assert Store().clear() == [output.name]
    assert (output / "build.json").exists()


@pytest.mark.parametrize("folder", ["", "relative/folder"])
def test_without_a_folder_for_caches_it_is_the_usual_one(monkeypatch, folder):
    monkeypatch.setenv("XDG_CACHE_HOME", folder)
    assert cache.home() == Path.home() / ".cache" / "wirelab"


@pytest.mark.parametrize(("limit", "gib"), [("", 20), ("3", 3), ("007", 7)])
def test_the_limit_is_the_user_s(monkeypatch, limit, gib):
    monkeypatch.setenv(store.LIMIT, limit)
    assert store.limit() == gib * 2**30


@pytest.mark.parametrize("limit", ["much", "5.5", "-3", "0", "30GiB", "²"])
def test_a_limit_that_is_none_is_refused_before_anything_is_built(tmp_path, limit):
    ended = command_lines.said("build", "nothing", cwd=tmp_path, **{store.LIMIT: limit})
    assert ended.returncode == 2
    assert f"wl: {store.LIMIT}={limit}: expected a whole number of GiB above 0" in ended.stderr


def test_wl_clean_removes_every_build(sources, workshop, tmp_path):
    output = made(sources, workshop)
    command = [sys.executable, "-m", "wirelab", "clean"]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    with another_process_using(output.name):
        refused = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False
        )
        assert refused.returncode == 1
        assert refused.stderr == f"in use, not removed: {output.name}\n"
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert ended.stdout.endswith(f"GB removed from {tmp_path / 'cache' / 'wirelab'}\n")
    assert not output.exists()
