"""Every parameter that a worker, a verifier or a program reads is declared, and the other way."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from pathlib import Path

import pytest
from parameter_reads import (
    LITERAL,
    OTHERWISE,
    ROOT,
    literal_reads,
    looking_up,
    looks_up,
    reads_of,
    sources,
)

from tree import suites_of_the_tree
from wirelab.catalog import ContenderEntry, SuiteEntry, suite_at
from wirelab.model.load import Paced
from wirelab.model.parameters import OF_THE_CORE

CATALOG = suites_of_the_tree()
OWN = [suite_at(ROOT / "bench" / place / "suite.toml") for place in (".", "truth")]
SUITES = {**CATALOG.suites, **{suite.name: suite for suite in OWN}}

SDK = {
    "sdk/csharp/src/Batches/BatchPlan.cs": ("BatchPlan", {"prewarm_ms"}),
    "sdk/csharp/src/PacedClient.cs": ("PacedClient", {"connect"}),
    "sdk/csharp/src/RuntimeSettings.cs": (
        "using Wirelab",
        {"gc", "gc_concurrent", "tiered_compilation", "tiered_pgo", "threads_min"},
    ),
    "sdk/java/src/main/java/io/wirelab/sdk/BatchPlan.java": ("BatchWorker", {"prewarm_ms"}),
    "sdk/java/src/main/java/io/wirelab/sdk/PacedClient.java": ("PacedClient", {"connect"}),
    "sdk/node/src/client.js": ("drive", {"connect"}),
    "sdk/node/src/cluster.js": ("serveCluster", {"workers"}),
}
"""Files of SDKs that read parameters themselves: what a worker that uses them calls, the names."""

HANDED_ON = {
    *("sdk/go/spec.go", "sdk/node/src/spec.js", "sdk/python/wirelab_sdk/spec.py"),
    *("sdk/rust/src/spec.rs", "sdk/csharp/src/RuntimeSettings.cs"),
    "suites/codec/libraries/cpp/harness/worker.cpp",
    "suites/kv/libraries/java/src/main/java/io/wirelab/kv/Draw.java",
    "suites/kv/libraries/python/kv_harness/client.py",
    "suites/kv/server/src/raw/plan.rs",
    "suites/messaging/libraries/jms/src/main/java/io/wirelab/messaging/jms/Terms.java",
    # Names between braces, which are checked where a manifest has them.
    "crates/engine/src/http/template.rs",
}
"""Files that read by a name which their callers say in words: the callers are what is searched."""

_HTTP = {"http_path", "http_body", "http_method", "http_content_type"}
_JAVA = "src/main/java/io/wirelab"
BY_ANOTHER_NAME = {
    "sdk/java/src/main/java/io/wirelab/sdk/PacedClient.java": {"connect"},
    "crates/engine/src/http/requests.rs": _HTTP,
    "suites/kv/generators/k6/cmd/k6-worker/requests.go": _HTTP,
    "suites/kv/server/src/faults.rs": {
        *("slow_node", "slow_us", "stall_node", "stall_at_ms", "stall_ms", "error_node"),
        *("error_share", "drop_node", "drop_share", "down_node", "down_at_ms", "up_at_ms"),
        *("added_at_ms", "delay_us", "jitter_us"),
    },
    "suites/kv/verify.py": {"set", "keys", "keys_are", "universe", "model"},
    f"suites/messaging/contenders/aeron/{_JAVA}/messaging/aeron/Media.java": {
        *("term_bytes", "broadcast_term_bytes"),
    },
}
"""Names that a file looks up from a list, a loop or a function of its own."""

ENGINES = {
    "engine:websocket": ("crates/engine/src/websocket", "crates/engine/src/load"),
    "engine:http": ("crates/engine/src/http", "crates/engine/src/load"),
}


def below(folder: Path) -> set[str]:
    return set(sources(str(folder.resolve().relative_to(ROOT.resolve()))))


def contender_sources(suite: SuiteEntry, entry: ContenderEntry) -> set[str]:
    """Sources of a contender's worker, libraries of its suite included."""
    own = below(entry.folder) | below(entry.folder / entry.manifest.source)
    for need in entry.manifest.build.needs:
        library = suite.libraries[need]
        own |= below(library.folder) | below(library.folder / library.manifest.source)
    return own


