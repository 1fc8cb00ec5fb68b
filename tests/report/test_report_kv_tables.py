"""Published figures of the key-value study beside those of a run: the ratios that it prints, and
what it says of its pods."""

from __future__ import annotations

from itertools import pairwise

import pytest
from kv_sections import SUITE, Figures, only_text, tables, told

from wirelab.report.published import read_published

NATIVE, OFFICIAL, ASYNC = "aerospike-py", "official", "official-async"

SPEED_UPS = {
    "s1-k50": ("5.6", "4.3"),
    "s1-k200": ("4.2", "3.4"),
    "s2-k50": ("7.8", "5.8"),
    "s2-k200": ("4.4", "3.2"),
    "s3-k50": ("5.8", "5.3"),
    "s3-k200": ("5.5", "4.0"),
    "s4-k50": ("6.0", "5.3"),
    "s4-k200": ("5.1", "3.5"),
    "s5-k50": ("4.4", "3.0"),
    "s5-k200": ("4.6", "3.8"),
    "s6-k50": ("6.1", "5.2"),
    "s6-k200": ("4.1", "3.6"),
    "s7-k50": ("6.5", "5.0"),
    "s7-k200": ("3.1", "2.1"),
    "s8-k50": ("0.9", "0.9"),
    "s8-k200": ("1.2", "1.0"),
    "s9-k50": ("6.6", "5.6"),
    "s9-k200": ("6.6", "4.8"),
}
"""The study's table: mean and TPS of its own client against the official one, by set and keys."""


def digits(entry: str) -> str:
    """A published figure without the marks of its defects."""
    return entry.split("<sup>", maxsplit=1)[0]


def alone(*steps: str) -> Figures:
    """Ratios of 3.3 and 3.4 in the mean, of 3 in TPS."""
    means = {NATIVE: 10.0, OFFICIAL: 33.0, ASYNC: 34.0}
    rates = {NATIVE: 300.0, OFFICIAL: 100.0, ASYNC: 100.0}
    return {
        ("client", step, name): values
        for step in steps
        for name, values in (("read.latency.mean", means), ("read.rate", rates))
    }


def better(text: str) -> list[list[str]]:
    """The table of how many times better the study's own client is, by set."""
    of_sets, _over_all = (table for table in tables(text) if any(row[1] == "TPS" for row in table))
    return of_sets


@pytest.mark.parametrize("keys", [50, 200])
def test_each_ratio_that_the_study_prints_stands_beside_ours(keys: int) -> None:
    steps = [f"s{number}-k{keys}" for number in range(1, 10)]
    table = better(only_text(told("alone", alone(*steps))))
    published: dict[str, list[str]] = {}
    for above, row in pairwise(table):
        if "published" in row[1]:
            published.setdefault(above[1], [digits(entry) for entry in row[2:]])
    # The first rows are those against the official client, whom its table is against.
    assert published["mean"] == [SPEED_UPS[step][0] for step in steps]
    assert published["TPS"] == [SPEED_UPS[step][1] for step in steps]
    ours = [row[2].split(" ")[0] for row in table if row[1] == "TPS"]
    assert ours == ["3.00", "3.00"]


def test_printed_ratios_carry_the_marks_of_their_defects() -> None:
    text = only_text(told("alone", alone("s7-k200", "s9-k200")))
    of_means = next(row for row in better(text) if "published" in row[1])
    assert "D" in of_means[2]
    assert "D" not in of_means[3]


@pytest.mark.parametrize("scenario", ["serving-untimed", "serving-replicas"])
@pytest.mark.parametrize(
    ("step", "expected"), [("single", ("189", "324")), ("gather", ("234", "266"))]
)
def test_figures_near_to_the_studys_have_the_published_ones_beside_them(
    scenario: str, step: str, expected: tuple[str, ...]
) -> None:
    place = (scenario, step, "request.latency.p95")
    text = only_text(told("web", {place: {NATIVE: 10.0, ASYNC: 20.0}}))
    rows = [row for table in tables(text) for row in table if "published" in row[1]]
    told_of_p95 = [digits(row[5]) for row in rows if len(row) > 6]
    assert set(expected) <= set(told_of_p95)


@pytest.mark.parametrize(
    ("language", "inside", "said"),
    [
        ("en", "whole application, published", "two pods behind its gateway, which is not"),
        ("ko", "애플리케이션 전체, 원문", "어떤 게이트웨이인지는 원문에 없습니다"),
    ],
)
def test_behind_a_gateway_stand_both_sides_of_the_studys_difference(
    language: str, inside: str, said: str
) -> None:
    place = ("serving-gateway", "single", "request.latency.p95")
    text = only_text(told("web", {place: {NATIVE: 10.0, ASYNC: 20.0}}, language=language))
    assert said in text
    (table,) = [table for table in tables(text) if len(table[0]) > 6]
    titles = [row[1] for row in table]
    own = titles.index(inside)
    # Native first: measured, the whole application, the client's published, the server's.
    assert [digits(table[row][5]) for row in (own - 1, own)] == ["189", "202"]
    other = titles.index(inside, own + 1)
    assert [digits(table[row][5]) for row in (other - 1, other)] == ["324", "274"]
    bare = only_text(told("web", {("serving", *place[1:]): {NATIVE: 10.0}}, language=language))
    assert inside not in bare


