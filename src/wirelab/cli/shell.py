"""``wl shell``: the sandbox of a role, opened by hand."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from wirelab.build import PartBuilds
from wirelab.cli.installing import InstallOption, permission
from wirelab.cli.places import ROOT, place_of, refuse_interpreter_of
from wirelab.cli.suites import SuitesOption, suite_of
from wirelab.conform.environment import inherited
from wirelab.model.mistake import MistakeError
from wirelab.model.run import Run
from wirelab.model.trial import TrialRecord
from wirelab.run.confinement import confinement
from wirelab.samples.run_folder import RunFolder
from wirelab.sandbox import bubblewrap
from wirelab.sandbox.namespaces import Namespaces
from wirelab.sandbox.view import View

_TERMINAL = "script"
"""A program of util-linux that gives its child a terminal as large as its own."""


def shell(  # noqa: PLR0917 - the arguments of a command line
    run: Annotated[Path, typer.Argument(help="Folder of a run.")],
    trial: Annotated[str, typer.Argument(help="A trial of it: a folder below trials/.")],
    role: Annotated[str, typer.Argument(help="A role of that trial, such as client.")],
    command: Annotated[
        list[str] | None, typer.Argument(help="What to start there, after --; by default a shell.")
    ] = None,
    folders: SuitesOption = None,
    install: InstallOption = False,
) -> None:
    """Open the sandbox of a role by hand: what it saw, with nothing of the run to be changed.

    The role's files are there to be read, its scratch folder too; what is written to /tmp and to
    the home folder is gone with the shell. The network has a loopback and nothing else. The exit
    code is that of the shell or the command.
    """
    folder = RunFolder(run)
    described = folder.read_run()
    record = folder.read_record(trial)
    if record is None:
        raise MistakeError(f"{run} has no trial {trial} that has ended")
    if role not in record.roles:
        raise MistakeError(f"{trial} has no role {role}, but {', '.join(record.roles)}")
    workshop = PartBuilds(ROOT, typer.echo, may_install=permission(install=install))
    view = _view(folder, described, record, role, folders, workshop)
    raise typer.Exit(_within(view, folder.trial(trial), role, command or [_shell()]))


def _view(  # noqa: PLR0917 - what a run was made of
    folder: RunFolder,
    run: Run,
    record: TrialRecord,
    role: str,
    folders: list[Path] | None,
    workshop: PartBuilds,
) -> View:
    """As the role had it, but for what it wrote, which it may read."""
    suite = suite_of(run, folder.path, folders)
    refuse_interpreter_of(folder.path, run.disclosure.own.python)
    place = place_of(record.planned.contender, run, folder.path, named_by="")
    confined = confinement(
        "required",
        workshop,
        repository=ROOT,
        suite=suite,
        contenders=suite.chosen_contenders([place]),
        interpreter=run.disclosure.own.python,
        settings=run.settings,
    )
    assert confined.view is not None
    own = folder.trial(record.planned.id)
    before = list(record.roles)[: list(record.roles).index(role) + 1]
    kinds = ("spec.json", "samples", "answers.jsonl", "intervals.jsonl", "batches.jsonl")
    seen = [*(own / name for name in before), *(own / f"{role}.{kind}" for kind in kinds)]
    inputs = [path for path in seen if path.exists() and not path.is_symlink()]
    return confined.view.hiding(folder.path.parent).of_role(inputs, [])


def _within(view: View, folder: Path, role: str, command: list[str]) -> int:
    namespaces = Namespaces("own")
    variables = {"WIRELAB_SPEC": str(folder / f"{role}.spec.json"), "WIRELAB_ROLE": role}
    known = {name: value for name, value in os.environ.items() if name != "TMPDIR"}
    started = ["env", "--default-signal=INT", f"--chdir={folder / role}", *command]
    typed = sys.stdin.isatty() and sys.stdout.isatty() and shutil.which(_TERMINAL) is not None
    sandbox = bubblewrap.command(view, started, "--die-with-parent", keeps_terminal=typed)
    entered = namespaces.entered(sandbox)
    # On a terminal Ctrl-C is for who is inside: what starts it inherits that it is ignored.
    # Elsewhere it ends the sandbox, which this process waits for.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN if typed else _wait_on)
    try:
        ended = subprocess.run(
            _on_a_terminal(entered) if typed else entered,
            env={**inherited(known), **variables, "TERM": os.environ.get("TERM", "dumb")},
            check=False,
        )
    finally:
        signal.signal(signal.SIGINT, before)
        namespaces.close()
    return ended.returncode


def _wait_on(*_: object) -> None:
    """Take no notice; a program that is started does, as it would without this."""


def _on_a_terminal(command: list[str]) -> list[str]:
    """A command on a terminal of its own, which it can neither leave nor type into ours from."""
    return [_TERMINAL, "--quiet", "--return", "--command", shlex.join(command), "/dev/null"]


def _shell() -> str:
    return shutil.which("bash") or "sh"
