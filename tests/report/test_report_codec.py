"""The report of the suite ``codec``: its chapters in order, ranks within language and mode, the
study's table, and what becomes of all that where something is missing."""

from __future__ import annotations

import re
from pathlib import Path

from codec_sample import SHAPES, about, sample, with_time, without
from codec_text import part, published, report, rows

GOLDEN = Path(__file__).parent / "golden"
BASELINES = [f"{prefix}-baseline" for prefix in ("cpp", "java", "python", "rust")]


# ---------------------------------------------------------------------------- the structure


def test_chapters_answer_in_the_order_of_the_questions(tmp_path: Path) -> None:
    text = report(tmp_path, sample(), "ko")
    assert re.findall(r"^## (\d+\. .+)$", text, re.M) == [
        "1. 무엇을 어떻게 측정했나",
        "2. 원문의 테스트",
        "3. 언어별 순위",
        "4. 언어 간 비교",
        "5. 단계별 시간",
        "6. 인코딩 크기와 메모리 할당",
        "7. 상호 호환성",
        "8. 함정",
        "9. 데이터별 권장 라이브러리",
        "10. 원문의 주장 확인",
        "11. 안정성 비교 (Reliability)",
        "12. 운영성 비교 (Operability)",
        "13. 한계 및 후속 과제",
    ]


def test_both_languages_have_the_same_figures(tmp_path: Path) -> None:
    english, korean = (report(tmp_path, sample(), language) for language in ("en", "ko"))
    figures = [sorted(re.findall(r"\[\d[\d.,]*–\d[\d.,]*\]", text)) for text in (english, korean)]
    assert len(figures[0]) > 500
    assert figures[0] == figures[1]


def test_korean_leaves_nothing_in_english(tmp_path: Path) -> None:
    text = report(tmp_path, sample(), "ko")
    assert len(re.findall("[가-힣]", text)) > 10_000
    for line in text.splitlines():
        sentence = re.sub(r"`[^`]*`|<[^>]*>|\[[^\]]*\]\([^)]*\)", "", line)
        words = re.findall(r"\b(the|and|with|which|takes)\b", sentence)
        assert not words, line


def test_nothing_is_said_that_belongs_to_ticks_and_calls(tmp_path: Path) -> None:
    text = report(tmp_path, sample())
    paced = (GOLDEN / "report-en.md").read_text("utf-8")
    for word in ("tick", "deadlines?", "drift", "rerun when", "Loopback", "percentiles?", "p95"):
        assert re.search(rf"\b{word}\b", paced), word
        assert not re.search(rf"\b{word}\b", text), word


def test_every_published_figure_is_shown_with_the_mark_of_its_defect(tmp_path: Path) -> None:
    text = report(tmp_path, sample())
    table = part(text, "## 2. The study's own test")
    assert {key: len(of) for key, of in published().figures.items()} == {
        **{"cgd-buffer": 5, "memorypack": 5, "messagepack": 5, "protobuf-net": 5}
    }
    for key, of in published().figures.items():
        row = next(
            line for line in table.splitlines() if published().contenders[key].title.en in line
        )
        for digits in of.values():
            assert f"{int(digits):,}<sup>" in row, (key, digits)


def test_a_run_without_the_steady_scenario_is_told_in_the_usual_order(tmp_path: Path) -> None:
    text = report(tmp_path, without(sample(), scenario=["steady"]))
    assert "One million, cold start included" in text
    assert "round trip time, fresh" in text
    assert "## 1. What was measured, and how" not in text


def test_charts_are_drawn_for_every_data_set(tmp_path: Path) -> None:
    html = report(tmp_path, sample(), form="html")
    assert html.count("Round-trip time of every contender, a line a language") == len(SHAPES)


# ------------------------------------------------------------------- ranks, modes, yardsticks


def test_modes_have_tables_of_their_own(tmp_path: Path) -> None:
    text = part(report(tmp_path, sample()), "### 3-1. C++")
    fresh, reuse, borrowed = (
        rows(text, f"round trip time, {mode}") for mode in ("fresh", "reuse", "borrowed")
    )
    assert "18.0 [17.5–18.5] ★ #1" in fresh["CGD wire format"]
    assert "Protocol Buffers, reused" not in fresh
    assert "Protocol Buffers, reused" in reuse
    assert "#" not in " ".join(reuse["Protocol Buffers, reused"])
    assert "FlatBuffers" in borrowed


def test_ties_say_so(tmp_path: Path) -> None:
    text = part(report(tmp_path, sample()), "### 3-3. Python")
    table = rows(text, "round trip time, fresh")
    assert table["CGD wire format"][1].endswith("#2=")
    assert table["Protocol Buffers"][1].endswith("#2=")


def test_an_invalid_cell_has_no_rank_and_stands_in_parentheses(tmp_path: Path) -> None:
    text = part(report(tmp_path, sample()), "### 3-1. C++")
    shown = rows(text, "round trip time, borrowed")["FlatBuffers"]
    assert shown[1].startswith("(2.00)")
    wrong = rows(part(report(tmp_path, sample()), "### 3-3. Python"), "round trip time, fresh")
    assert wrong["json"][-1] == "wrong answers"


