"""From the samples of a run to its cells: figures, gates, ranks, and what charts draw."""

from wirelab.cells.analysis import analyse, unstable_cells

__all__ = ["analyse", "unstable_cells"]
