"""The plan of a run: its trials in their order, what their steps are, what a count takes."""
