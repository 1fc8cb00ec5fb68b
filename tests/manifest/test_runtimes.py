"""Settings of .NET: said once beside the SDK, and found in every contender that runs on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tree import suites_of_the_tree
from wirelab.catalog import ContenderEntry, SuiteEntry, suite_at
from wirelab.manifest import ManifestError, load_contender
from wirelab.manifest.runtimes import runtime_of

ROOT = Path(__file__).parents[2]
SUITES = [*suites_of_the_tree().suites.values(), suite_at(ROOT / "bench" / "suite.toml")]
ON_DOTNET = [
    (suite, entry)
    for suite in SUITES
    for entry in suite.contenders.values()
    if entry.manifest.build.kind == "dotnet"
]
SETTINGS = runtime_of("dotnet").settings
CONTENDER = """\
contender = "one"
title = "One"
language = "C#"
library = {{ name = "one", version = "1", licence = "MIT" }}
build = {{ kind = "{kind}" }}
tuning = {{ {tuning} }}
run = {{ command = ["one"], environment = {{ {environment} }} }}
"""


def written(folder: Path, tuning: str = "", environment: str = "", kind: str = "dotnet") -> Path:
    file = folder / "contender.toml"
    file.write_text(CONTENDER.format(tuning=tuning, environment=environment, kind=kind))
    return file


@pytest.mark.parametrize(
    ("suite", "entry"), ON_DOTNET, ids=[f"{suite.name}-{entry.name}" for suite, entry in ON_DOTNET]
)
def test_a_contender_on_dotnet_says_what_it_runs_with(
    suite: SuiteEntry, entry: ContenderEntry
) -> None:
    manifest = entry.manifest
    own = SETTINGS.keys() - suite.manifest.parameters.keys()
    assert own >= {"gc", "gc_concurrent", "tiered_compilation", "tiered_pgo"}
    assert manifest.tuning.keys() >= own
    told = manifest.run.environment
    deciding = {name: SETTINGS[name] for name in own if SETTINGS[name].variable}
    assert deciding
    assert {s.variable: told[s.variable] for s in deciding.values()} == {
        s.variable: s.values[str(manifest.tuning[name])] for name, s in deciding.items()
    }


def test_what_is_said_once_is_said_nowhere_else() -> None:
    assert len(ON_DOTNET) > 15
    files = {entry.folder / "contender.toml" for _, entry in ON_DOTNET}
    files |= {suite.folder / "suite.toml" for suite in SUITES}
    for file in files:
        text = file.read_text()
        assert "DOTNET_" not in text, file
        repeated = {f"{n} = {f'{s.default!r}'}".replace("'", '"') for n, s in SETTINGS.items()}
        assert not repeated & set(text.splitlines()), file


def test_a_contender_may_want_another_value(tmp_path: Path) -> None:
    one = load_contender(written(tmp_path, 'gc = "server", threads_min = 8'))
    assert (one.tuning["gc"], one.tuning["gc_concurrent"], one.tuning["threads_min"]) == (
        *("server", "no"),
        8,
    )
    assert one.run.environment == {
        "DOTNET_EnableDiagnostics": "0",
        "DOTNET_gcServer": "1",
        "DOTNET_gcConcurrent": "0",
        "DOTNET_TieredCompilation": "1",
        "DOTNET_TieredPGO": "1",
    }


def test_others_have_none_of_it(tmp_path: Path) -> None:
    other = load_contender(written(tmp_path, kind="none"))
    assert (other.tuning, other.parameters, other.run.environment) == ({}, {}, {})


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        pytest.param(
            {"environment": 'DOTNET_gcServer = "1"'},
            "run.environment.DOTNET_gcServer: gc in [tuning] decides it, where reports show it",
            id="hidden",
        ),
        pytest.param(
            {"tuning": 'gc = "parallel"'},
            "tuning.gc: expected one of workstation, server, found 'parallel'",
            id="no such value",
        ),
    ],
)
def test_a_setting_that_cannot_be_is_told(
    tmp_path: Path, changes: dict[str, str], told: str
) -> None:
    suite = next(suite for suite in SUITES if suite.name == "codec").manifest
    with pytest.raises(ManifestError) as refused:
        load_contender(written(tmp_path, **changes), suite)
    assert told in str(refused.value)
