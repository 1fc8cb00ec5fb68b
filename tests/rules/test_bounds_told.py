"""The table of bounds in ``docs/concepts/security.md`` says what the code has."""

from __future__ import annotations

import re

from cli.command_lines import ROOT
from wirelab.build import bounds, commands, content
from wirelab.cells.trial_files import MOST_EVENT_BYTES
from wirelab.conform import files
from wirelab.live import running_totals
from wirelab.model import events, planned, span
from wirelab.samples import batches, callgrind, foreign_json, intervals, parquet, stacks, stored
from wirelab.samples import format as samples
from wirelab.sandbox import bubblewrap, holder
from wirelab.trial import answers, disk, roles, rules, rules_main, sync_calls, verification

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30

BOUNDS = {
    "a line of standard output": events.MAX_LINE,
    "standard output of a worker": events.MAX_OUTPUT,
    "depth of an event": foreign_json.MOST_DEPTH,
    "characters of an endpoint": events.LONGEST_ENDPOINT,
    "error events kept in a record": roles.MOST_ERRORS,
    "standard error that is kept": events.MAX_STDERR,
    "a file of events, as it is kept": MOST_EVENT_BYTES,
    "a sample file": samples.MOST_BYTES,
    "values in a Parquet file": parquet.MOST_VALUES,
    "a file of answers": answers.MOST_BYTES,
    "an interval file": intervals.MOST_BYTES,
    "lines of an interval file": intervals.MOST_LINES,
    "a histogram without its compression": intervals.MOST_INFLATED,
    "counters of a histogram": intervals.MOST_COUNTERS,
    "buckets of all histograms of a file": intervals.MOST_BUCKETS,
    "cells of a table of seconds by buckets": intervals.MOST_CELLS,
    "histograms of a second that live metrics add up": running_totals.MOST_TEXTS,
    "buckets in those": running_totals.MOST_BUCKETS,
    "ticks of a schedule in a plan": planned.MOST_TICKS,
    "a stretch of time in a plan or a record": span.MOST_NS // 10**9,
    "a batch file": batches.MOST_BYTES,
    "a profile of callgrind": callgrind.MOST_BYTES,
    "a file of sampled stacks": stacks.MOST_BYTES,
    "a list of sync calls": sync_calls.MOST_BYTES,
    "a stored file (`run.json`, `trial.json`, `result.json`, `series.json`)": stored.MOST_BYTES,
    "time of a verifier for one reply": rules.LIMIT_S,
    "processor time of a verifier for a trial": rules_main.MOST_PROCESSOR_S,
    "memory of a verifier": rules_main.MOST_MEMORY_BYTES,
    "findings of a verifier that are kept": verification.MOST_WRONG,
    "a file that `./wl conform` reads": files.MOST_BYTES,
    "what a role writes to its scratch folder and its files": disk.MOST_BYTES,
    "files and folders that a role makes there": disk.MOST_FILES,
    "free space of the disk, below which a trial ends": disk.RESERVED_BYTES,
    "files that the disk can still hold, below which a trial ends": disk.RESERVED_FILES,
    "what a build writes": bounds.MOST_BYTES,
    "files and folders that a build makes": bounds.MOST_FILES,
    "a file among the sources of a build": content.MOST_SOURCE_BYTES,
    "time of a command of a build": commands.LIMIT_S,
    "`/tmp` of a role in a sandbox, and its home folder, each": bubblewrap.PRIVATE_BYTES,
    "`/dev/shm` of the roles of a trial in sandboxes": holder.SHARED_BYTES,
}
UNITS = {"": 1, " s": 1, " KiB": KIB, " MiB": MIB, " GiB": GIB}


def test_every_bound_is_told_as_it_is() -> None:
    page = (ROOT / "docs" / "concepts" / "security.md").read_text("utf-8").partition("## Bounds")[2]
    rows = re.findall(r"^\| (.+?) \| (\d+)( \w+)? \|$", page, re.MULTILINE)
    assert {what: int(number) * UNITS[unit] for what, number, unit in rows} == BOUNDS


def test_both_readmes_lead_there() -> None:
    for name in ("README.md", "README.ko.md"):
        assert "(docs/concepts/security.md)" in (ROOT / name).read_text("utf-8")
