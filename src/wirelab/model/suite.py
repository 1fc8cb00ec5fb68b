"""``suite.toml``: a subject, its scenarios, its neutral services and its profiles."""

from __future__ import annotations

from pydantic import Field

from wirelab.model.builds import Build, RunCommand
from wirelab.model.metrics import MetricKey, OwnMetric
from wirelab.model.parameters import SuiteParameter
from wirelab.model.parts import Mode, Operation, Role
from wirelab.model.scenario import Scenario
from wirelab.model.units import Name, Strict, Term, Text, Wording
from wirelab.model.wire import Spoken
from wirelab.model.written import SuiteSteps


class Service(Strict):
    """A neutral process of the suite, such as its server."""

    source: str = Field(description="folder, relative to suite.toml")
    build: Build
    run: RunCommand
    library: dict[str, str] = Field(default={}, description="name, version, licence")
    secret: bool = Field(
        default=False,
        description="it is given random bytes of the trial through the descriptor whose number is "
        "in WIRELAB_SECRET, and the verifier finds them in `secret` of the spec",
    )
    speaks: Spoken | None = Field(
        default=None,
        description="protocol by which keys are read, so that the witness of the wire can follow "
        "operations whose `wire` is of `keys`; none: it cannot",
    )
    target: str = Field(
        default="",
        description="service that takes its place where --target names a server of the user's own; "
        "its workers find HOST:PORT, and what they are to do there, in `target` of their spec",
    )
    scenarios: list[Name] = Field(
        default=[],
        description="of a service that stands for a server of the user's own: the scenarios that "
        "such a server can serve",
    )
    refuses: str = Field(
        default="",
        description="of such a service: why a server of the user's own serves no other scenario",
    )
    scheme: str = Field(
        default="",
        description="of such a service: the scheme of URLs such as opc.tcp://HOST:PORT/PATH that "
        "--target may name; empty: HOST:PORT alone",
    )


class Generator(Strict):
    """Another load generator than wirelab's own, for a second opinion (``--generator``)."""

    title: Wording
    source: str = Field(description="folder, relative to suite.toml")
    build: Build
    run: RunCommand
    library: dict[str, str] = Field(default={}, description="name, version, licence")
    scenarios: list[Name] = Field(description="those it can carry out")


class Suite(Strict):
    """A subject with all that is measured of it."""

    suite: Name
    title: Text
    reference_study: str = Field(
        default="",
        description="published comparison it reproduces: a page about it, or where it is",
    )
    summary: Wording
    sees: list[str] = Field(
        default=[],
        description="folders beside the suite's own that its roles read, relative to suite.toml: "
        "in a sandbox they see no others; the report names them",
    )
    parameters: dict[Term, SuiteParameter] = Field(
        default={}, description="every one that a worker, a verifier or a service may read"
    )
    metrics: dict[MetricKey, OwnMetric] = Field(
        default={}, description="those of this suite alone, whose figures its judge gives"
    )
    modes: dict[Name, Mode] = Field(
        default={}, description="ways of working, of which a contender names one or several"
    )
    roles: dict[Name, Role] = Field(default={}, description="those that scenarios name")
    operations: dict[Term, Operation] = Field(default={}, description="those that scenarios name")
    steps: SuiteSteps = Field(default={}, description="those that scenarios name")
    services: dict[Name, Service] = {}
    generators: dict[Name, Generator] = {}
    scenarios: dict[Name, Scenario]
