"""Fixtures of the gates' tests."""

from gates_support import judge, run

__all__ = ["judge", "run"]
