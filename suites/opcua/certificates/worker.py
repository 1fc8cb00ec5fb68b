"""The service `certificates`: key pairs and trust lists of server and client, for one trial.

Both sides are handed what an administrator would have put there: a key pair of their own, and
the one certificate of the other side that they are to trust. A probe changes a single thing.
"""

from __future__ import annotations

import shutil
from importlib.metadata import version
from pathlib import Path
from typing import Final

from issued import Issued, issue

from wirelab_sdk import Worker, main

SIDES: Final = {
    "server": "urn:wirelab:opcua:server",
    "client": "urn:wirelab:opcua:client",
}
"""Application URI of each side, which its certificate has to name."""

_OTHER = {"server": "client", "client": "server"}


def hand_out(folder: Path, flaw: str) -> None:
    """Write the folders of both sides: `own.der`, `own.key.pem` and `trusted/peer.der`.

    ``flaw``: `SIDE-expired` or `SIDE-untrusted`, of whose certificate, else nothing is wrong.
    An expired one is on the other side's list, so that only its date is wrong; in the place of
    an untrusted one, that list has another certificate of the same names.
    """
    certificates: dict[str, Issued] = {
        side: issue(f"wirelab {side}", uri, expired=flaw == f"{side}-expired")
        for side, uri in SIDES.items()
    }
    for side, own in certificates.items():
        peer = _OTHER[side]
        trusted = certificates[peer]
        if flaw == f"{peer}-untrusted":
            trusted = issue(f"wirelab {peer}", SIDES[peer])
        here = folder / side
        (here / "trusted").mkdir(parents=True)
        (here / "own.der").write_bytes(own.certificate)
        (here / "own.key.pem").write_bytes(own.key)
        (here / "trusted" / "peer.der").write_bytes(trusted.certificate)


async def certificates(worker: Worker) -> None:
    """Hand the certificates out; their keys go with the trial."""
    folder = worker.spec.paths.scratch / "pki"
    hand_out(folder, worker.spec.parameter("certificate", "trusted"))
    facts = {f"{side}_folder": str(folder / side) for side in SIDES}
    worker.ready("cryptography", version("cryptography"), facts=facts)
    await worker.stopped()
    shutil.rmtree(folder)


if __name__ == "__main__":
    main(certificates)
