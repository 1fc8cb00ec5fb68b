"""The first things a reader sees: one sentence, the study by its name, and keys at the tables."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from own_reports import OwnReport
from report_build import cell, context, metric, participant, scenario
from suite_sample import sample_of, suites, write_run
from typer.testing import CliRunner

from synthetic.judged import ranked_by_verdicts
from wirelab.capacity.found import VERIFIED
from wirelab.cli import app
from wirelab.model.result import Cell, Finding, Result, Verdict
from wirelab.model.units import Text
from wirelab.report.document import Document, Paragraph, words_of
from wirelab.report.opening import opened

P50 = "read.latency.p50"
TITLE = "OPC UA client libraries: a comparison of performance, reliability and operability"


def wl_report(folder: Path, found: Result, form: str = "md") -> str:
    run = write_run(folder, found)
    done = CliRunner().invoke(app, ["report", str(run), "--lang", "en", "--form", form])
    assert done.exit_code == 0, done.output
    return (run / f"report-en.{form}").read_text("utf-8")


@pytest.fixture(scope="module")
def opcua(own_report: Callable[[str], OwnReport]) -> str:
    return own_report("opcua").text


def at(contender: str, step: str, value: float, rank: int, mode: str = "") -> Cell:
    """A cell of a step, with a rank in what the scenario ranks first."""
    figure = metric(value, interval=(value, value))
    made = cell(contender, {P50: figure}, ranks={P50: rank}, mode=mode)
    return made.model_copy(update={"step": step})


def said_first(*cells: Cell, **of_a_step: Any) -> str:
    """The first sentence of a report of these cells."""
    names = ("single", "gather")
    steps = {name: {"title": {"en": name, "ko": name}, **of_a_step} for name in names}
    made = context(cells, scenarios={"main": scenario(steps=steps)})
    found = opened(made, Document("", "", "en", (), (), (), ())).overview[0]
    assert isinstance(found, Paragraph)
    return words_of(found.text)


def test_a_search_is_opened_with_the_highest_load_that_held() -> None:
    capacity = {
        "load": {"type": "open", "period": "1s"},
        **{"parameter": "users", "lowest": 10, "highest": 2000},
        "bounds": [{"metric": "read.response.p95", "at_most": 100}],
    }
    searched = scenario(load=None, capacity=capacity, rankings=[], drift_target=None)
    held = {"a": (900.0, 1), "b": (300.0, 2)}
    made = context(
        [
            cell(name, {VERIFIED: metric(value, "users")}, ranks={VERIFIED: place})
            for name, (value, place) in held.items()
        ],
        scenarios={"main": searched},
    )
    found = opened(made, Document("", "", "en", (), (), (), ())).overview[0]
    assert isinstance(found, Paragraph)
    assert "Highest capacity verified: A (900" in words_of(found.text)


def test_a_step_is_opened_with_and_not_what_several_unlike_ones_have_together() -> None:
    whole = [at("a", "", 5.0, 2), at("b", "", 1.0, 1)]
    single = [at("a", "single", 2.0, 1), at("b", "single", 4.0, 2)]
    gather = [at("a", "gather", 7.0, 1), at("b", "gather", 9.0, 2)]
    assert "(Read and write · gather). Lowest read latency p50: A" in said_first(
        *whole, *single, *gather
    )
    # Nobody is ranked at the last step: another one comes before the whole.
    nobody = [one.model_copy(update={"ranks": {}}) for one in gather]
    assert "(Read and write · single). Lowest read latency p50: A" in said_first(
        *whole, *single, *nobody
    )


def test_a_ramp_asks_for_one_thing_and_is_opened_with_as_a_whole() -> None:
    whole = [at("a", "", 5.0, 2), at("b", "", 1.0, 1)]
    gather = [at("a", "gather", 7.0, 1), at("b", "gather", 9.0, 2)]
    assert "(Read and write). Lowest read latency p50: B" in said_first(
        *whole, *gather, users=4, ramp="1s"
    )


def test_the_mode_of_most_contenders_is_opened_with() -> None:
    alone = [at("z", "gather", 1.0, 1, mode="other")]
    several = [at("a", "gather", 7.0, 1, mode="kept"), at("b", "gather", 9.0, 2, mode="kept")]
    said = said_first(*several, *alone)
    assert "Lowest read latency p50: A" in said
    assert said == said_first(*alone, *several)


def overview(text: str) -> str:
    """Everything before the first section."""
    return text.split("<a id=", maxsplit=1)[0]


def test_the_report_opens_with_one_sentence(opcua: str) -> None:
    first = overview(opcua).split("\n\n")[3].replace("\u00a0", " ")
    assert first.startswith(
        "**In short** (S7: concurrent read and write). "
        "Lowest read latency p50: **Eclipse Milo (Java)** (2.80 ms)."
    )
    assert first.endswith(" No valid figure there: 1 of 3 contenders (processor time stolen).")


@pytest.mark.parametrize("suite", [name for name in suites() if name != "codec"])
def test_every_suite_opens_so(suite: str, own_report: Callable[[str], OwnReport]) -> None:
    assert "**In short** (" in overview(own_report(suite).text)


@pytest.mark.parametrize("suite", suites())
def test_the_study_is_introduced_by_its_name(
    suite: str, own_report: Callable[[str], OwnReport]
) -> None:
    text = overview(own_report(suite).text)
    assert text.count("come from an earlier study, **") == 1
    assert ".txt" not in text


def test_star_and_brackets_are_explained_at_the_first_table(opcua: str) -> None:
    table, after = overview(opcua).split("Verdicts and key figures")[1].split("\n> **")[:2]
    assert "★ best figure here; shared by those not told apart" in table
    assert "[ ] 95 % interval of the figure" in table
    assert "95 % interval of the figure" not in after


def test_faults_stand_in_the_overview(opcua: str) -> None:
    told = overview(opcua).split("**When something breaks**")[1]
    assert "**Eclipse Milo (Java)** hangs (Server killed and restarted)" in told
    assert "**asyncua (Python)** gives no sign of the fault" in told


def test_the_study_has_its_title(opcua: str) -> None:
    assert TITLE in overview(opcua)


def test_no_column_is_of_a_contender_that_was_not_measured(opcua: str) -> None:
    heads = [line for line in opcua.splitlines() if line.startswith(("| item |", "| metric |"))]
    measured = [line for line in heads if "asyncua" in line]
    assert len(measured) == 3
    assert [line for line in measured if "gopcua" in line or "OPCFoundation" in line] == []
    assert "**Summary: published only**" in opcua
    assert "**gopcua (Go)**: go is not installed" in opcua


def test_reasons_do_not_fill_the_screen(tmp_path: Path) -> None:
    found = sample_of("websocket")
    full = {"trials": {"0001-a": {"cpu_share": 0.99}}}
    said = Finding(gate="generator-saturated", verdict=Verdict.INVALID, evidence=full)
    cells = [
        one.model_copy(update={"verdict": Verdict.INVALID, "findings": [said]})
        for one in found.cells
    ]
    manifests = {name: p.manifest for name, p in found.participants.items()}
    cells = ranked_by_verdicts(cells, found.scenarios, manifests)
    text = overview(wl_report(tmp_path / "run", found.model_copy(update={"cells": cells})))
    line = next(one for one in text.splitlines() if "Not ranked, because" in one)
    assert line.count("load generator saturated") == 1
    assert "This run ranks nobody. No valid figure in Ramp: 100 to 1,000 users" in text
    assert ": 10 of 10 contenders (load generator saturated)" in text


def test_of_many_reasons_the_gravest_is_told_and_the_others_are_counted() -> None:
    from wirelab.report.sections.validity import reasons

    said = [
        Finding(gate=gate, verdict=verdict, evidence={})
        for gate, verdict in (
            ("order-bias", Verdict.WARN),
            ("steal", Verdict.INVALID),
            ("unstable", Verdict.INVALID),
        )
    ]
    found = cell("swift", {"cpu.mean": metric(1.0)}, verdict=Verdict.INVALID, findings=said)
    assert reasons(context([found]), found) == "processor time stolen, and 1 more"


def test_contents_are_folded_where_they_do_not_fit_beside(tmp_path: Path) -> None:
    html = wl_report(tmp_path / "run", sample_of("opcua"), "html")
    above = html.split('<nav class="toc-above"')[1].split("</nav>")[0]
    assert "<details>" in above
    assert "nav.toc-beside { display: none; }" in html
    wide = html.split("@media (min-width: 72rem)")[1]
    assert "nav.toc-above { display: none; }" in wide.split("}\n}")[0]


@pytest.mark.parametrize(
    ("title", "language", "name"),
    [
        ("asyncua", "Python", "asyncua (Python)"),
        ("official (Python, async)", "Python", "official (Python, async)"),
        ("redis-py (python)", "Python", "redis-py (python)"),
        ("C++: copy and touch", "C++", "C++: copy and touch"),
        ("CGD buffer", "C", "CGD buffer (C)"),
        ("sockets in C++", "C", "sockets in C++ (C)"),
        ("pythonic", "Python", "pythonic (Python)"),
    ],
)
def test_a_language_is_named_once(title: str, language: str, name: str) -> None:
    person = participant("a")
    manifest = person.manifest.model_copy(update={"title": Text(en=title), "language": language})
    people = {"a": person.model_copy(update={"manifest": manifest})}
    assert context([cell("a")], participants=people).name("a") == name


def test_a_contender_has_a_title_in_each_language(tmp_path: Path) -> None:
    """An older run has the title as a text; it stands in both languages then."""
    run = write_run(tmp_path / "run", sample_of("opcua"))
    for kept in (run / "run.json", run / "result.json"):
        document = json.loads(kept.read_text("utf-8"))
        people = document["participants"]
        people["asyncua"]["manifest"]["title"] = {"en": "asyncua, patient", "ko": "느긋한 asyncua"}
        people["milo"]["manifest"]["title"] = "Milo for Java"
        kept.write_text(json.dumps(document), "utf-8")
    done = CliRunner().invoke(app, ["report", str(run), "--form", "md"])
    assert done.exit_code == 0, done.output
    english, korean = ((run / f"report-{which}.md").read_text("utf-8") for which in ("en", "ko"))
    assert "asyncua, patient (Python)" in english
    assert "느긋한 asyncua (Python)" in korean
    assert "느긋한" not in english
    assert "patient" not in korean
    assert "Milo for Java" in english
    assert "Milo for Java" in korean
