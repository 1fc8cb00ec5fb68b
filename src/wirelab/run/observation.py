"""The witness of a run's trials: built and tried before the first one, or refused in words."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path

from wirelab.build import PartBuilds, Unavailable, witness_part
from wirelab.sandbox.namespaces import Namespaces
from wirelab.trial.observed import Observation
from wirelab.witness.program import Enter, Witness


def observation(
    workshop: PartBuilds, repository: Path, *, own_network: bool, keeps_packets: bool
) -> Observation:
    """The witness of a run's trials.

    ``own_network``: each trial has a network of its own, in which nobody has to grant anything.
    ``keeps_packets``: packets are kept, and not their rows alone.
    """
    try:
        program = workshop.prepare(witness_part(repository)).command("")
    except Unavailable as missing:
        remedy = f"; to mend it: {missing.remedy}" if missing.remedy else ""
        return Observation(reason=f"{missing.reason}{remedy}")
    refused = _refusal(program, own_network=own_network)
    if refused and not own_network:
        granted = f"sudo setcap cap_net_raw+ep {program[0]}"
        return Observation(reason=f"{refused}; to mend it: {granted}")
    return Observation(program, reason=refused, keeps_packets=keeps_packets)


def _refusal(program: list[str], *, own_network: bool) -> str:
    """The reason why it may not look where trials will be; empty: it may."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as opened:
        enter: Enter = list
        if own_network:
            try:
                namespaces = Namespaces("own")
            except OSError as error:
                return f"no network of its own: {error.strerror}"
            opened.callback(namespaces.close)
            enter = namespaces.entered
        witness = Witness(program, [], Path(folder))
        try:
            witness.start(enter)
            witness.is_ready()
        finally:
            witness.stop()
        return witness.failure
