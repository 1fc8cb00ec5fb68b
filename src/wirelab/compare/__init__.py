"""Two runs side by side: what changed, and whether anything is worse."""

from wirelab.compare.compare import compare_runs
from wirelab.compare.comparison import Change, Comparison, ExitCode

__all__ = ["Change", "Comparison", "ExitCode", "compare_runs"]