@pytest.mark.parametrize(
    ("scenarios", "language", "expected"),
    [
        (("serving",), "en", "are those of “Serving a model: 10 users”."),
        (("serving", "serving-untimed"), "en", "those of “Serving a model: spans not measured”."),
        (("serving",), "ko", "수치는 “모델 서빙: 사용자 10명” 시나리오의 것입니다."),
    ],
)
def test_layers_say_of_which_scenario_their_figures_with_the_model_are(
    scenarios: tuple[str, ...], language: str, expected: str
) -> None:
    both = {NATIVE: 10.0, ASYNC: 40.0}
    eight = {("eight-nodes", "found-k200", "read.latency.mean"): both}
    served = {(one, "single", "request.latency.mean"): both for one in scenarios}
    assert expected in only_text(told("layers", {**eight, **served}, language=language))
    rest = {("client", "s1-k200", "read.latency.mean"): both}
    assert "“" not in only_text(told("layers", {**eight, **rest}, language=language))


@pytest.mark.parametrize(
    ("language", "expected", "never"),
    [
        ("en", "ask for 4 processors and 4 GiB each, and are limited to 8 of both", "not said"),
        ("ko", "CPU 4개와 4 GiB를 요청하고 8개와 8 GiB로 제한", "밝히지 않"),
    ],
)
def test_processors_of_the_studys_pods_are_told_as_it_says_them(
    language: str, expected: str, never: str
) -> None:
    place = ("serving-limits", "memory-8", "rss.max")
    text = only_text(told("limited", {place: {NATIVE: 90.0}}, language=language))
    assert expected in text
    assert never not in text
    published = read_published(SUITE / "published.toml")
    assert published is not None
    assert "4 CPU / 4 GiB, limited to 8 CPU / 8 GiB" in published.machine.of("en")


@pytest.mark.parametrize(
    ("place", "total", "published"),
    [
        (("asgi", "c5"), "server-time", {"mean": "−21 %", "p50": "−34 %", "p90": "+6 %"}),
        (
            ("serving-untimed", "single"),
            "request",
            {"mean": "−19 %", "p50": "−9 %", "p90": "−41 %", "p95": "−42 %"},
        ),
        (("serving-untimed", "gather"), "request", {"p95": "−12 %"}),
    ],
)
def test_changes_are_of_the_times_that_the_study_has(
    place: tuple[str, str], total: str, published: dict[str, str]
) -> None:
    """Behind ASGI its times are the application's own, which are not those of the generator."""
    figures = {(*place, "request.latency.mean"): {NATIVE: 50.0, ASYNC: 100.0}}
    figures[*place, f"{total}.latency.mean"] = {NATIVE: 79.0, ASYNC: 100.0}
    changes = tables(only_text(told("web", figures)))[1]
    (ours,) = [row[-1] for row in changes if row[-2] == "mean"]
    assert ours.startswith("−21 % [")
    found = {
        above[-2]: digits(row[-1]) for above, row in pairwise(changes) if "published" in row[-2]
    }
    assert {name: found.get(name) for name in published} == published


def of_recipe(scenario: str) -> Figures:
    """Two clients, of which one gains by one call for all sets and the other loses."""
    of_level = {"mean": (100.0, 67.0, 100.0, 110.0), "p95": (200.0, 160.0, 200.0, 250.0)}
    return {
        (scenario, step, f"request.latency.{level}"): {NATIVE: native, ASYNC: official}
        for level, (gather, single, of_gather, of_single) in of_level.items()
        for step, native, official in (
            ("gather", gather, of_gather),
            ("single", single, of_single),
        )
    }


def recipe_of(scenario: str) -> list[list[str]]:
    """Rows of the table, titles first."""
    text = only_text(told("web", of_recipe(scenario)))
    (table,) = (one for one in tables(text) if one[0][-1] == "change")
    return table


@pytest.mark.parametrize("scenario", ["serving-untimed", "serving"])
def test_one_call_for_all_sets_is_told_by_its_change_beside_the_published_one(
    scenario: str,
) -> None:
    rows = recipe_of(scenario)[1:]
    ours = [row[-1].split(" [")[0] for row in rows if "[" in row[-1]]
    assert ours == ["−33 %", "−20 %", "+10 %", "+25 %"]
    published = [[digits(entry) for entry in row[2:]] for row in rows if "published" in row[1]]
    assert published == [["234", "189", "−19 %"], ["266", "324", "+22 %"]]


def test_the_change_to_one_call_stands_where_the_studys_figures_are() -> None:
    both = {**of_recipe("serving-untimed"), **of_recipe("serving")}
    found = [
        section.anchor
        for section in told("web", both)
        if any(table[0][-1] == "change" for table in tables(only_text([section])))
    ]
    assert found == ["serving-untimed"]


@pytest.mark.parametrize(
    ("language", "expected"),
    [("en", "mean of aerospike-py in another run"), ("ko", "다른 실행에서 잰 aerospike-py의 평균")],
)
def test_the_text_says_which_figure_33_per_cent_is(language: str, expected: str) -> None:
    text = only_text(told("web", of_recipe("serving-untimed"), language=language))
    assert expected in text
