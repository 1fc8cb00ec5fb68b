"""``./wl list`` and ``./wl show``: a line a contender, names whole, wherever it is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.command_lines import ROOT, on_a_terminal, said
from tree import suites_of_the_tree

SUITES = suites_of_the_tree().suites
CONTENDERS = {name: list(suite.contenders) for name, suite in SUITES.items()}


def named(shown: str) -> list[str]:
    """First words of the lines that are indented by two spaces."""
    lines = [line for line in shown.splitlines() if line.startswith("  ") and line[2] != " "]
    return [line.split()[0] for line in lines]


def test_every_contender_has_one_line_with_its_whole_name(tmp_path: Path) -> None:
    ended = said("list", cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert named(ended.stdout) == [name for names in CONTENDERS.values() for name in names]
    headings = [line.partition(":")[0] for line in ended.stdout.splitlines() if line[:1].strip()]
    assert headings == list(SUITES)
    assert (
        len(ended.stdout.splitlines()) == sum(map(len, CONTENDERS.values())) + 2 * len(SUITES) - 1
    )


def test_a_narrow_terminal_shows_the_same_lines(tmp_path: Path) -> None:
    code, shown = on_a_terminal("list", cwd=tmp_path, columns=40)
    assert code == 0
    assert shown == said("list", cwd=tmp_path).stdout


@pytest.mark.parametrize("suite", sorted(SUITES))
def test_a_suite_is_told_in_detail(tmp_path: Path, suite: str) -> None:
    ended = said("list", suite, cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    told = ended.stdout
    manifest = SUITES[suite].manifest
    assert set(CONTENDERS[suite]) <= set(named(told))
    missing = [name for name in manifest.scenarios if f"  {name}: " not in told]
    missing += [
        f"{name}: {parameter.expected}"
        for name, parameter in manifest.parameters.items()
        if parameter.by == "scenario" and f"  {name}: {parameter.expected}" not in told
    ]
    assert manifest.scenarios
    assert missing == []


def test_a_contender_is_told_whole(tmp_path: Path) -> None:
    ended = said("show", "asyncua", cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    for part in (
        *("asyncua: asyncua", "opcua", "LGPL-3.0-or-later", "faults: ", "security", "notes"),
        "  gc_threshold = 10000: a whole number from 0 to",
        str(ROOT / "suites/opcua/contenders/asyncua"),
    ):
        assert part in ended.stdout, part


def test_a_title_in_two_languages_is_told_in_english(tmp_path: Path) -> None:
    title = SUITES["kv"].contenders["official-async"].manifest.title
    assert title.ko not in ("", title.en)
    ended = said("show", "official-async", cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith(f"official-async: {title.en}\n")
    assert title.ko not in ended.stdout


def test_what_is_missing_is_told_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine without dotnet, wherever it is looked for."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("DOTNET_ROOT", raising=False)
    ended = said("show", "csharp-cgd-original", cwd=tmp_path)
    assert ended.returncode == 0
    assert "here: it cannot run" in ended.stdout
    assert "dotnet is missing" in ended.stdout
    listed = said("list", cwd=tmp_path).stdout.splitlines()
    [line] = [li for li in listed if "csharp-cgd-original" in li]
    assert "not here" in line
    assert "dotnet is missing; to mend it: install the .NET SDK" in line


def test_a_contender_outside_of_the_tree_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    text = (ROOT / "suites/opcua/contenders/asyncua/contender.toml").read_text()
    (folder / "contender.toml").write_text(text.replace('"asyncua"', '"mine"', 1))
    (folder / "worker.py").touch()
    ended = said("show", "./mine", "--suite", "opcua", cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert str(folder) in ended.stdout
    unsaid = said("show", "./mine", cwd=tmp_path)
    assert unsaid.returncode == 2
    assert "--suite" in unsaid.stderr
    assert "opcua" in unsaid.stderr
    manifest = folder / "contender.toml"
    manifest.write_text(f'suite = "opcua"\n{manifest.read_text()}')
    assert said("show", "./mine", cwd=tmp_path).stdout == ended.stdout
    inside = said("show", "./suites/opcua/contenders/asyncua", cwd=ROOT)
    assert inside.returncode == 0, inside.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["list", "opuca"], 'no suite "opuca"; nearest: opcua'),
        (["show", "asynkua"], 'no contender "asynkua"; nearest: asyncua'),
        (["show", "milo", "--suite", "kv"], 'no contender "milo" in suite kv'),
    ],
)
def test_a_name_that_is_not_there_comes_with_the_nearest(
    tmp_path: Path, arguments: list[str], says: str
) -> None:
    ended = said(*arguments, cwd=tmp_path)
    assert ended.returncode == 2
    assert says in ended.stderr
