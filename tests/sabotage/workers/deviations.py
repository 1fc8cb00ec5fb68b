"""Workers that misbehave in one way each: ``deviations.py NAME``."""

from __future__ import annotations

import sys

import unruly
import untrue
from reference import Reference, read_spec

DEVIATIONS: dict[str, type[Reference]] = {
    "answers-first": untrue.AnswersFirst,
    "cached": untrue.Cached,
    "clears-environment": unruly.ClearsEnvironment,
    "constant": untrue.Constant,
    "drops-ticks": untrue.DropsTicks,
    "exits-early": unruly.ExitsEarly,
    "exits-with-error": unruly.ExitsWithError,
    "fails-after-done": unruly.FailsAfterDone,
    "floods": unruly.Floods,
    "foreign-clock": untrue.ForeignClock,
    "foreign-file": untrue.ForeignFile,
    "foreign-record-size": untrue.ForeignRecordSize,
    "garbage": unruly.Garbage,
    "hangs": unruly.Hangs,
    "ignores-stop": unruly.IgnoresStop,
    "leaves-child": unruly.LeavesChild,
    "leaves-grandchild": unruly.LeavesGrandchild,
    "long-line": unruly.LongLine,
    "loses-writes": untrue.LosesWrites,
    "miscounts": untrue.Miscounts,
    "moves-ticks": untrue.MovesTicks,
    "never-ready": unruly.NeverReady,
    "no-samples": untrue.NoSamples,
    "server-dies": untrue.ServerDies,
    "server-never-ready": untrue.ServerNeverReady,
    "speaks-version-1": unruly.SpeaksVersion1,
    "starts-late": untrue.StartsLate,
    "swapped": untrue.Swapped,
    "truncated": untrue.Truncated,
    "wrong-checksum": untrue.WrongChecksum,
}

if __name__ == "__main__":
    DEVIATIONS[sys.argv[1]](read_spec()).run()
