"""The sandboxes of one trial: a view for each role, and the namespaces that the roles share.

A role writes its samples and answers into a folder of its own (``ROLE.out``), which it sees beside
its scratch folder; at the end of the trial the files go where a trial's files are. It can read the
scratch folders of roles that were started before it, which may name files of theirs in their facts:
but for those of roles that know a secret, whose files would give it away, and of processes of a
role that is several, which are to know nothing of each other.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from wirelab.processes.kept import Wrap
from wirelab.samples.removal import remove
from wirelab.sandbox import bubblewrap
from wirelab.sandbox.namespaces import Namespaces, Network
from wirelab.sandbox.view import View

Json = dict[str, Any]

_SCRATCH = "scratch"
_OURS = 0o700


def outputs_of(folder: Path, role: str, *, sandboxed: bool) -> Path:
    """The folder in which a role writes its files, in the trial's ``folder``."""
    return folder / f"{role}.out" if sandboxed else folder


class Sandboxes:
    """Puts the roles of a trial into sandboxes; ``close`` once they have ended."""

    def __init__(self, view: View, network: Network) -> None:
        self._view = view
        self._refused = ""
        self._scratches: list[Path] = []
        self._namespaces: Namespaces | None = None
        try:
            self._namespaces = Namespaces(network)
        except OSError as error:
            self._refused = error.strerror or str(error)

    @property
    def network_of(self) -> int | None:
        """A process in the network of the roles, where that is their own."""
        own = self._namespaces is not None and self._namespaces.network == "own"
        return self._namespaces.pid if self._namespaces is not None and own else None

    def around(self, spec: Json, spec_path: Path, *, apart: bool) -> Wrap:
        """Put what is started into the sandbox of a role; raises OSError where there is none.
        ``apart``: nobody who comes later reads its scratch folder.
        """
        if self._namespaces is None:
            raise OSError(None, f"no sandbox: {self._refused}")
        outputs, scratch = Path(spec["paths"]["samples"]).parent, Path(spec["paths"][_SCRATCH])
        outputs.mkdir(exist_ok=True)
        given = [Path(one["answers"]) for one in spec.get("inputs", [])]
        inputs = [spec_path, *given, *self._scratches]
        if not apart:
            self._scratches.append(scratch)
        view = self._view.hiding(spec_path.parents[3]).of_role(inputs, [scratch, outputs])
        return partial(self._entered, view)

    def beside(self, command: Sequence[str]) -> list[str]:
        """``command`` in what the roles share, without a sandbox of its own."""
        return [*command] if self._namespaces is None else self._namespaces.entered(command)

    def _entered(self, view: View, command: list[str]) -> list[str]:
        assert self._namespaces is not None
        return self._namespaces.entered(bubblewrap.command(view, command))

    def close(self) -> None:
        """Let go of what the roles shared."""
        if self._namespaces is not None:
            self._namespaces.close()


def bring_out(spec: Json, folder: Path) -> str:
    """Put what a role wrote among the files of its trial, and say so in its spec; returns what
    could not be put there, empty where all was.
    """
    paths, outputs = spec["paths"], Path(spec["paths"]["samples"]).parent
    if outputs == folder:
        return ""  # they are there
    refused = ""
    with contextlib.suppress(FileNotFoundError):
        outputs.chmod(_OURS)  # the role may have closed it
    for name, path in list(paths.items()):
        # What lies in its scratch folder is looked for there.
        if not Path(path).is_relative_to(paths[_SCRATCH]):
            kept = folder / Path(path).name
            try:
                _move(Path(path), kept)
            except OSError as error:
                refused = refused or f"{kept.name} cannot be kept: {error.strerror}"
            paths[name] = str(kept)
    with contextlib.suppress(OSError):
        remove(outputs)
    return refused


def _move(path: Path, kept: Path) -> None:
    """Move whatever a role made, where it made something."""
    if not os.path.lexists(path):
        return
    if path.is_dir() and not path.is_symlink():
        path.chmod(_OURS)  # moving a folder changes it, for which it may be closed
    os.replace(path, kept)  # noqa: PTH105 - whatever it is, also a link
