"""Whether the roles of a run are kept in sandboxes: asked on the command line, told, kept to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from wirelab.model.run import Run
from wirelab.plan.selection import SandboxWish
from wirelab.run.confinement import Confinement

if TYPE_CHECKING:
    # Imports numpy and pyarrow, which a build does without.
    from wirelab.trial.observed import Observation

SandboxOption = Annotated[
    bool | None,
    typer.Option(
        "--sandbox/--no-sandbox",
        help="Insist on a sandbox of each role's own, or go without; otherwise there is one where "
        "this machine can start it.",
        show_default=False,
    ),
]


KeepPacketsOption = Annotated[
    bool,
    typer.Option(
        "--keep-packets",
        help="Keep the packets that the witness of the wire saw in packets.pcapng of each trial, "
        "with comments that name their operations.",
        show_default=False,
    ),
]


BuildSandboxOption = Annotated[
    bool | None,
    typer.Option(
        "--sandbox/--no-sandbox",
        help="Insist on a sandbox in which packages are compiled, without a network, or go "
        "without; otherwise there is one where this machine can start it.",
        show_default=False,
    ),
]


def wish_of(option: bool | None) -> SandboxWish:
    """The user's wish for a new run."""
    if option is None:
        return "where possible"
    return "required" if option else "none"


def refuse_other(option: bool | None, run: Run) -> None:
    """Refuse to go on otherwise than ``run`` was begun: its trials would not be of one kind."""
    begun = bool(run.disclosure.sandbox)
    if option is not None and option != begun:
        name, kept = ("--sandbox", "without a sandbox") if option else ("--no-sandbox", "in one")
        raise typer.BadParameter(f"{name}: this run was begun {kept}, and a run stays as it began")


def tell(
    confinement: Confinement, observation: Observation | None, say: Callable[[str], None]
) -> None:
    """Say on the terminal what was not asked for: no sandbox, or nobody who looks at the wire."""
    if confinement.reason:
        say(f"roles run with all your rights, in no sandbox: {confinement.reason}")
    if observation is not None and observation.reason:
        say(f"nobody looks at what is sent and received: {observation.reason}")
