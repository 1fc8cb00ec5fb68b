"""Choice by situation in the key-value suite: by ranks, with ties said and invalid figures left
out; and which database takes which shape of read best."""

from __future__ import annotations

import pytest
from kv_sections import Figures, only_text, tables, told

MULTI_GET = ("client", "s1-k200", "read.latency.p50")
CALLS = ("in-flight", "c64", "read.rate")
SCANS = ("ycsb-scan", "e", "ycsb.rate")

Refused = tuple[tuple[str, str], ...]


def choices(figures: Figures, refused: Refused = ()) -> dict[str, list[str]]:
    """First choice, second and grounds by database."""
    (table,) = tables(only_text(told("choice", figures, refused=refused)))
    return {row[1]: row[2:] for row in table[1:] if row[1]}


def in_redis(figures: Figures, refused: Refused = ()) -> list[str]:
    """The only row."""
    found = choices(figures, refused)
    assert list(found) == ["Redis"]
    return found["Redis"]


def test_one_that_is_told_apart_is_named_alone() -> None:
    first, second, grounds = in_redis({MULTI_GET: {"redis-py": 1.0, "go-redis": 0.5}})
    assert first == "**go-redis**"
    assert second == "**redis-py (Python)**"
    assert "go-redis 0.50" in grounds
    assert "redis-py (Python) 1.00" in grounds


def test_all_that_share_the_first_rank_are_named_and_the_tie_is_said() -> None:
    values = {"redis-py": 0.505, "go-redis": 0.5, "redis-py-async": 0.51, "lettuce": 2.0}
    first, second, _grounds = in_redis({MULTI_GET: values})
    named = [part for part in first.split("<br>") if part.startswith("**")]
    assert len(named) == 3
    assert "Lettuce" not in first
    assert first.endswith("(not told apart)")
    assert "Lettuce" in second


def test_more_is_better_where_the_scenario_ranks_so() -> None:
    first, _second, _grounds = in_redis({CALLS: {"redis-py": 1000.0, "go-redis": 9000.0}})
    assert first == "**go-redis**"


def test_an_invalid_leader_is_not_chosen_and_the_grounds_say_so() -> None:
    values = {"redis-py": 1.0, "go-redis": 0.1, "lettuce": 2.0}
    first, second, grounds = in_redis({MULTI_GET: values}, (("client", "go-redis"),))
    assert first == "**redis-py (Python)**"
    assert "Lettuce" in second
    assert "go-redis (invalid)" in grounds


def test_a_client_without_company_is_told_and_not_chosen() -> None:
    first, second, grounds = in_redis({MULTI_GET: {"redis-py": 1.0}})
    assert (first, second) == ("undecided", "undecided")
    assert "redis-py (Python) alone has a valid figure, 1.00" in grounds


def test_nobody_is_chosen_from_invalid_figures_alone() -> None:
    refused = (("client", "redis-py"), ("client", "go-redis"))
    first, second, _grounds = in_redis({MULTI_GET: {"redis-py": 1.0, "go-redis": 0.1}}, refused)
    assert (first, second) == ("undecided", "undecided")


def test_clients_of_unlike_databases_are_not_ranked_together() -> None:
    values = {"redis-py": 1.0, "go-redis": 0.5, "asyncpg": 0.1, "psycopg": 0.2}
    found = choices({MULTI_GET: values})
    assert set(found) == {"Redis", "PostgreSQL"}
    assert found["Redis"][0] == "**go-redis**"
    assert found["PostgreSQL"][0] == "**asyncpg (Python)**"


# ------------------------------------------------------------- which database for which read
TITLES = ("shape of read", "figure", "Redis", "memcached", "PostgreSQL", "first choice")


def databases(figures: Figures, refused: Refused = ()) -> dict[str, str]:
    """The only row: what stands below each title."""
    ((titles, row),) = tables(only_text(told("databases", figures, refused=refused)))
    assert tuple(titles) == TITLES
    return dict(zip(TITLES, row, strict=True))


def test_each_database_stands_by_its_first_client_with_its_figure() -> None:
    values = {"redis-py": 1.0, "go-redis": 0.5, "asyncpg": 2.0, "psycopg": 4.0}
    row = databases({MULTI_GET: values})
    assert row["Redis"].startswith("0.50")
    assert row["Redis"].endswith("go-redis")
    assert row["PostgreSQL"].endswith("asyncpg (Python)")
    assert row["memcached"] == "–"
    assert row["first choice"] == "**Redis**"


def test_databases_that_are_not_told_apart_are_both_named() -> None:
    row = databases({MULTI_GET: {"redis-py": 1.0, "pymemcache": 1.01, "asyncpg": 2.0}})
    assert row["first choice"] == "**Redis**<br>**memcached**<br>(not told apart)"


def test_the_higher_rate_is_first() -> None:
    row = databases({CALLS: {"redis-py": 1000.0, "asyncpg": 9000.0}})
    assert row["first choice"] == "**PostgreSQL**"


def test_a_database_whose_figures_are_invalid_is_not_first() -> None:
    values = {"redis-py": 0.1, "pymemcache": 1.0, "asyncpg": 2.0}
    row = databases({MULTI_GET: values}, (("client", "redis-py"),))
    assert row["Redis"] == "no valid figure"
    assert row["first choice"] == "**memcached**"


def test_a_database_without_company_is_not_called_first() -> None:
    assert databases({MULTI_GET: {"redis-py": 1.0}})["first choice"] == "nobody to compare with"


def test_only_a_database_with_an_order_of_keys_gives_ranges() -> None:
    row = databases({SCANS: {"asyncpg": 900.0, "psycopg": 300.0}})
    assert row["Redis"] == row["memcached"] == "keys have no order"
    assert row["PostgreSQL"].endswith("asyncpg (Python)")
    assert row["first choice"] == "**PostgreSQL**"


@pytest.mark.parametrize("chapter", ["choice", "databases"])
def test_without_figures_there_is_no_chapter(chapter: str) -> None:
    assert told(chapter, {("serving-limits", "whole", "rss.max"): {"redis-py-async": 1.0}}) == []
