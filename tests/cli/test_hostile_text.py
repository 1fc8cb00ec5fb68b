"""Text of strangers: it steers no terminal, breaks no page, and is never taken for markup."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from cli.command_lines import WL, environment, said
from synthetic import Client, load_run
from wirelab.cells.analysis import analyse
from wirelab.report import write

SUITE = Path(__file__).parents[1] / "sabotage" / "suite"

EVIL = "\x1b[31mred\x9b2J \u202egnp.\u2066 [/bold] [red]x :smile: \x00\x07\u2028"
SHOWN = r"\x1b[31mred\x9b2J \u202egnp.\u2066 [/bold] [red]x :smile: \x00\x07\u2028"
STEERING = set(EVIL) - set(SHOWN)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run of a contender with an evil title, one trial of which failed in evil words."""
    run = load_run({"swift": Client(), "slow": Client()})
    run.trial("slow").record |= {"status": "failed", "reason": EVIL, "detail": EVIL}
    made = run.write(tmp_path / "a-run")
    document = json.loads((made / "run.json").read_text())
    document["participants"]["swift"]["manifest"]["title"] = EVIL
    (made / "run.json").write_text(json.dumps(document))
    return made


def is_harmless(text: str) -> None:
    assert STEERING, "nothing is looked for"
    assert set(text).isdisjoint(STEERING), sorted(set(text) & STEERING)


def test_a_stored_run_steers_no_terminal(folder: Path) -> None:
    ended = said("analyse", str(folder), cwd=folder)
    assert ended.returncode == 0, ended.stderr
    is_harmless(ended.stdout)
    assert "[red]x :smile:" in ended.stdout


def test_a_stored_run_steers_no_page(folder: Path) -> None:
    analyse(folder)
    html, markdown = (path.read_text() for path in write(folder, "en", ["html", "md"]))
    for page in (html, markdown):
        is_harmless(page)
        assert r"\x1b" in page
        assert r"\u202e" in page
    assert "<svg" in html


MARKUP = "x` <img src=https://evil/x>| `"


def test_a_stored_run_is_no_markup(folder: Path) -> None:
    document = json.loads((folder / "run.json").read_text())
    document["disclosure"]["started_at"] = MARKUP
    (folder / "run.json").write_text(json.dumps(document))
    analyse(folder)
    result = json.loads((folder / "result.json").read_text())
    for metric in (m for cell in result["cells"] for m in cell["metrics"].values()):
        metric["unit"] = MARKUP
    (folder / "result.json").write_text(json.dumps(result))
    (html, markdown) = (path.read_text() for path in write(folder, "en", ["html", "md"]))
    assert "<img" not in html
    assert "&lt;img src=https://evil/x&gt;\\|" in markdown
    as_code = "`xʼ <img src=https://evil/x>\\| ʼ`"
    assert as_code in markdown
    assert "<img" not in markdown.replace(as_code, "")


def test_names_are_no_markup_where_runs_are_compared(folder: Path) -> None:
    analyse(folder)
    document = json.loads((folder / "result.json").read_text())
    units = [m for cell in document["cells"] for m in cell["metrics"].values()]
    for metric in units:
        metric["unit"] = EVIL
    (folder / "result.json").write_text(json.dumps(document))
    ended = said("compare", str(folder), str(folder), "--all", cwd=folder)
    assert ended.returncode in (0, 3), ended.stderr
    is_harmless(ended.stdout)
    assert "[/bold] [red]x :smile:" in ended.stdout


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with a contender of evil words."""
    suite = tmp_path / "root" / "suites" / "loopback"
    shutil.copytree(SUITE, suite)
    honest = (suite / "contenders" / "honest" / "contender.toml").read_text()
    evil = json.dumps(EVIL)
    honest = honest.replace('"1.0"', evil).replace(
        'title = "', 'title = "\\u001b[31m[/red] \\u202e'
    )
    (suite / "contenders" / "honest" / "contender.toml").write_text(honest)
    return tmp_path / "root"


@pytest.mark.parametrize("command", [("list",), ("list", "loopback"), ("show", "honest")])
def test_a_manifest_steers_no_terminal(root: Path, command: tuple[str, ...]) -> None:
    ended = said(*command, cwd=root, root=root)
    assert ended.returncode == 0, ended.stderr
    is_harmless(ended.stdout + ended.stderr)
    assert SHOWN in ended.stdout


def test_a_folder_steers_no_terminal(root: Path) -> None:
    name = "\x1b]0;evil\x07\u202e"
    contenders = root / "suites" / "loopback" / "contenders"
    broken = contenders / name
    broken.mkdir()
    (broken / "contender.toml").write_text("nothing = 1\n")
    ended = said("list", cwd=root, root=root)
    is_harmless(ended.stdout + ended.stderr)
    assert r"\x1b]0;evil\x07\u202e" in ended.stderr
    shutil.rmtree(broken)
    mine = Path(shutil.copytree(contenders / "honest", root / name))
    shown = said("show", str(mine), "--suite", "loopback", cwd=root, root=root)
    is_harmless(shown.stdout + shown.stderr)
    assert r"\x1b]0;evil\x07\u202e" in shown.stdout


def test_a_name_that_does_not_exist_steers_nothing(tmp_path: Path) -> None:
    ended = said("analyse", EVIL.replace("\x00", ""), cwd=tmp_path)
    assert ended.returncode == 2
    is_harmless(ended.stderr)


def test_a_terminal_of_another_encoding_is_written_to(folder: Path) -> None:
    ended = subprocess.run(
        [*WL, "analyse", str(folder)],
        env={**environment(), "PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        check=False,
        timeout=300,
    )
    assert ended.returncode == 0, ended.stderr
    assert rb"\u2605" in ended.stdout


def test_a_reader_that_has_enough_is_no_error(folder: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as closed:
        ended = subprocess.run(
            [*WL, "analyse", str(folder)],
            env=environment(),
            stdout=closed,
            stderr=subprocess.PIPE,
            check=False,
            timeout=300,
        )
    assert b"Traceback" not in ended.stderr
    assert ended.stderr == b""


def test_results_that_cannot_be_written_are_a_sentence(folder: Path) -> None:
    (folder / "result.json" / "in-the-way").mkdir(parents=True)
    ended = said("analyse", str(folder), cwd=folder)
    assert ended.returncode == 2
    assert ended.stderr.startswith("wl: ")
    assert "Is a directory" in ended.stderr


@pytest.mark.parametrize(
    ("option", "saying"),
    [
        (("--seed", "-1"), "--seed"),
        (("--set", "error_share=nan"), "error_share=nan: expected"),
        (("--set", "error_share=inf"), "error_share=inf: expected"),
        (("--set", "error_share=1e999"), "error_share=1e999: expected"),
    ],
)
def test_numbers_that_are_none_are_refused_at_once(
    tmp_path: Path, option: tuple[str, ...], saying: str
) -> None:
    ended = said("run", "kv", *option, cwd=tmp_path)
    assert ended.returncode == 2
    assert saying in ended.stderr
    assert list(tmp_path.iterdir()) == []
