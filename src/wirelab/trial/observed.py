"""The wire of a trial and its witness, where there is one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from wirelab.model.scenario import Scenario
from wirelab.model.trial import RoleRecord
from wirelab.model.wire import Spoken, WitnessRecord, is_spoken_at
from wirelab.monitor.sampler import Sampler
from wirelab.trial import packets, sockets
from wirelab.trial.load import TrialLoad
from wirelab.trial.sandboxes import Sandboxes
from wirelab.trial.turns import KeptRecords
from wirelab.witness import pcapng, rows
from wirelab.witness.pcapng import Comment, Comments
from wirelab.witness.program import ROLE, Witness
from wirelab.witness.rows import Columns, SeenTraffic

_NOT_FOLLOWED = "the protocol of its server cannot be followed"


@dataclass(frozen=True)
class Observation:
    """The program that witnesses the trials of a run, or why none does."""

    program: list[str] = field(default_factory=list)
    reason: str = ""
    keeps_packets: bool = False


class ObservedWire:
    """The witness of one trial; ``observation`` is None where nothing is looked for. ``spoken`` is
    the protocol of the service that keys are read from.
    """

    def __init__(
        self,
        observation: Observation | None,
        scenario: Scenario,
        spoken: Spoken | None,
        folder: Path,
    ) -> None:
        self._folder = folder
        self._spoken = spoken
        self._operations = scenario.operations
        self._asked = observation is not None and scenario.is_followed
        self._reason = observation.reason if observation is not None else ""
        self._protocol = ""
        self._witness: Witness | None = None
        if observation is None or not self._asked or self._reason:
            return
        if followed := scenario.followed(spoken):
            self._protocol = followed[0]
            self._witness = Witness(
                observation.program, followed, folder, keeps_packets=observation.keeps_packets
            )
        else:
            self._reason = _NOT_FOLLOWED

    def start(self, sandboxes: Sandboxes | None, sampler: Sampler) -> None:
        """Have it begin, in the network of the roles; it is not waited for."""
        if self._witness is not None:
            enter = sandboxes.beside if sandboxes is not None else list
            self._witness.start(enter, lambda shell: sampler.watch(ROLE, shell))

    def watch(self, records: Iterable[RoleRecord]) -> None:
        """Have it see what goes to the endpoints of roles, and comes from them."""
        if self._witness is None:
            return
        endpoints = (one.ready.get("endpoint", "") for one in records)
        places = (sockets.address_of(one) for one in endpoints if is_spoken_at(one, self._protocol))
        self._witness.watch({place[1] for place in places if place is not None})

    def stop(self) -> None:
        """Have it end."""
        if self._witness is not None:
            self._witness.stop()

    def keep(self) -> None:
        """Write what it saw beside the samples."""
        if self.seen is not None:
            rows.write(self.seen, self._folder)
            self._keep_packets()

    @property
    def seen(self) -> SeenTraffic | None:
        """The traffic that it saw; None: it left nothing to look at."""
        return self._witness.seen if self._witness is not None else None

    def note(self, asked: Columns | None, load: TrialLoad, kept: KeptRecords) -> None:
        """Write what operations asked for beside it, where the suite knows that, and on the packets
        whose they are.
        """
        if asked is not None:
            rows.write_table(asked, self._folder / rows.REQUESTED)
        if self.seen is None or self._witness is None or self._witness.frames is None:
            return
        found = packets.comments(
            self.seen, self._operations, self._spoken, asked, load=load, kept=kept
        )
        self._keep_packets(found)

    def close(self) -> None:
        """Let go of the packets."""
        if self._witness is not None and self._witness.frames is not None:
            self._witness.frames.close()

    def _keep_packets(self, comments: Iterable[Comment] = ()) -> None:
        if self._witness is not None and self._witness.frames is not None:
            pcapng.write(self._witness.frames, self._folder / pcapng.FILE, Comments(comments))

    @property
    def record(self) -> WitnessRecord | None:
        """Outcome of the witness; None where nothing was looked for."""
        if not self._asked:
            return None
        if self._witness is None:
            return WitnessRecord(failure=self._reason)
        seen = self._witness.seen
        if seen is None:
            return WitnessRecord(failure=self._witness.failure)
        return WitnessRecord(
            failure=self._witness.failure,
            packets=len(seen.packets["length"]),
            dropped=seen.dropped,
            left_out=seen.left_out,
            spoken=self._spoken,
        )