def suite_sources(suite: SuiteEntry) -> set[str]:
    """Everything of a suite but its contenders, and the engines that fill its roles."""
    fillers = {r.provider for s in suite.manifest.scenarios.values() for r in s.roles.values()}
    engines = [folder for by in fillers & set(ENGINES) for folder in ENGINES[by]]
    contenders = below(suite.folder / "contenders")
    # A suite may stand in the folder of another one.
    inside = (one.folder for one in SUITES.values() if suite.folder in one.folder.parents)
    contenders = contenders.union(*map(below, inside))
    whole = set(sources(*engines)) if engines else set()
    # A program of the suite may be another folder than one of its own.
    return (below(suite.folder) - contenders) | whole


def names_read(paths: Collection[str]) -> set[str]:
    """Parameters that files read, by themselves and through an SDK."""
    return set().union(*map(names_in, paths))


@cache
def names_in(path: str) -> set[str]:
    """Parameters that one file reads; contenders share most of their files."""
    read = reads_of([path]).get(path, set()) | BY_ANOTHER_NAME.get(path, set())
    text = (ROOT / path).read_text()
    for word, names in SDK.values():
        if re.search(rf"\b{word}\b", text):
            read |= names
    return read


def named_in_manifest(suite: SuiteEntry) -> set[str]:
    """Parameters that a suite's own manifest refers to: sizes of steps, names between braces."""
    sizes = {
        size
        for scenario in suite.manifest.scenarios.values()
        for step in scenario.steps.values()
        for size in (step.users, step.lanes)
        if isinstance(size, str)
    }
    texts = [str(s.parameters.get("http_path", "")) for s in suite.manifest.scenarios.values()]
    braced = {name for text in texts for name in re.findall(r"\{([a-z0-9_]+)\}", text)}
    scenarios = suite.manifest.scenarios.values()
    loads = {s.capacity.parameter for s in scenarios if s.capacity is not None}
    hours = {s.load.hours for s in scenarios if isinstance(s.load, Paced) and s.load.hours}
    roles = (role for scenario in scenarios for role in scenario.roles.values())
    several = {role.processes for role in roles if isinstance(role.processes, str)}
    return (sizes | braced | loads | hours | several) - {"request"}


@pytest.mark.parametrize("name", sorted(SUITES))
def test_what_a_suite_reads_is_declared(name: str) -> None:
    suite = SUITES[name]
    files = suite_sources(suite)
    read = names_read(files) | named_in_manifest(suite)
    assert read
    # Libraries of a suite read what the contenders built on them declare.
    declared = set(suite.manifest.parameters).union(
        *(entry.manifest.parameters for entry in suite.contenders.values())
    )
    assert read - declared - set(OF_THE_CORE) == set()


@pytest.mark.parametrize(
    ("suite", "contender"), [(s, c) for s in sorted(SUITES) for c in SUITES[s].contenders]
)
def test_what_a_contender_reads_is_declared_and_its_own(suite: str, contender: str) -> None:
    entry = SUITES[suite].contenders[contender]
    common = SUITES[suite].manifest.parameters
    known = {*common, *entry.manifest.parameters}
    own = names_read(below(entry.folder) | below(entry.folder / entry.manifest.source))
    assert own - known == set()
    # Those of its tuning have a value there, or are declared beside it.
    twins = {
        name
        for other in SUITES[suite].contenders.values()
        if (other.folder / other.manifest.source).resolve()
        == (entry.folder / entry.manifest.source).resolve()
        for name in other.manifest.own_parameters
    }
    tuned = {name for name in own & set(common) if common[name].by == "contender"}
    assert tuned - entry.manifest.own_parameters - twins == set()


