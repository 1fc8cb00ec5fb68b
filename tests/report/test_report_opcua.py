"""Chapters that the suite ``opcua`` adds: choices for the study's situations, and limits."""

from __future__ import annotations

from pathlib import Path

import pytest
from report_build import cell, metric
from report_sample import SUITE, sample
from told_once import report_of

from synthetic.judged import SPOILED, judged
from wirelab.model.measure import Measure
from wirelab.model.participant import Barred
from wirelab.model.result import CallerView, Cell, Result, Series, Verdict
from wirelab.model.units import Text


def report(folder: Path, found: Result, series: Series | None = None) -> str:
    """The English Markdown of a result, judged anew."""
    return report_of(SUITE, folder, judged(found), "en", "md", series=series)


def changed(**update: object) -> Result:
    """The sample with every s7 cell changed."""
    found, _series = sample()
    cells = [c.model_copy(update=update) if c.scenario == "s7" else c for c in found.cells]
    return found.model_copy(update={"cells": cells})


def advice(text: str, situation: str) -> str:
    """Recommendation for a situation: its row of the table."""
    part = text.split("**Recommendations**")[1]
    return next(line for line in part.splitlines() if line.startswith(f"| {situation}"))


def test_choices_follow_the_ranks_and_leave_invalid_cells_out(tmp_path: Path) -> None:
    text = report(tmp_path, sample()[0])
    assert "| **open62541 (C)** | **asyncua (Python)** |" in advice(text, "Low-spec edge")
    assert "| **Eclipse Milo (Java)** | **asyncua (Python)** |" in advice(text, "Limited CPU")
    assert "Not considered: open62541 (C) (invalid)" in advice(text, "Limited CPU")
    assert "| undecided | undecided |" in advice(text, "Security required")


def test_nothing_is_recommended_from_invalid_cells(tmp_path: Path) -> None:
    text = report(tmp_path, changed(verdict=Verdict.INVALID, findings=[SPOILED], ranks={}))
    for situation in ("Low-spec edge", "High-throughput", "Limited CPU", "Security required"):
        assert "| undecided | undecided |" in advice(text, situation)


def test_the_lines_of_a_worker_choose_nobody(tmp_path: Path) -> None:
    text = report(tmp_path, sample()[0])
    assert "| undecided | undecided | not judged: " in advice(text, "Developer productivity")
    source = text.split("| Developer productivity")[1].splitlines()[1]
    assert "Common LOC 89 lines" in source
    assert "Developer productivity" not in text.split("**First choices.**")[1].splitlines()[0]


def test_common_lines_stand_beside_ours_of_the_same_files(tmp_path: Path) -> None:
    found, _series = sample()
    own = found.participants["asyncua"]
    assert own.ownership is not None
    counted = own.ownership.model_copy(update={"worker_lines": 906, "common_lines": 253})
    people = {**found.participants, "asyncua": own.model_copy(update={"ownership": counted})}
    text = report(tmp_path, found.model_copy(update={"participants": people}))
    table = text.split("**Size, dependencies, licences, code**")[1].split("**")[0]
    common = row(table, "number of code lines for connection and helpers (published: Common LOC")
    assert "| 253<br>*published 89 lines ★* | –<br>*published 164 lines* |" in common
    assert row(table, "number of code lines with the suite's libraries |").startswith(
        "| number of code lines with the suite's libraries | 906 |"
    )
    assert row(table, "number of code lines |") == "| number of code lines | 210 | 340 | 340 |"
    assert "by the lists in their manifests" in text
    summed = row(
        text.split("**Summary**")[1].split("**")[0],
        "number of code lines for connection and helpers",
    )
    assert "89 lines ★" in summed
    assert "published: ★ least code" in summed


