"""Two runs side by side: what changed, and whether that is a regression."""

from wirelab.compare.compare import compare_runs
from wirelab.compare.comparison import Change, Comparison, ExitCode

__all__ = ["Change", "Comparison", "ExitCode", "compare_runs"]
