"""Checks a worker against the worker contract, version 2: ``python3 FOLDER DOCUMENT``.

Plays the core for one short trial a check, prints one line a check, and exits with 0 when
none failed, 1 when one did, 2 when the worker could not be started as asked.

The folder stands alone: it keeps to the standard library (Python 3.11 or later), nothing else of
wirelab is imported, and its modules find each other by relative imports. Whoever writes a worker
can carry it, under any name, to a machine that has nothing else, with the document that
``wl conform CONTENDER --write FILE`` makes: commands in it are those of the machine it was made on.
"""

from .checks import (
    PARTS,
    Part,
    check,
    check_bad_specs,
    check_being_stopped,
    check_being_stopped_early,
)
from .command_line import main, report
from .described import FORMAT, read, workers
from .limits import CheckLimits
from .process import Process
from .serving import check_being_a_server
from .spec import make_spec
from .trial import CheckedTrial
from .verdict import Check, Outcome
from .worker import CannotCheckError, CheckedWorker, Verifier

__all__ = [
    "FORMAT",
    "PARTS",
    "CannotCheckError",
    "Check",
    "CheckLimits",
    "CheckedTrial",
    "CheckedWorker",
    "Outcome",
    "Part",
    "Process",
    "Verifier",
    "check",
    "check_bad_specs",
    "check_being_a_server",
    "check_being_stopped",
    "check_being_stopped_early",
    "main",
    "make_spec",
    "read",
    "report",
    "workers",
]