def secured() -> Result:
    """The sample with its cells of s7 under two policies as well, and certificates refused."""
    found, _series = sample()
    loads = [c for c in found.cells if c.scenario == "s7"]
    calls = [
        load.model_copy(update={"scenario": "security", "variant": f"{policy}-calls"})
        for load in loads
        for policy in ("none", "basic256sha256-encrypt")
    ]
    tried = [
        cell("milo", scenario_name="certificates", variant=variant, caller=[seen])
        for variant, seen in {
            "trusted": _seen("ok"),
            "client-expired": _seen("error", "Bad_CertificateTimeInvalid"),
            "server-untrusted": _seen("silent"),
        }.items()
    ]
    own = [one.model_copy(update={"suite": "opcua", "statuses": {}}) for one in tried]
    return found.model_copy(update={"cells": [*found.cells, *calls, *own]})


LEAST = {"asyncua": ("processor-25", "memory-128"), "open62541": ("processor-10", "memory-128")}
"""Clients of the sample with the least that they keep pace with; milo is ended at 128 MiB."""


def with_little(reached: dict[str, tuple[str, str]]) -> Result:
    """The sample with clients that were given little: who keeps pace down to what."""
    found, _series = sample()
    cells = [
        _little(name, variant, kept=_is_kept(variant, least))
        for name, least in reached.items()
        for variant in ("whole", *PROCESSOR, *MEMORY)
    ]
    return found.model_copy(update={"cells": [*found.cells, *cells]})


PROCESSOR = ("processor-50", "processor-25", "processor-10")
MEMORY = ("memory-256", "memory-128")


def _is_kept(variant: str, least: tuple[str, str]) -> bool:
    if variant == "whole":
        return True
    order, down_to = (PROCESSOR, least[0]) if variant in PROCESSOR else (MEMORY, least[1])
    return order.index(variant) <= order.index(down_to)


def _little(name: str, variant: str, *, kept: bool) -> Cell:
    """A cell of the scenario edge; who is not given memory enough is ended."""
    ended = not kept and variant in MEMORY
    missed = {} if ended else {"read.miss.ratio": metric(0.4 if kept else 62.5, "%")}
    why = {"0003-edge": "out-of-memory: client needed more memory than it may have: 128 MiB"}
    made = cell(
        name,
        missed,
        scenario_name="edge",
        variant=variant,
        other_trials=why if ended else {},
    )
    return made.model_copy(update={"suite": "opcua", "statuses": {}})


def test_the_edge_is_decided_by_who_keeps_pace_with_little(tmp_path: Path) -> None:
    reached = {**LEAST, "milo": ("processor-25", "memory-256")}
    text = report(tmp_path, with_little(reached))
    chosen = advice(text, "Low-spec edge")
    assert "| **open62541 (C)** | **asyncua (Python)** |" in chosen
    assert "open62541 (C): 10 % of a processor, 128 MiB of memory" in chosen
    assert "Eclipse Milo (Java): 25 % of a processor, 256 MiB of memory" in chosen
    chapter = text.split("With little of a machine")[-1]
    paces = [line for line in chapter.splitlines() if "| keeps pace |" in line]
    assert [line.count("✔ yes") for line in paces] == [5, 4, 6]
    assert [line.count("✘") for line in paces] == [1, 2, 0]
    assert "needed more memory than it may have" in paces[1]


def test_who_needs_less_of_one_and_more_of_another_leaves_the_edge_open(tmp_path: Path) -> None:
    reached = {"asyncua": ("processor-10", "memory-256"), "milo": ("processor-25", "memory-128")}
    chosen = advice(report(tmp_path, with_little(reached)), "Low-spec edge")
    assert "| undecided | undecided |" in chosen
    assert "asyncua (Python): 10 % of a processor, 256 MiB of memory" in chosen


def test_equals_at_the_edge_share_the_choice(tmp_path: Path) -> None:
    least = ("processor-10", "memory-128")
    chosen = advice(report(tmp_path, with_little({"asyncua": least, "milo": least})), "Low-spec")
    assert "(not told apart)" in chosen


def test_an_edge_that_was_not_measured_whole_decides_nothing(tmp_path: Path) -> None:
    found = with_little(LEAST)
    cells = [one for one in found.cells if one.variant != "memory-128"]
    chosen = advice(report(tmp_path, found.model_copy(update={"cells": cells})), "Low-spec edge")
    assert "too few clients were measured with every limit" in chosen


