"""The chapters of the report of the suite ``kv``."""
