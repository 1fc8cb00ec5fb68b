"""Chapters of the report of the suite `messaging`."""
