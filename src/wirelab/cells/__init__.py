"""From the samples of a run to its cells: figures, gates, ranks, and what charts draw."""
