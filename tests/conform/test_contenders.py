"""Every contender in the tree keeps the contract, under load and where something breaks."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.building import WITHIN_S, build_behind_others, build_engine_behind_others
from wirelab.catalog import find_catalog
from wirelab.plan import takes_part

ROOT = Path(__file__).parents[2]
MANIFESTS = "suites/*/contenders/*/contender.toml"
CATALOG = find_catalog(ROOT)
UNAVAILABLE = "cannot be checked here: "

MESSAGING = [
    (name, loop) for name in ("python-zeromq", "socket") for loop in ("transfer", "broadcast")
]
"""What keeps the contract for messaging clients is the harness of their language: one contender is
enough, in a closed loop of each form. All of them run in ``tests/e2e/test_messaging.py``."""


def pairs() -> Iterator[tuple[Path, str]]:
    """Every contender with the first scenario of each kind that it takes part in.

    Who is loaded by another is told the same in all of them: one is enough. What keeps the
    contract for codecs is the harness of their language: one that uses it is enough.
    """
    for suite in CATALOG.suites.values():
        if suite.name == "messaging":
            yield from ((Path("suites/messaging/contenders", name), s) for name, s in MESSAGING)
            continue
        harnessed: set[str] = set()
        for contender in suite.contenders.values():
            kinds: dict[str, str] = {}
            for name, scenario in suite.manifest.scenarios.items():
                if any(
                    takes_part(contender.manifest, name, scenario, variant)
                    for variant in scenario.variants or [""]
                ):
                    kind = "load" if scenario.has_generator else scenario.kind
                    kinds.setdefault(kind, name)
            if "batches" in kinds:
                language = contender.manifest.language
                if contender.manifest.reference or language in harnessed:
                    continue
                harnessed.add(language)
            for name in kinds.values():
                yield contender.folder.relative_to(ROOT), name


PAIRS = list(pairs())


def test_every_contender_is_tried() -> None:
    assert CATALOG.broken == {}
    assert [suite.broken for suite in CATALOG.suites.values() if suite.broken] == []
    folders = {path.parent.relative_to(ROOT) for path in ROOT.glob(MANIFESTS)}
    codecs = {folder for folder in folders if folder.parts[1] == "codec"}
    sampled = {folder for folder in folders if folder.parts[1] in ("codec", "messaging")}
    assert {folder for folder, _ in PAIRS} - sampled == folders - sampled
    languages = {folder.name.partition("-")[0] for folder in codecs}
    assert {f.name.partition("-")[0] for f, _ in PAIRS if f in codecs} == languages
    tried: dict[str, set[str]] = {}
    for folder, name in PAIRS:
        tried.setdefault(folder.parts[1], set()).add(name)
    assert tried == {
        "opcua": {"s7", "faults"},
        "websocket": {"ramp"},
        "codec": {"steady"},
        "messaging": {"transfer", "broadcast"},
    }


@pytest.mark.e2e
@pytest.mark.parametrize(
    ("folder", "scenario"), PAIRS, ids=[f"{f.parts[1]}-{f.name}-{name}" for f, name in PAIRS]
)
def test_a_contender_keeps_the_contract(folder: Path, scenario: str) -> None:
    contender = CATALOG.suite(folder.parts[1]).contenders[folder.name]
    if contender.manifest.build.kind == "engine":
        build_engine_behind_others()
    build_behind_others(suite=folder.parts[1], contender=folder.name)
    ended = subprocess.run(
        [sys.executable, "-m", "wirelab", "conform", str(folder), "--scenario", scenario],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
        check=False,
    )
    _, unavailable, reason = ended.stderr.partition(UNAVAILABLE)
    if ended.returncode == 2 and unavailable:
        pytest.skip(reason.strip())
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert f"scenario {folder.parts[1]}/{scenario}" in ended.stdout