def soaked(scenario: str = "soak") -> Result:
    """The sample with a night of three clients: one leaks descriptors, one is not known."""
    found, _series = sample()
    slopes = {
        "asyncua": {"rss": (0.1, (-0.4, 0.6)), "descriptors": (6.0, (5.0, 7.0))},
        "milo": {"rss": (0.1, (-0.4, 0.6)), "descriptors": (0.0, (0.0, 0.0))},
        "open62541": {"rss": (0.1, None), "descriptors": (0.0, (0.0, 0.0))},
    }
    cells = []
    for name, own in slopes.items():
        metrics = {f"{held}.slope": metric(value, "MB/h", of) for held, (value, of) in own.items()}
        metrics["threads.slope"] = metric(0.0, "1/h", (0.0, 0.0))
        metrics["rss.slope.least"] = metric(0.72, "MB/h")
        metrics["connections.opened.count"] = metric(2.0, "count")
        made = cell(name, metrics, scenario_name=scenario)
        lost = {"read": {"ok": 70_000, "disconnected": 3}}
        cells.append(made.model_copy(update={"suite": "opcua", "statuses": lost}))
    profiles = {"quick": Measure(trials=1, count=144_000, warmup=6_000)}
    night = found.scenarios[scenario].model_copy(update={"profiles": profiles})
    scenarios = {**found.scenarios, scenario: night}
    return found.model_copy(update={"cells": [*found.cells, *cells], "scenarios": scenarios})


def test_a_night_tells_leaks_and_how_small_a_leak_it_would_have_seen(tmp_path: Path) -> None:
    text = report(tmp_path, soaked())
    assert "measured over 4 h: What grows over hours" in text
    chapter = text.split("What grows over hours")[-1]
    leaks = row(chapter, "leak")
    assert "✘ **seen**" in leaks
    assert "open descriptors" in leaks
    assert "✔ **none**" in leaks
    assert "of 0.72 MB an hour or more" in leaks
    assert "not told" in leaks
    assert row(chapter, "calls that met a lost connection").count(" 3 ") == 3
    assert row(chapter, "connections opened again").count(" 2 ") == 3
    assert "by its own count" in chapter


def test_a_soak_that_is_cut_short_gives_no_verdict(tmp_path: Path) -> None:
    text = report(tmp_path, soaked("soak-check"))
    chapter = text.split("What grows over hours")[-1]
    assert "gives no verdict on leaks" in chapter
    assert [line for line in chapter.splitlines() if line.startswith("| leak")] == []
    assert "./wl run opcua --scenario soak --profile night" in text


def with_callers() -> Result:
    """The sample with sessions by step, and with what a session of two clients carries."""
    found, _series = sample()
    cells = []
    for name, held in {"asyncua": 5, "milo": 60}.items():
        for step in ("s1", "s200"):
            own = {"read.response.p50": metric(float(held)), "rss.max": metric(70.0, "MB")}
            made = cell(name, own, scenario_name="sessions")
            cells.append(made.model_copy(update={"step": step, "id": f"{made.id}/{step}"}))
        search = {
            "ending": "found",
            "verified": held,
            "failed": held + 1,
            "limited_by": "contender",
            "probes": [],
        }
        made = cell(
            name,
            {"capacity.verified": metric(float(held), "callers")},
            scenario_name="capacity",
            ranks={"capacity.verified": 1 if name == "milo" else 2},
        )
        remarks = {"capacity": {"parameter": "callers", "searches": [search]}}
        cells.append(made.model_copy(update={"remarks": remarks, "statuses": {}}))
    own_cells = [one.model_copy(update={"suite": "opcua"}) for one in cells]
    return found.model_copy(update={"cells": [*found.cells, *own_cells]})


def test_throughput_is_decided_by_what_a_session_carries(tmp_path: Path) -> None:
    text = report(tmp_path, with_callers())
    assert "| **Eclipse Milo (Java)** | **asyncua (Python)** |" in advice(text, "High-throughput")
    assert "At this fixed load latency was measured" not in text
    chapter = text.split("**What one session carries**")[1].split("\n## ")[0]
    carries = row(chapter, "Eclipse Milo (Java) | 60 |")
    assert "300,000" in carries
    assert "20,033.91" in carries
    assert "- **One load**: the schedule is fixed. The largest load that" in text
    assert "(capacity) was not measured" not in text


