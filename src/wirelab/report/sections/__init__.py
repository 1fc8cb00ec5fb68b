"""Sections that every suite's report is built from; none of them knows a suite."""
