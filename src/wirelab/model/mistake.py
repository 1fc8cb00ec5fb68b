"""A user's mistake, told in a sentence."""

from __future__ import annotations


class MistakeError(Exception):
    """The command line prints its text and no traceback."""