def test_sessions_stand_by_their_number(tmp_path: Path) -> None:
    text = report(tmp_path, with_callers())
    assert "measured with up to 200 sessions of one process: Many callers at a time" in text
    chapter = text.split("Many callers at a time")[-1]
    assert "| contender | sessions: 1 (ms) | sessions: 200 (ms) |" in chapter


def test_the_load_of_the_study_does_not_stand_beside_that_of_sessions(tmp_path: Path) -> None:
    found = with_callers()
    own = {"cpu.mean": metric(7.5, "%"), "rss.max": metric(80.0, "MB")}
    whole = cell("asyncua", own, scenario_name="sessions").model_copy(update={"suite": "opcua"})
    text = report(tmp_path, found.model_copy(update={"cells": [*found.cells, whole]}))
    chapter = text.split("**CPU of the client by number of sessions**")[1].split("\n## ")[0]
    assert "| contender | all steps (%) |" in chapter
    assert "| asyncua (Python) | 7.50 |" in chapter
    # Of a read of 2,000 tags ten times a second in one session.
    assert "25.43" in text
    assert "25.43" not in chapter
    assert "62.11" not in chapter


def with_processes() -> Result:
    """The sample with sessions of one process, and of as many processes of their own."""
    found = with_callers()
    cells = []
    for variant, held in {"one": 5.0, "ten": 6.0, "fifty": 7.0, "two-hundred": 8.0}.items():
        own = {
            "read.response.p50": metric(held),
            "rss.max": metric(100 * held, "MB"),
            "startup.time": metric(300 * held),
        }
        cells.append(cell("open62541", own, scenario_name="processes", variant=variant))
        if variant != "two-hundred":
            cells.append(cell("asyncua", own, scenario_name="processes", variant=variant))
    own_cells = [one.model_copy(update={"suite": "opcua"}) for one in cells]
    why = Barred(
        reason=Text(en="200 of it need 13 GB, 4 GB are free", ko="메모리 13 GB 필요"),
        remedy=Text(en="--set processes=61", ko="--set processes=61"),
    )
    barred = {"barred_variants": {"processes": {"two-hundred": why}}}
    without = found.participants["asyncua"].model_copy(update=barred)
    participants = found.participants | {"asyncua": without}
    update = {"cells": [*found.cells, *own_cells], "participants": participants}
    return found.model_copy(update=update)


def test_sessions_of_processes_of_their_own_stand_beside_those_of_one(tmp_path: Path) -> None:
    text = report(tmp_path, with_processes())
    assert "and up to 200 processes of one session each: Many callers at a time" in text
    chapter = text.split("**Sessions in processes of their own**")[1].split("\n## ")[0]
    titles = "| 1 process | 10 processes | 50 processes | 200 processes |"
    assert f"| contender | figures {titles}" in chapter
    lines = [line for line in chapter.splitlines() if "response of reads, p50, ms" in line]
    apart = [line for line in lines if "of one process" not in line]
    assert [line.split(" | 5.00 | 6.00 | 7.00 | ")[1] for line in apart] == [
        "unavailable |",
        "8.00 |",
    ]
    assert "Unavailable are processes that do not fit into the memory of this machine" in chapter
    told = "**asyncua (Python)**, 200 processes: 200 of it need 13 GB, 4 GB are free"
    assert f"{told}; --set processes=61" in text.split("Not measured")[1]
    # Only asyncua opens many sessions in one process; the sample has no step of ten of them.
    [together] = [line for line in lines if "of one process" in line]
    assert "| 5.00 | – | – | 5.00 |" in together
    assert chapter.count("start until ready, ms") == 2


def _seen(outcome: str, status: str = "") -> CallerView:
    return CallerView.model_validate(
        {"trial": "0009-certificates", "outcome": outcome, "error_status": status}
    )


