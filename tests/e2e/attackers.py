"""The suite of sabotaged workers as a copy of its own, with contenders that attack."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from e2e.conftest import REPOSITORY

_MANIFEST = """
contender = "{name}"
title = "{name}"
language = "Python"
roles = {roles}
scenarios = ["{scenario}"]
library = {{ name = "loopback", version = "1.0", licence = "Apache-2.0" }}
build = {{ kind = "none" }}
run = {{ command = ["{{python}}", "{{suite}}/workers/{worker}.py", "{name}"] }}
"""


@dataclass(frozen=True)
class Attacker:
    """A contender: its worker (of ``sabotage/workers``) attacks as its name says."""

    worker: str
    serves: bool = False
    """Whether it plays the server as well."""
    scenario: str = ""
    """The one that it takes part in, where that is another one than these two have."""


def write_suite(
    folder: Path, attackers: Mapping[str, Attacker], changes: Mapping[str, str]
) -> None:
    """Write the suite, named as its folder; ``changes`` are made in the text of its manifest."""
    sabotage = REPOSITORY / "tests" / "sabotage"
    shutil.copytree(sabotage / "workers", folder / "workers")
    shutil.copy(sabotage / "suite" / "verify.py", folder)
    text = (sabotage / "suite" / "suite.toml").read_text()
    # Its workers lie in the suite's own folder, as those of other suites do.
    own = {
        'suite = "loopback"': f'suite = "{folder.name}"',
        "{source}/../workers/": "{source}/workers/",
        'sees = ["../workers"]\n': "",
    }
    for before, after in {**own, **changes}.items():
        assert before in text
        text = text.replace(before, after)
    (folder / "suite.toml").write_text(text)
    for name, attacker in attackers.items():
        manifest = folder / "contenders" / name / "contender.toml"
        manifest.parent.mkdir(parents=True)
        manifest.write_text(
            _MANIFEST.format(
                name=name,
                worker=attacker.worker,
                scenario=attacker.scenario or ("own-server" if attacker.serves else "s1"),
                roles='["server", "client"]' if attacker.serves else '["client"]',
            )
        )
