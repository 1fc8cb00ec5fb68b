"""The version of the stored files ``run.json``, ``trial.json`` and ``result.json``."""

SCHEMA_VERSION = 7
"""Each change of their format has a step in ``wirelab.samples.conversion``."""
