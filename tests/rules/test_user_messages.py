"""Every message that a user can meet is in ``messages.txt``, to be read when one changes.

``WIRELAB_UPDATE_GOLDEN=1 ./wl test tests/rules/test_user_messages.py`` writes the list anew. A
message says what was wrong, where, and what to do.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from user_messages import messages

import wirelab

CORE = Path(wirelab.__file__).parent
KEPT = Path(__file__).parent / "messages.txt"


@pytest.fixture(scope="module")
def found() -> list[str]:
    return [
        f"{file.relative_to(CORE)}: {' '.join(text.split())}"
        for file in sorted(CORE.rglob("*.py"))
        for text in messages(file)
    ]


def test_every_message_is_listed(found: list[str]) -> None:
    if os.environ.get("WIRELAB_UPDATE_GOLDEN") == "1":
        KEPT.write_text("".join(f"{line}\n" for line in found), "utf-8")
    assert len(found) > 300
    assert found == KEPT.read_text("utf-8").splitlines()


def test_messages_blame_nobody_and_are_sentences(found: list[str]) -> None:
    said = [line.partition(": ")[2] for line in found]
    assert len(said) > 300
    shouted = re.compile(r"!|\b(?:oops|sorry|please|invalid input|bad input|illegal)\b", re.I)
    assert [text for text in said if shouted.search(text)] == []