@pytest.mark.parametrize(
    ("suite", "contender"), [(s, c) for s in sorted(SUITES) for c in SUITES[s].contenders]
)
def test_what_a_contender_declares_is_read_or_fixed(suite: str, contender: str) -> None:
    entry = SUITES[suite].contenders[contender]
    if entry.manifest.unavailable.en:
        pytest.skip("it has no worker yet")
    known = {**SUITES[suite].manifest.parameters, **entry.manifest.parameters}
    read = names_read(contender_sources(SUITES[suite], entry))
    settable = {name for name in entry.manifest.own_parameters if not known[name].fixed}
    assert settable - read == set(), "nobody reads them: --set would change nothing"


@pytest.mark.parametrize("name", sorted(SUITES))
def test_what_a_suite_declares_is_read_or_fixed(name: str) -> None:
    suite = SUITES[name]
    files = suite_sources(suite).union(
        *(contender_sources(suite, entry) for entry in suite.contenders.values())
    )
    settable = {n for n, parameter in suite.manifest.parameters.items() if not parameter.fixed}
    assert settable
    assert settable - names_read(files) - named_in_manifest(suite) == set()


def test_no_file_reads_by_a_name_that_this_search_does_not_know() -> None:
    files = sources("sdk", "suites", "crates", "bench")
    assert len(files) > 500
    assert looking_up(files) == HANDED_ON | set(BY_ANOTHER_NAME)
    assert set(reads_of(sources("sdk"))) | {p for p in SDK if p in BY_ANOTHER_NAME} == set(SDK)


def test_java_calls_what_it_reads_from_by_a_name_that_is_searched_for() -> None:
    files = [path for path in sources("suites", "bench") if path.endswith(".java")]
    called = {
        name for path in files for name in re.findall(r"\bFields (\w+)", (ROOT / path).read_text())
    }
    # `facts` are another object of the spec.
    assert called == {"parameters", "tuning", "facts"}


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".py", 'spec.parameter("depth", 1)'),
        (".py", 'spec["parameters"].get("depth", 1)'),
        (".py", 'if "depth" in spec.parameters:'),
        (".java", 'spec.parameters()\n    .integerWithin("depth", 1, 9)'),
        (".java", 'either(tuning, "depth", "a", "b")'),
        (".cs", 'worker.Spec.Parameters.Text("depth", "deep")'),
        (".cs", 'Compare(\n    parameters, "depth", found)'),
        (".c", 'wl_spec_int_or(w, "parameters.depth", 1)'),
        (".js", "parameter(spec, 'depth', 1)"),
        (".go", 'sdk.Parameter[int64](spec, "depth", 1)'),
        (".go", 'sdk.StepParameter(spec, step, "depth", int64(1))'),
        (".rs", 'spec.step_parameter(\n    step, "depth", 1)?'),
    ],
)
def test_the_search_finds_a_read(suffix: str, text: str) -> None:
    assert literal_reads(text, suffix) == {"depth"}
    assert not looks_up(text, suffix)


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".py", "spec.parameter(name, 1)"),
        (".java", "tuning.integer(key)"),
        (".cs", "parameters.Integer(name)"),
        (".js", "parameter(spec, name, 1)"),
        (".go", "sdk.Parameter(spec, name, 1)"),
        (".rs", "spec.parameter(name, 0)?"),
    ],
)
def test_the_search_finds_a_name_that_stands_elsewhere(suffix: str, text: str) -> None:
    assert looks_up(text, suffix)
    assert literal_reads(text, suffix) == set()


def test_every_language_is_searched_both_ways() -> None:
    languages = {"python", "java", "csharp", "c", "node", "go", "rust"}
    assert set(LITERAL) == set(OTHERWISE) == languages
