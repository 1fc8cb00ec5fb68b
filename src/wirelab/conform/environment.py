"""The environment of a worker: by rule, or whoever starts a run would change its figures.

An allocator that is preloaded, options of a runtime or a debugging switch reach every process that
inherits them, and no figure shows it. So a worker inherits what says where things are and which
language is spoken; what its runtime needs beside that, its manifest says.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

ON_REQUEST = "WIRELAB_INHERIT"
"""Variable of the environment: names, with commas between, that workers inherit all the same."""

_INHERITED = re.compile(r"PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|TZ|TMPDIR|LC_\w+|WIRELAB_\w+")

_LOGIN = re.compile(r"WIRELAB_\w+_(?:USER|PASSWORD)")
"""A part of the login for a server of the user's own, by the name of the service it stands for."""

_READ_BY_RUNTIMES = re.compile(
    r"LD_\w+|MALLOC_\w+|GLIBC_TUNABLES|TCMALLOC_\w+|MIMALLOC_\w+|(?:A|L|T|UB)SAN_OPTIONS|"
    r"PYTHON(?!PATH$)\w+|_?JAVA_\w+|JDK_\w+|CLASSPATH|MAVEN_OPTS|NODE_\w+|UV_\w+|"
    r"GO(?:DEBUG|GC|MEMLIMIT|MAXPROCS|TRACEBACK|FLAGS|ROOT|EXPERIMENT|AMD64|ARM64)|"
    r"RUST\w*|CARGO_\w+|DOTNET_\w+|COMPlus_\w+|ERL_\w+|ELIXIR_\w+|"
    r"OMP_\w+|OPENBLAS_\w+|MKL_\w+|CC|CXX|CPP|LD|AR|(?:C|CPP|CXX|LD)FLAGS|CMAKE_\w+|OPENSSL_\w+"
)
"""Variables that loaders, allocators, runtimes and compilers read; ``PYTHONPATH`` is wirelab's own.
"""


def inherited(environment: Mapping[str, str], services: Collection[str] = ()) -> dict[str, str]:
    """Select what a worker inherits of ``environment``; of logins, those for ``services`` alone."""
    wanted = {*_on_request(environment), *(part for name in services for part in login(name))}
    return {
        name: value
        for name, value in environment.items()
        if name in wanted or (_INHERITED.fullmatch(name) and not _LOGIN.fullmatch(name))
    }


def login(service: str) -> tuple[str, str]:
    """Names of the variables that have user and password for a server of the user's own."""
    head = f"WIRELAB_{service.upper().replace('-', '_')}"
    return f"{head}_USER", f"{head}_PASSWORD"


def on_request(environment: Mapping[str, str]) -> list[str]:
    """List the variables that it inherits only on request, with their values."""
    return [f"{name}={environment[name]}" for name in sorted(_on_request(environment))]


def kept_away(environment: Mapping[str, str]) -> list[str]:
    """Names of what would have changed how workers run, were it inherited."""
    passed = inherited(environment)
    return sorted(k for k in environment if k not in passed and _READ_BY_RUNTIMES.fullmatch(k))


def _on_request(environment: Mapping[str, str]) -> set[str]:
    names = environment.get(ON_REQUEST, "").split(",")
    return {name.strip() for name in names}.intersection(environment)
