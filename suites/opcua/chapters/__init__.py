"""Chapters of the report of the suite `opcua`."""
