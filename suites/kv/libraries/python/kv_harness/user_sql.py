"""YCSB's user table as SQL: a column a field."""

from __future__ import annotations

from collections.abc import Callable

from kv_harness.user_table import NAMES

TABLE = "wirelab.usertable"
COLUMNS = ", ".join(NAMES)

Placeholder = Callable[[int], str]
"""A library's spelling of its n-th argument, from 1."""


def read(at: Placeholder) -> str:
    """All fields of a record, by its key."""
    return f"SELECT {COLUMNS} FROM {TABLE} WHERE key = {at(1)}"


def read_to_change(at: Placeholder) -> str:
    """The same, and nobody else changes it before the transaction ends."""
    return f"{read(at)} FOR UPDATE"


def write(fields: list[int], at: Placeholder) -> str:
    """Replace fields, whose values are the first arguments; the key is the last one."""
    values = ", ".join(f"{NAMES[field]} = {at(n)}" for n, field in enumerate(fields, 1))
    return f"UPDATE {TABLE} SET {values} WHERE key = {at(len(fields) + 1)}"


def insert(at: Placeholder) -> str:
    """A key and its ten fields."""
    values = ", ".join(at(n) for n in range(1, len(NAMES) + 2))
    return f"INSERT INTO {TABLE} (key, {COLUMNS}) VALUES ({values})"


def scan(at: Placeholder) -> str:
    """Records from a key on, and how many at the most."""
    return f"SELECT {COLUMNS} FROM {TABLE} WHERE key >= {at(1)} ORDER BY key LIMIT {at(2)}"
