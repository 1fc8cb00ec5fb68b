"""Pages for newcomers: links that lead somewhere, and a page that is followed to its end."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from cli.command_lines import ROOT, piped, said
from e2e.conftest import MEASURED

PAGE = ROOT / "docs" / "first-steps" / "a-contender-of-your-own.md"
KOREAN = PAGE.with_suffix(".ko.md")
MANIFEST = "my-redis/contender.toml"
_LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)(?:#([^)\s]+))?\)")
_CODE = re.compile(r"`[^`\n]+`")
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """Anchors of a page's headings, as GitHub makes them."""
    texts = (heading.lower() for heading in _HEADING.findall(page.read_text("utf-8")))
    return {re.sub(r"[^\w\- ]", "", text).replace(" ", "-") for text in texts}


def test_every_link_of_a_page_leads_somewhere() -> None:
    tracked = subprocess.run(
        ["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    pages = [ROOT / name for name in tracked if "/golden/" not in name]
    links = [
        (page, link, anchor)
        for page in pages
        for link, anchor in _LINK.findall(_CODE.sub("code", page.read_text("utf-8")))
    ]
    assert len(links) > 50
    lost = [(str(p.relative_to(ROOT)), a) for p, a, _ in links if not (p.parent / a).exists()]
    assert lost == []
    unknown = [
        (str(page.relative_to(ROOT)), link, anchor)
        for page, link, anchor in links
        if anchor and anchor not in anchors(page.parent / link)
    ]
    assert unknown == []


def files_of(page: Path) -> dict[str, str]:
    """The files that a page shows: a fenced text after a line that ends with its path."""
    shown = re.findall(r"`(my-redis/[\w.]+)`:\n\n```\w*\n(.*?)```", page.read_text("utf-8"), re.S)
    return dict(shown)


def test_both_languages_show_the_same_files() -> None:
    english, korean = files_of(PAGE), files_of(KOREAN)
    assert len(english) == 4
    assert {**korean, MANIFEST: ""} == {**english, MANIFEST: ""}
    # Comments of the manifest are in the language of the page.
    assert tomllib.loads(korean[MANIFEST]) == tomllib.loads(english[MANIFEST])


def commands_of(page: Path) -> list[list[str]]:
    """The calls of wirelab that a page shows, without what is said beside them."""
    lines = re.findall(r"^    WL (.*?)(?:\s{3,}.*)?$", page.read_text("utf-8"), re.MULTILINE)
    return [line.split() for line in lines]


@pytest.fixture
def follower(tmp_path: Path) -> Path:
    """A folder with the files of the page, outside of the tree."""
    (tmp_path / "my-redis").mkdir()
    files = files_of(PAGE)
    assert set(files) == {
        f"my-redis/{name}"
        for name in ("contender.toml", "worker.py", "requirements.in", "requirements.txt")
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_the_page_shows_every_command_once(follower: Path) -> None:
    commands = commands_of(PAGE)
    assert [command[0] for command in commands] == ["list", "show", "show", "conform", "run"]
    for command in commands[:3]:
        ended = piped(*command, cwd=follower)
        assert ended.returncode == 0, ended.stderr
    assert "health_check_s = 0: a whole number of 0 or more" in ended.stdout


@pytest.mark.e2e
@pytest.mark.left_to_all
@pytest.mark.long(2)
@pytest.mark.needs("redis-server")
def test_the_contender_of_the_page_keeps_the_contract_and_is_measured(follower: Path) -> None:
    conform, run = commands_of(PAGE)[3:]
    checked = piped(*conform, cwd=follower)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "answers are right" in checked.stdout
    measured = piped(*["check" if word == "smoke" else word for word in run], cwd=follower)
    assert measured.returncode in MEASURED, measured.stdout + measured.stderr
    [folder] = (follower / "results").iterdir()
    assert "My Redis client" in (folder / "report-en.md").read_text("utf-8")


def test_the_manifest_of_the_other_page_is_one(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "how-to" / "add-a-contender.md").read_text("utf-8")
    [manifest] = re.findall(r"```toml\n(contender = .*?)```", page, re.DOTALL)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "contender.toml").write_text(manifest)
    ended = said("show", "./mine", "--suite", "opcua", cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert "prepared_requests = true: true or false" in ended.stdout