def test_yardsticks_are_named_and_their_absence_too(tmp_path: Path) -> None:
    text = report(tmp_path, sample())
    assert "Yardstick C++ · copy" in part(text, "### 3-1. C++")
    gone = report(tmp_path, without(sample(), contender=BASELINES))
    assert "No yardstick of this language was measured" in part(gone, "### 3-1. C++")
    touch = rows(
        part(gone, "## 4. Across languages"),
        "Round trip of every contender beside touch and copy of its language",
    )["C++"]
    assert touch[1:] == ["touch", *["–"] * len(SHAPES)]


def test_one_process_ranks_nobody(tmp_path: Path) -> None:
    text = report(tmp_path, sample(profile="smoke", processes=1))
    assert "One process a contender: there is no interval" in part(
        text, "## 3. Ranking within each language"
    )
    assert "Fastest round trip" not in text
    table = rows(part(text, "## 9. Which library for which data"), "C++")
    assert table["fresh"][2] == "undecided"
    assert "one trial: nothing can be told apart" in table["fresh"][-1]


def test_processes_that_only_some_contenders_had_are_said_from_and_to(tmp_path: Path) -> None:
    result = sample()
    fewer = [
        cell.model_copy(update={"trials": cell.trials[:2]})
        if (cell.scenario, cell.contender) == ("steady", "cpp-protobuf")
        else cell
        for cell in result.cells
    ]
    assert fewer != result.cells
    text = report(tmp_path, result.model_copy(update={"cells": fewer}))
    assert rows(text, "Scenarios of this run")["Steady state"][1] == "2–5"


def test_who_leads_by_language_and_data(tmp_path: Path) -> None:
    found = with_time(sample(), "java-jackson", "T3", "round_trip.time", about(20.0))
    text = part(report(tmp_path, found), "### 3-2. Java")
    assert "**Jackson (Java)** for T3." in text
    assert "**CGD wire format (Java)** for T1, T2, T4" in text


# ----------------------------------------------------------------------------- the first screen


def test_the_first_screen_names_the_fastest_and_who_has_no_figures(tmp_path: Path) -> None:
    text = report(tmp_path, sample()).split("## 1.")[0]
    table = rows(
        text, "Smallest round-trip time of each language, fresh values (languages unranked)"
    )
    assert table["C++"][1] == "**18.0**<br>[17.5–18.5]<br>CGD wire format"
    assert "**No valid figures**: FlatBuffers (C++), T1 (faster than its floor)." in text
    assert "**No valid figures**: json (Python), chat (wrong answers)." in text
    assert "**CGD wire format (C#)**: no dotnet here" in text


def test_the_first_screen_counts_who_cannot_be_told_apart(tmp_path: Path) -> None:
    found = with_time(sample(), "cpp-protobuf", "T1", "round_trip.time", about(18.1))
    table = report(tmp_path, found).split("## 1.")[0]
    assert "CGD wire format<br>and 1 not told apart" in table


# -------------------------------------------------------------------------- the study's table


def test_a_million_has_the_multiple_of_cpp_and_the_steady_pace(tmp_path: Path) -> None:
    text = part(report(tmp_path, sample()), "## 2. The study's own test")
    table = text.split("**Java, ms per 1,000,000 iterations**")[1].split("**")[0]
    lines = [line.strip("| ").split(" | ") for line in table.splitlines() if "|" in line]
    assert lines[0][2:] == [
        "CGD wire format (C++)",
        "CGD wire format",
        "Jackson",
        "Protocol Buffers",
    ]
    cold, times, warm = lines[2:5]
    assert cold[3].startswith("96.0")
    assert times[-3].startswith("5.28")
    assert times[-4] == "1"
    assert warm[-3].startswith("60.0")


def test_a_million_alone_stands_beside_the_published_figures(tmp_path: Path) -> None:
    text = report(tmp_path, without(sample(), scenario=["steady"]))
    table = text.split("**Java, ms per 1,000,000 iterations**")[1].split("\n\n")[1]
    assert [line.split(" | ")[1] for line in table.splitlines()[2:]] == [
        "cold start included",
        "times C++ CGD",
    ] * 5
    assert "published, December 2023, C#" in text


def test_fewer_iterations_are_not_scaled_up(tmp_path: Path) -> None:
    text = part(report(tmp_path, sample(profile="smoke")), "## 2. The study's own test")
    assert "This profile ran 10,000 iterations" in text
    assert "C++, ms per 10,000 iterations" in text
    assert "measured here, same test" not in text
    table = text.split("**C++, ms per 10,000 iterations**")[1]
    assert "| 0.182 [0.176–0.187] |" in table


def test_without_the_yardstick_of_the_study_there_are_no_multiples(tmp_path: Path) -> None:
    text = part(
        report(tmp_path, without(sample(), contender=["cpp-cgd-buffer"])),
        "## 2. The study's own test",
    )
    lines = [line for line in text.splitlines() if "times C++ CGD" in line]
    assert lines
    assert all(set(line.split(" | ")[2:]) <= {"–", "– |"} for line in lines)


def test_a_million_that_was_not_run_says_how(tmp_path: Path) -> None:
    text = report(tmp_path, without(sample(), scenario=["million"]))
    assert "wl run codec --scenario million" in part(text, "## 2. The study's own test")
