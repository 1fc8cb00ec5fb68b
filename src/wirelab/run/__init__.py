"""A run: from the plan to the records of its trials."""
