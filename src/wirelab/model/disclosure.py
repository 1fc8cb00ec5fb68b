"""The disclosure of a run: the host, the command line, and what the roles were kept in."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from wirelab.model.own import OUR_OWN, Own
from wirelab.model.units import Strict

NOT_FOREIGN = "not_foreign"
"""Key in the host's part for the processes below which nothing counted as foreign demand."""


class Accounts(Strict):
    """Sources of the figures of a role, and the most that a role may have."""

    processor: str = Field(
        default="",
        description="account of processor time: the version of control groups and its file; "
        "empty: /proc, in which processes that live for less than 100 ms can be missed",
    )
    reason: str = Field(default="", description="why control groups give not all that they can")
    memory_bytes: int | None = Field(
        default=None, ge=1, description="memory of a role; none: not limited"
    )
    processes: int | None = Field(
        default=None, ge=1, description="processes and threads of a role; none: not limited"
    )


class Disclosure(Strict):
    """The full disclosure of a run."""

    started_at: str
    wirelab: str
    git_revision: str
    host: dict[str, Any] = Field(description="kernel, CPU, memory, distribution, limits, clock")
    command_line: list[str]
    seed: int
    load_before: list[float]
    own: Own = Field(default=OUR_OWN, description="what the user measured with or against")
    sandbox: str | None = Field(
        default=None,
        description="program that kept each role in a sandbox; empty: none did; none: stored "
        "before there were sandboxes",
    )
    accounts: Accounts | None = Field(
        default=None,
        description="control groups of the roles; none: stored before there were any, of /proc",
    )
    unconfined: str | None = Field(
        default=None,
        description="why no sandbox kept the roles, and what would mend that; empty: one did, or "
        "the run was asked to go without; none: stored before sandboxes were the default",
    )
    unconfined_builds: dict[str, str] | None = Field(
        default=None,
        description="why code of packages was compiled without a sandbox, by what was built; none: "
        "stored before builds had sandboxes",
    )
    keyed: bool = Field(
        default=False,
        description="what a service answers depends on a secret that is drawn for each trial",
    )
    unforeseen: bool = Field(
        default=False,
        description="what is sent depends on a secret that is drawn for each trial",
    )
    granted: list[str] = Field(
        default=[], description="what the suite lets roles in sandboxes see beside its own folder"
    )
