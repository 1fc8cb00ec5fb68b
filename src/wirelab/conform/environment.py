"""The environment of a worker: by rule, or whoever starts a run would change its figures.

An allocator that is preloaded, options of a runtime or a debugging switch reach every process that
inherits them, and no figure shows it. So a worker inherits what says where things are and which
language is spoken; what its runtime needs beside that, its manifest says.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

ON_REQUEST = "WIRELAB_INHERIT"
"""Variable of the environment: names, with commas between, that workers inherit all the same."""

_INHERITED = re.compile(r"PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|TZ|TMPDIR|LC_\w+|WIRELAB_\w+")

_READ_BY_RUNTIMES = re.compile(
    r"LD_\w+|MALLOC_\w+|GLIBC_TUNABLES|TCMALLOC_\w+|MIMALLOC_\w+|(?:A|L|T|UB)SAN_OPTIONS|"
    r"PYTHON(?!PATH$)\w+|_?JAVA_\w+|JDK_\w+|CLASSPATH|MAVEN_OPTS|NODE_\w+|UV_\w+|"
    r"GO(?:DEBUG|GC|MEMLIMIT|MAXPROCS|TRACEBACK|FLAGS|ROOT|EXPERIMENT|AMD64|ARM64)|"
    r"RUST\w*|CARGO_\w+|DOTNET_\w+|COMPlus_\w+|ERL_\w+|ELIXIR_\w+|"
    r"OMP_\w+|OPENBLAS_\w+|MKL_\w+|CC|CXX|CPP|LD|AR|(?:C|CPP|CXX|LD)FLAGS|CMAKE_\w+|OPENSSL_\w+"
)
"""What loaders, allocators, runtimes and compilers look at; ``PYTHONPATH`` is wirelab's own."""


def inherited(environment: Mapping[str, str]) -> dict[str, str]:
    """What a worker inherits of ``environment``."""
    wanted = _on_request(environment)
    return {k: v for k, v in environment.items() if k in wanted or _INHERITED.fullmatch(k)}


def on_request(environment: Mapping[str, str]) -> list[str]:
    """What it inherits only because that was asked for, with the values."""
    return [f"{name}={environment[name]}" for name in sorted(_on_request(environment))]


def kept_away(environment: Mapping[str, str]) -> list[str]:
    """Names of what would have changed how workers run, were it inherited."""
    passed = inherited(environment)
    return sorted(k for k in environment if k not in passed and _READ_BY_RUNTIMES.fullmatch(k))


def _on_request(environment: Mapping[str, str]) -> set[str]:
    names = environment.get(ON_REQUEST, "").split(",")
    return {name.strip() for name in names}.intersection(environment)