def row(text: str, start: str) -> str:
    """The only row that begins so."""
    [found] = [line for line in text.splitlines() if line.startswith(f"| {start}")]
    return found


def test_security_is_decided_where_it_was_measured(tmp_path: Path) -> None:
    text = report(tmp_path, secured())
    assert "**Eclipse Milo (Java)**" in advice(text, "Security required")
    assert "measured under both policies and modes: What security costs" in text
    switched = row(text, "6-2 With all three the security policy")
    assert "(+2 below)" in switched
    assert "Eclipse Milo (Java) 0" in text.split("6-2 With all three the security policy")[2]


def test_what_security_costs_is_told_by_policy(tmp_path: Path) -> None:
    chapter = report(tmp_path, secured()).split("## 9. What security costs")[1]
    assert "| contender | figures | None | Basic256Sha256, SignAndEncrypt |" in chapter
    assert row(chapter, "Eclipse Milo (Java) | read p50, ms").count("2.80") == 2
    assert "p50, × without security | – | " in chapter
    # No trial opened sessions: nothing stands in the place of their figures.
    assert "Opening a session by policy" not in chapter


@pytest.mark.parametrize("with_s7", [True, False])
def test_certificates_are_in_one_table_and_still_warned_of(tmp_path: Path, with_s7: bool) -> None:
    found = secured()
    kept = [one for one in found.cells if with_s7 or one.scenario != "s7"]
    text = report(tmp_path, found.model_copy(update={"cells": kept}))
    faults, refused = (
        text.split(f"**{caption}**")[1].split("\n#")[0]
        for caption in ("What the caller sees", "Certificates that have to be refused")
    )
    expired = "A client whose certificate has expired"
    assert (faults.count(expired), refused.count(expired)) == (0, 1)
    assert faults.count("\n| ") > 3
    silent = "gives no sign of the fault (A server that the client does not trust)"
    assert silent in text.split("\n## ")[0]
    assert silent not in faults


def test_a_client_that_was_never_answered_was_not_refused(tmp_path: Path) -> None:
    found = secured()
    tried = {"scenario": "certificates", "variant": "client-expired"}
    cells = [
        one.model_copy(update={"caller": [_seen("hang")]})
        if {"scenario": one.scenario, "variant": one.variant} == tried
        else one
        for one in found.cells
    ]
    text = report(tmp_path, found.model_copy(update={"cells": cells}))
    assert "✘ **no answer**" in row(text, "A client whose certificate has expired")


def test_a_certificate_accepted_blindly_is_told_from_one_refused(tmp_path: Path) -> None:
    chapter = report(tmp_path, secured()).split("## 9. What security costs")[1]
    assert "✔ **connected**" in row(chapter, "Nothing wrong: both are trusted")
    refused = row(chapter, "A client whose certificate has expired")
    assert "✔ **refused**" in refused
    assert "CertificateTimeInvalid" in refused
    assert "✘ **connected**" in row(chapter, "A server that the client does not trust")


def test_without_either_scenario_there_is_no_such_chapter(tmp_path: Path) -> None:
    text = report(tmp_path, sample()[0])
    assert "What security costs" not in text
    assert "./wl run opcua --scenario security" in advice(text, "Security required")


def test_every_published_table_stands_beside_ours(tmp_path: Path) -> None:
    text = report(tmp_path, *sample())
    for figure in ("20,034.54", "22.45", "13.82", "1.70", "0.0000", "1.014", "25.43", "62.11"):
        assert figure in text
    for words in ("264 MB", "164 lines", "Bad\\_ConnectionRejected", "41 % of C#", "cProfile"):
        assert words in text
    assert text.count("C# (OPCFoundation)") > 8


def test_cells_of_two_modes_are_not_compared(tmp_path: Path) -> None:
    found, _series = sample()
    cells: list[Cell] = [
        c.model_copy(update={"mode": "async"}) if c.contender == "milo" else c for c in found.cells
    ]
    text = report(tmp_path, found.model_copy(update={"cells": cells}))
    assert "S7: concurrent read and write · async" in text
