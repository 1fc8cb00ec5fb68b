"""Errors of inputs and values."""

from __future__ import annotations


class CgdError(ValueError):
    """Bytes that are no value of the kind asked for, or a value that the kind cannot hold."""
