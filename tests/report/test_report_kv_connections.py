"""Pools of the key-value suite's clients: sizes side by side, ranked within each database."""

from __future__ import annotations

from kv_sections import Figures, only_text, tables, told


def of_size(connections: int, **rates: float) -> Figures:
    place = (f"connections-{connections}", "c16", "read.rate")
    return {place: {name.replace("_", "-"): rate for name, rate in rates.items()}}


def test_pools_of_each_size_are_ranked_by_database() -> None:
    figures = {
        **of_size(1, asyncpg=500.0, psycopg=400.0, redis_py=900.0, go_redis=1800.0),
        **of_size(4, asyncpg=1000.0, psycopg=400.0, redis_py=1200.0, go_redis=3000.0),
    }
    text = only_text(told("connections", figures))
    postgres, redis = tables(text)
    assert postgres[0][2:] == ["1 connection", "4 connections"]
    rates = {row[0]: row[2:] for row in postgres if row[1] == "multi-gets/s"}
    assert ["★" in entry for entry in rates["asyncpg (Python)"]] == [True, True]
    assert ["#2" in entry for entry in rates["psycopg (Python)"]] == [True, True]
    times = [row[2:] for row in postgres if row[1] == "times the rate with 1 connection"]
    assert [entry.split(" ")[0] for _dash, entry in times] == ["2.00", "1.00"]
    assert {row[0] for row in redis[1:] if row[0]} == {"redis-py (Python)", "go-redis"}


def test_a_pool_that_refuses_its_callers_has_no_rank_there() -> None:
    figures = {
        **of_size(1, pymemcache=5000.0, aiomcache=400.0, memcache_client=300.0),
        **of_size(16, pymemcache=900.0, aiomcache=800.0, memcache_client=300.0),
    }
    refused = (("connections-1", "pymemcache"),)
    (table,) = tables(only_text(told("connections", figures, refused=refused)))
    rates = {row[0]: row[2:] for row in table if row[1] == "multi-gets/s"}
    few, enough = rates["pymemcache (Python)"]
    assert few.startswith("(")
    assert "★" not in few
    assert "★" in enough
    assert "★" in rates["aiomcache (Python)"][0]
