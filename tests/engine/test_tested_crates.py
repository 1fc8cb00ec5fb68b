"""Crates of one tree are not taken for those of another, whose tests share a folder with them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import tested_crates
from tested_crates import cargo, compiled_here

MANIFEST = '[package]\nname = "told-apart"\nversion = "0.1.0"\nedition = "2021"\n'
LOCK = 'version = 3\n\n[[package]]\nname = "told-apart"\nversion = "0.1.0"\n'
LIBRARY = """\
#[test]
fn it_is_of_this_tree() {{
    assert_eq!({content}, {expected});
    assert_eq!(env!("CARGO_MANIFEST_DIR"), std::env::var("CARGO_MANIFEST_DIR").unwrap());
}}
"""


def crate(folder: Path, content: str, expected: str) -> Path:
    """A crate whose test holds its own content against what is expected."""
    (folder / "src").mkdir(parents=True, exist_ok=True)
    (folder / "Cargo.toml").write_text(MANIFEST)
    (folder / "Cargo.lock").write_text(LOCK)
    library = folder / "src" / "lib.rs"
    library.write_text(LIBRARY.format(content=content, expected=expected))
    os.utime(library, (1_700_000_000, 1_700_000_000))  # older than all that is compiled here
    return folder


def outcome_of(folder: Path) -> str:
    """Outcome of the crate's own tests."""
    with compiled_here(folder):
        ended = cargo(folder, "test", "--locked", "--lib")
    return "passed" if ended.returncode == 0 else ended.stdout + ended.stderr


@pytest.mark.e2e
@pytest.mark.needs("cargo")
def test_each_tree_has_its_own_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tested_crates, "TARGET", tmp_path / "target")
    ours = crate(tmp_path / "ours" / "told-apart", "1", "1")
    theirs = crate(tmp_path / "theirs" / "told-apart", "2", "2")
    assert outcome_of(ours) == "passed"
    assert outcome_of(theirs) == "passed"
    assert outcome_of(ours) == "passed"
    # The same files, with another content and old times: it is compiled, and fails.
    broken = outcome_of(crate(ours, "1", "3"))
    assert "it_is_of_this_tree" in broken
