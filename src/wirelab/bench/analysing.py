"""The analysis of one run in a process of its own, measured from inside it.

    python -m wirelab.bench.analysing FOLDER

prints one JSON object: ``seconds`` of the analysis alone, ``peak_bytes`` of the process,
``samples`` that are in the figures, and ``unsupported``, percentiles without an interval.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from wirelab.cells.analysis import analyse
from wirelab.model.result import Result


def peak_bytes() -> int:
    """Highest resident memory of this process.

    Not ``getrusage``: its maximum is inherited over exec, so a large parent would be in it.
    """
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise OSError("/proc/self/status has no VmHWM")


def _percentiles(result: Result) -> dict[str, tuple[int, bool]]:
    """Samples behind each median, and whether every percentile beside it has an interval."""
    found = {}
    for cell in result.cells:
        for name, metric in cell.metrics.items():
            operation, _, figure = name.partition(".latency.")
            if figure == "p50":
                beside = [cell.metrics[f"{operation}.latency.p{p}"] for p in ("50", "95", "99")]
                bounded = all(m.interval is not None for m in beside)
                found[f"{cell.id}:{operation}"] = (metric.n or 0, bounded)
    return found


def main() -> None:
    """Analyse the run in the folder that the first argument names."""
    began = time.perf_counter()
    result, _ = analyse(Path(sys.argv[1]))
    seconds = time.perf_counter() - began
    operations = _percentiles(result)
    print(
        json.dumps(
            {
                "seconds": seconds,
                "peak_bytes": peak_bytes(),
                "samples": sum(n for n, _ in operations.values()),
                "unsupported": [name for name, (_, bounded) in operations.items() if not bounded],
            }
        )
    )


if __name__ == "__main__":
    main()
